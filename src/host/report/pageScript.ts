// The page's style and script, which lie beside this file's source as they are written into the page.
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import type { Report } from './reportData.ts';

function readAsset(name: string): string {
  // The same path from src/ and from dist/.
  return readFileSync(new URL(`../../../src/host/report/page/${name}`, import.meta.url), 'utf8');
}

export interface DrawnEpisode {
  /** SVG. */
  readonly path: string;
  /** SVG. */
  readonly timeline: string;
  /** Table rows. */
  readonly rows: string;
}

export interface PageAssets {
  readonly style: string;
  readonly script: string;
  /** Draws one of the views as the page itself would. */
  readonly drawEpisode: (views: Report['views'], place: number, episode: ShownEpisode) => DrawnEpisode;
}

/** What the script needs to know of an episode besides its trace. */
export interface ShownEpisode {
  readonly name: string;
  readonly map: string;
  readonly route: number;
  readonly mode: string;
}

/** What all our pages look like. */
export function pageStyle(): string {
  return readAsset('style.css');
}

export function pageAssets(): PageAssets {
  const script = readAsset('script.js');
  const context = createContext({});
  runInContext(script, context);
  return {
    style: pageStyle(),
    script,
    drawEpisode: context.drawEpisode as PageAssets['drawEpisode'],
  };
}
