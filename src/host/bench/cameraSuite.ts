// Suite `camera`: how many images a second are rendered. Every environment once a repetition, from the state as it lies on the
// GPU; the images stay there (rendered) or are read back to the host.

import type { RasteriserName } from '../../kernels/camera/camera.ts';
import { type MeshKind, meshKinds } from '../../kernels/camera/meshes.ts';
import { publishedRig } from '../../kernels/camera/rig.ts';
import { counted } from '../counted.ts';
import { firstMove } from '../episodes/actions.ts';
import { RunError } from '../errors.ts';
import type { BenchBatch } from './benchDevice.ts';
import { shortNumber, spreadText } from './numberText.ts';
import { type Spread, spreadOf } from './spread.ts';
import { anySuite, type BenchContext, type BenchTable, type Metric, type Reading } from './suite.ts';
import { type Duration, startTimer } from './timer.ts';
import type { Workload } from './workload.ts';

/** Pixels, and environments that are rendered. */
interface CameraSize {
  readonly width: number;
  readonly height: number;
  readonly environments: number;
}

/** The usual sizes of reinforcement learning, and the published camera; at most so many environments of each. */
const cameraSizes: readonly CameraSize[] = [
  { width: 64, height: 64, environments: 1024 },
  { width: 84, height: 84, environments: 1024 },
  { width: publishedRig.width, height: publishedRig.height, environments: 36 },
];

/** What becomes of the images: they stay on the GPU, or they are read back. */
const cameraColumns = ['rendered', 'readback'] as const;
type CameraColumn = (typeof cameraColumns)[number];

const columnTitles: Record<CameraColumn, string> = { rendered: 'on the GPU', readback: '+ readback' };

interface CameraRates {
  readonly imagesPerSecond: Spread;
  /** Of this process, all threads: where the driver runs on the CPU, the work that an image is. */
  readonly cpuMicrosecondsPerImage: Spread;
}

interface CameraSizeResult extends CameraSize {
  readonly rasteriser: RasteriserName;
  /** Images in one pass. */
  readonly passImages: number;
  readonly primitivesPerImage: Readonly<Record<MeshKind, number>>;
  readonly columns: Readonly<Record<CameraColumn, CameraRates>>;
}

export interface CameraResult {
  readonly repetitions: number;
  readonly sizes: readonly CameraSizeResult[];
}

/** The environments' clocks come apart by up to so many seconds. */
const spreadSeconds = 10;

async function startApart({ simulator }: BenchBatch, { starts }: Workload): Promise<void> {
  const { envCount } = simulator;
  simulator.reset(starts.slice(0, envCount));
  await simulator.advance();
  for (let env = 0; env < envCount; env++)
    simulator.decide(env, firstMove, Math.round((env / envCount) * spreadSeconds * 100));
  await simulator.advance();
}

function ratesOf(durations: readonly Duration[], images: number): CameraRates {
  return {
    imagesPerSecond: spreadOf(durations.map(({ seconds }) => images / seconds)),
    cpuMicrosecondsPerImage: spreadOf(durations.map(({ cpuSeconds }) => (1e6 * cpuSeconds) / images)),
  };
}

async function measureSize(
  batch: BenchBatch,
  { width, height, environments }: CameraSize,
  { options: { repetitions }, onRepetition, signal }: BenchContext,
): Promise<CameraSizeResult> {
  const camera = await batch.createCamera(width, height);
  try {
    const views = Array.from({ length: environments }, (_, env) => ({ env }));
    const images = await camera.render(views);
    const renderAll: Record<CameraColumn, () => Promise<unknown>> = {
      rendered() {
        for (let first = 0; first < environments; first += camera.viewCapacity)
          camera.submit(views.slice(first, first + camera.viewCapacity));
        return batch.finishWork();
      },
      readback: () => camera.render(views, images),
    };
    const primitives = await camera.countPrimitives(
      environments % camera.viewCapacity || camera.viewCapacity,
    );
    const lastPass = environments % camera.viewCapacity || camera.viewCapacity;
    const durations: Record<CameraColumn, Duration[]> = { rendered: [], readback: [] };
    // By turns, so that whatever else the machine does meets both.
    for (let repetition = 0; repetition < repetitions; repetition++) {
      for (const column of cameraColumns) {
        const readTimer = startTimer();
        await renderAll[column]();
        durations[column].push(readTimer());
      }
      onRepetition(0);
      if (signal?.aborted) throw new RunError('bench: stopped');
    }
    return {
      width,
      height,
      environments,
      rasteriser: camera.rasteriser,
      passImages: Math.min(environments, camera.viewCapacity),
      primitivesPerImage: Object.fromEntries(
        meshKinds.map((kind, list) => [kind, primitives[list]! / lastPass]),
      ) as Record<MeshKind, number>,
      columns: {
        rendered: ratesOf(durations.rendered, environments),
        readback: ratesOf(durations.readback, environments),
      },
    };
  } finally {
    await camera.destroy();
  }
}

async function measureCamera(context: BenchContext): Promise<CameraResult> {
  const { device, workload, options, say } = context;
  const largestBatch = options.sizes.at(-1)!;
  const planned = cameraSizes.map((size) => ({
    ...size,
    environments: Math.min(size.environments, largestBatch),
  }));
  const batch = await device.createBatch(Math.max(...planned.map(({ environments }) => environments)));
  try {
    await startApart(batch, workload);
    const sizes: CameraSizeResult[] = [];
    for (const size of planned) {
      say(`camera: ${counted(size.environments, 'image')} of ${size.width} x ${size.height}`);
      sizes.push(await measureSize(batch, size, context));
    }
    return { repetitions: options.repetitions, sizes };
  } finally {
    await batch.destroy();
  }
}

function cameraTable({ repetitions, sizes }: CameraResult, { runsOnCpu }: Reading): BenchTable {
  const titles = [
    'pixels',
    'images',
    'rasteriser',
    'primitives an image',
    'images/s on the GPU',
    '+ readback',
  ];
  return {
    // Where the driver runs on the CPU, work per image is what a busy machine does not falsify.
    columns: [...titles, ...(runsOnCpu ? ['CPU us an image'] : [])].map((title) => ({
      title,
      align: 'right',
    })),
    rows: sizes.map(({ width, height, environments, rasteriser, primitivesPerImage, columns }) => [
      `${width} x ${height}`,
      String(environments),
      rasteriser,
      Object.values(primitivesPerImage)
        .reduce((sum, count) => sum + count, 0)
        .toFixed(0),
      ...cameraColumns.map((column) => spreadText(columns[column].imagesPerSecond, shortNumber)),
      ...(runsOnCpu ? [spreadText(columns.readback.cpuMicrosecondsPerImage, shortNumber)] : []),
    ]),
    notes: [
      `colour of environments up to ${spreadSeconds} s apart; ${counted(repetitions, 'repetition')} by turns`,
    ],
  };
}

function cameraMetrics({ sizes }: CameraResult, { runsOnCpu }: Reading): Metric[] {
  return sizes.flatMap(({ width, height, environments, columns }) => {
    const name = `${counted(environments, 'image')} of ${width} x ${height}`;
    return [
      ...cameraColumns.map((column) => ({
        name: `${name}, ${columnTitles[column]}`,
        unit: 'images/s',
        better: 'higher' as const,
        ...columns[column].imagesPerSecond,
      })),
      ...(runsOnCpu
        ? [
            {
              name: `${name}, ${columnTitles.readback}`,
              unit: 'CPU us an image',
              better: 'lower' as const,
              ...columns.readback.cpuMicrosecondsPerImage,
            },
          ]
        : []),
    ];
  });
}

export const cameraSuite = anySuite<CameraResult>({
  name: 'camera',
  about: 'images a second at three sizes, left on the GPU and read back',
  repetitions: ({ repetitions }) => cameraSizes.length * repetitions,
  measure: measureCamera,
  tables: (result, reading) => [cameraTable(result, reading)],
  figures: () => [],
  metrics: cameraMetrics,
});
