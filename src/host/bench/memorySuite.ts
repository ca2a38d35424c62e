// Suite `memory`: what a batch takes at each size, by buffer.

import * as Plot from '@observablehq/plot';
import { counted } from '../counted.ts';
import { RunError } from '../errors.ts';
import { drawPlot } from '../report/drawPlot.ts';
import { kibibytes, mebibytes } from './numberText.ts';
import { measuredOnce } from './spread.ts';
import { anySuite, type BenchFigure, type BenchTable } from './suite.ts';

interface MemorySize {
  readonly environments: number;
  /** Maps and rules, which all environments share. */
  readonly worldBytes: number;
  readonly batchBytes: number;
  /** The batch's bytes by what they hold. */
  readonly buffers: Readonly<Record<string, number>>;
  /** Of this process after the episodes have started, everything included; with a driver on the CPU also the buffers. */
  readonly processBytes: number;
  /** Allocating, compiling and starting all episodes. */
  readonly seconds: number;
}

export interface MemoryResult {
  readonly sizes: readonly MemorySize[];
}

function memoryTable({ sizes }: MemoryResult): BenchTable {
  const names = Object.keys(sizes[0]!.buffers);
  const titles = ['environments', 'GPU memory', 'of it maps', 'this process', 'ready, s', 'KiB per env'];
  return {
    columns: [...titles, ...names].map((title) => ({ title, align: 'right' })),
    rows: sizes.map(({ environments, worldBytes, batchBytes, buffers, processBytes, seconds }) => [
      String(environments),
      mebibytes(worldBytes + batchBytes),
      mebibytes(worldBytes),
      mebibytes(processBytes),
      seconds.toFixed(1),
      ...[batchBytes, ...names.map((name) => buffers[name]!)].map((bytes) => kibibytes(bytes / environments)),
    ]),
    notes: ['The columns by name are KiB per environment; a batch is allocated in whole blocks.'],
  };
}

function memoryFigure({ sizes }: MemoryResult): BenchFigure {
  const parts = sizes.flatMap(({ environments, buffers }) =>
    Object.entries(buffers).map(([name, bytes]) => ({
      size: String(environments),
      name,
      kibibytes: bytes / 1024 / environments,
    })),
  );
  const names = Object.keys(sizes[0]!.buffers);
  const svg = drawPlot(
    {
      width: 480,
      height: 60 + 30 * sizes.length,
      marginLeft: 64,
      marginBottom: 42,
      x: { label: 'KiB per environment', labelAnchor: 'center', labelArrow: 'none', grid: true },
      y: { domain: sizes.map(({ environments }) => String(environments)), label: null, padding: 0.2 },
      color: { domain: names, range: names.map((_, place) => `var(--series-${(place % 8) + 1})`) },
      marks: [
        Plot.barX(parts, Plot.stackX({ x: 'kibibytes', y: 'size', fill: 'name', stroke: 'var(--paper)' })),
      ],
    },
    'Memory of an environment by buffer, for each batch size; the numbers are in the table',
  );
  return { svg, caption: `From the left: ${names.join(', ')}.` };
}

export const memorySuite = anySuite<MemoryResult>({
  name: 'memory',
  about: 'bytes per environment by buffer, at each size',
  repetitions: () => 0,
  async measure({ device, workload, options, say, signal }) {
    const sizes: MemorySize[] = [];
    for (const environments of options.sizes) {
      say(`memory: ${counted(environments, 'environment')}`);
      const begin = performance.now();
      const batch = await device.createBatch(environments);
      try {
        batch.simulator.reset(workload.starts.slice(0, environments));
        await batch.simulator.advance();
        const { world, batch: batchBytes, buffers } = batch.simulator.memory;
        sizes.push({
          environments,
          worldBytes: world,
          batchBytes,
          buffers,
          processBytes: process.memoryUsage().rss,
          seconds: (performance.now() - begin) / 1000,
        });
      } finally {
        await batch.destroy();
      }
      if (signal?.aborted) throw new RunError('bench: stopped');
    }
    return { sizes };
  },
  tables: (result) => [memoryTable(result)],
  figures: (result) => [memoryFigure(result)],
  metrics: ({ sizes }) =>
    sizes.map(({ environments, batchBytes }) => ({
      name: `${counted(environments, 'environment')}, memory of one`,
      unit: 'bytes',
      better: 'lower',
      ...measuredOnce(batchBytes / environments),
    })),
});
