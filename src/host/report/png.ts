// The main figures as one PNG: the SVG of the page, rasterised by resvg with a font that comes with the package, so that it
// looks the same on every machine.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { UsageError } from '../errors.ts';
import { escapeHtml } from './escapeHtml.ts';
import { latencyFigure, mostSeries, type SeriesStyle, seriesStyles, swatch } from './figures.ts';
import { pageAssets } from './pageScript.ts';
import type { Report } from './reportData.ts';

const pixelsPerUnit = 2;
const [figureWidth, figureHeight, margin, headHeight, rowHeight] = [400, 260, 24, 64, 22];

/** The light colours of the page's style. */
function lightColors(style: string): Map<string, string> {
  const root = style.slice(0, style.indexOf('}'));
  return new Map(
    Array.from(root.matchAll(/--([a-z0-9-]+):\s*(#[0-9a-f]{6})/g), ([, name, color]) => [name!, color!]),
  );
}

function legendRow(style: SeriesStyle, label: string, y: number): string {
  return (
    `<g transform="translate(${margin},${y - 12})">${swatch(style, true)}` +
    `<text x="46" y="13" font-size="13">${escapeHtml(label)}</text></g>`
  );
}

/** The figures of latency, side by side, as an SVG of its own. */
export function mainFigureSvg(report: Report): string {
  const shown = report.latency.slice(0, mostSeries);
  const figures = [
    latencyFigure(report, 'contacts', 'contacts per episode', false),
    latencyFigure(report, 'safeSuccess', 'safe success', true),
    latencyFigure(report, 'progressMetresPerDecision', 'progress per decision (m)', false),
  ];
  const top = headHeight + shown.length * rowHeight;
  const width = figures.length * (figureWidth + margin) + margin;
  const height = top + figureHeight + margin;
  const placed = figures.map((figure, place) =>
    figure.replace('<svg ', `<svg x="${margin + place * (figureWidth + margin)}" y="${top}" `),
  );
  const styles = seriesStyles(shown.map(({ mode }) => mode));
  const rows = shown.map(({ label }, place) =>
    legendRow(styles[place]!, label, headHeight + place * rowHeight),
  );
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" color="var(--ink)" fill="currentColor" font-family="DejaVu Sans">` +
    `<rect width="${width}" height="${height}" fill="var(--paper)"/><text x="${margin}" y="34" font-size="18">${escapeHtml(report.title)}</text>` +
    `${rows.join('')}${placed.join('')}</svg>`;
  const colors = lightColors(pageAssets().style);
  return svg
    .replaceAll(/var\(--([a-z0-9-]+)\)/g, (whole, name: string) => colors.get(name) ?? whole)
    .replaceAll('font-family: inherit', 'font-family: DejaVu Sans')
    .replaceAll('currentColor', colors.get('ink') ?? '#000000');
}

/**
 * @throws UsageError where resvg has no prebuilt library for the platform.
 */
export async function reportPng(report: Report): Promise<Buffer> {
  const require = createRequire(import.meta.url);
  const fonts = join(dirname(require.resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  let resvg: typeof import('@resvg/resvg-js');
  try {
    resvg = await import('@resvg/resvg-js');
  } catch (error) {
    throw new UsageError(
      `--format: found png, which is unavailable on ${process.platform}-${process.arch} (@resvg/resvg-js: ${(error as Error).message.split('\n')[0]}), allowed is html, csv, json or md`,
      { cause: error },
    );
  }
  const image = new resvg.Resvg(mainFigureSvg(report), {
    fitTo: { mode: 'zoom', value: pixelsPerUnit },
    font: {
      loadSystemFonts: false,
      fontFiles: [join(fonts, 'DejaVuSans.ttf')],
      defaultFontFamily: 'DejaVu Sans',
    },
  });
  return withMark(Buffer.from(image.render().asPng()));
}

const signatureBytes = 8;
/** Length, name and CRC of a chunk, and the 13 bytes of IHDR, which comes first. */
const headerEnd = signatureBytes + 12 + 13;
const markText = 'Software\0rtsafe-report 1';

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** A text chunk that says whose image it is, right behind the header. */
function withMark(png: Buffer): Buffer {
  const body = Buffer.from(`tEXt${markText}`, 'latin1');
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return Buffer.concat([png.subarray(0, headerEnd), chunk, png.subarray(headerEnd)]);
}

/** Is it a PNG that `reportPng` made? `head`: its first bytes. */
export function isOwnPng(head: Buffer): boolean {
  return head.subarray(headerEnd).includes(Buffer.from(markText, 'latin1'));
}
