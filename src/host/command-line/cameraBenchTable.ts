// The result of the camera's benchmark as a table for a terminal.
import type { CameraBenchReport, CameraSizeResult } from '../bench/cameraBench.ts';
import { formatTable } from '../table.ts';
import { shortNumber, spreadText } from './benchTables.ts';

interface Column {
  readonly title: string;
  readonly show: (result: CameraSizeResult) => string;
}

const sizeColumns: readonly Column[] = [
  { title: 'pixels', show: ({ width, height }) => `${width} x ${height}` },
  { title: 'images', show: ({ environments }) => String(environments) },
  {
    title: 'triangles an image',
    show: ({ trianglesPerImage }) =>
      Object.values(trianglesPerImage)
        .reduce((sum, count) => sum + count, 0)
        .toFixed(0),
  },
  {
    title: 'images/s on the GPU',
    show: ({ columns }) => spreadText(columns.rendered.imagesPerSecond, shortNumber),
  },
  {
    title: '+ readback',
    show: ({ columns }) => spreadText(columns.readback.imagesPerSecond, shortNumber),
  },
];

/** Where the driver runs on the CPU, work per image is what a busy machine does not falsify. */
const cpuColumn: Column = {
  title: 'CPU us an image',
  show: ({ columns }) => spreadText(columns.readback.cpuMicrosecondsPerImage, shortNumber),
};

/** The whole report as text. */
export function formatCameraBench({ adapter, machine, repetitions, sizes }: CameraBenchReport): string {
  const shown = [...sizeColumns, ...(adapter.kind === 'hardware' ? [] : [cpuColumn])];
  return (
    `adapter   ${adapter.description}\n` +
    `cpu       ${machine.cpu}, ${machine.threads} threads, load ${machine.loadBefore.toFixed(2)} before\n` +
    `work      colour of hard environments on all routes; median (lowest .. highest) of ${repetitions} repetitions\n\n` +
    formatTable(
      shown.map(({ title }) => ({ title, align: 'right' as const })),
      sizes.map((result) => shown.map(({ show }) => show(result))),
    )
  );
}
