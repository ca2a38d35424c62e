// `rtsafe scenes render`: what an agent sees along a route, as one PNG.
import { writeSync } from 'node:fs';
import type { Command } from 'commander';
import { publishedRig } from '../../kernels/camera/rig.ts';
import { adapterChoiceHelp, openGpu } from '../adapters/openGpu.ts';
import { difficultyNames } from '../episodes/difficulties.ts';
import { UsageError } from '../errors.ts';
import { contactSheet, halve } from '../images/contactSheet.ts';
import { encodePng, smallestLevel } from '../images/encodePng.ts';
import { parseImageSize } from '../input/imageSize.ts';
import { inputFault } from '../input/jsonFault.ts';
import { newFile } from '../input/newFile.ts';
import { replaceFile } from '../records/atomicFile.ts';
import { parseDifficulties, parseWholeNumber } from '../run/optionLists.ts';
import { renderWalk } from '../run/renderRoute.ts';
import { selectRoutes } from '../run/routeSelection.ts';
import { progressBar } from './progressBar.ts';

interface RenderOptions {
  out?: string;
  difficulty: string;
  seed: string;
  size: string;
  decisions: string;
  frames: string;
  columns: string;
  markers: boolean;
  adapter: string;
}

async function renderCommand(routeText: string, options: RenderOptions): Promise<void> {
  const { scenes, routes } = selectRoutes(routeText, 'route');
  const [chosen, second] = routes;
  if (chosen === undefined || second !== undefined)
    throw new UsageError(`route: found "${routeText}", allowed is one route, as rt10:0 or ./my.json:3`);
  const [difficulty, otherDifficulty] = parseDifficulties(options.difficulty);
  if (difficulty === undefined || otherDifficulty !== undefined) {
    throw new UsageError(
      `--difficulty: found "${options.difficulty}", allowed is one of ${difficultyNames.join(', ')}`,
    );
  }
  const { width, height } = parseImageSize('--size', options.size);
  const frames = parseWholeNumber('--frames', options.frames, 1, 100);
  const columns = parseWholeNumber('--columns', options.columns, 1, 20);
  const out = newFile('--out', options.out ?? `${chosen.map}-${chosen.route}.png`);
  if (!out.toLowerCase().endsWith('.png')) throw inputFault('--out', `"${out}"`, 'a name that ends in .png');
  const settings = {
    scene: scenes[0]!.scene,
    route: chosen.route,
    difficulty,
    seed: parseWholeNumber('--seed', options.seed, 0, 2 ** 32 - 1),
    rig: { ...publishedRig, width: width * 2, height: height * 2 },
    frames,
    decisionsBetween: parseWholeNumber('--decisions', options.decisions, 1, 1000),
    markers: options.markers,
  };
  const { context } = await openGpu(options.adapter);
  try {
    const progress = progressBar('pictures');
    progress.start(frames, 0);
    const onFrame = () => progress.advance(1, settings.decisionsBetween);
    const images = await renderWalk(context, { ...settings, onFrame });
    progress.stop();
    // Rendered at twice the size and halved, so that edges are smooth.
    const png = encodePng(halve(contactSheet(images, Math.min(columns, images.count))), smallestLevel);
    replaceFile(out, (file) => writeSync(file, png));
    process.stdout.write(`${out}\n`);
  } finally {
    await context.close();
  }
}

/** Adds `render` below the `scenes` command. */
export function registerScenesRender(scenes: Command): void {
  scenes
    .command('render')
    .description('Write what an agent sees along a route, walked greedily, as one PNG')
    .argument('<route>', 'one route, as rt10:0 or ./my.json:3')
    .option('--out <file>', 'the PNG to write (default: named after the route)')
    .option('--difficulty <name>', difficultyNames.join(', '), 'hard')
    .option('--seed <number>', 'seed of the episode', '0')
    .option('--size <size>', 'of one picture', '720x640')
    .option('--decisions <number>', 'decisions from one picture to the next', '3')
    .option('--frames <number>', 'pictures at most', '12')
    .option('--columns <number>', 'pictures in a row', '4')
    .option('--no-markers', 'leave out the numbered destinations')
    .option('--adapter <name>', adapterChoiceHelp, 'auto')
    .action(renderCommand);
}
