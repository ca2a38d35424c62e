// `rtsafe doctor`: which adapters are there, which one is chosen and why, its limits, and how to get a faster one.
import type { Command } from 'commander';
import { type AdapterDescription, type AdapterReport, describeAdapter } from '../adapters/adapterReport.ts';
import { driverAdvice } from '../adapters/driverAdvice.ts';
import { listAdapters } from '../adapters/findAdapters.ts';
import { loadWebgpu } from '../adapters/loadWebgpu.ts';
import { adapterChoiceHelp, openGpu } from '../adapters/openGpu.ts';

const reportedLimits = [
  'maxStorageBuffersPerShaderStage',
  'maxStorageBufferBindingSize',
  'maxBufferSize',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupsPerDimension',
  'maxTextureDimension2D',
] as const satisfies readonly (keyof GPUSupportedLimits)[];

const reportedFeatures = ['timestamp-query', 'subgroups'] as const;

export interface DoctorReport {
  node: string;
  platform: string;
  adapters: AdapterDescription[];
  embedded: string;
  chosen: AdapterReport;
  /** Seconds from nothing loaded to a device that is ready. */
  startSeconds: number;
  limits: Record<(typeof reportedLimits)[number], number>;
  features: Record<(typeof reportedFeatures)[number], boolean>;
  advice: string[];
}

/** Opens the chosen adapter, looks at it, and closes it again. Throws what openGpu throws. */
export async function examine(choice: string): Promise<DoctorReport> {
  const start = performance.now();
  const { context, adapter } = await openGpu(choice);
  const startSeconds = Math.round(performance.now() - start) / 1000;
  const { limits, features } = context.device;
  await context.close();
  const webgpu = await loadWebgpu();
  const adapters = (await listAdapters(webgpu)).map((found) => describeAdapter(found.adapter.info));
  return {
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    adapters,
    embedded: webgpu.embeddedMissing ? `not available: ${webgpu.embeddedMissing}` : 'available',
    chosen: adapter,
    startSeconds,
    limits: Object.fromEntries(reportedLimits.map((name) => [name, limits[name]])) as DoctorReport['limits'],
    features: Object.fromEntries(
      reportedFeatures.map((name) => [name, features.has(name)]),
    ) as DoctorReport['features'],
    advice: driverAdvice(adapters),
  };
}

function formatRows(record: Record<string, unknown>, show: (value: unknown) => string): string[] {
  return Object.entries(record).map(([name, value]) => `  ${name.padEnd(36)}${show(value)}`);
}

function format(report: DoctorReport): string {
  const number = new Intl.NumberFormat('en-US');
  return [
    `Node ${report.node} on ${report.platform}`,
    '',
    'Adapters found',
    ...report.adapters.map(({ kind, description }) => `  ${kind.padEnd(12)}${description}`),
    `  embedded SwiftShader: ${report.embedded}`,
    '',
    `Chosen: ${report.chosen.kind}, ${report.chosen.description}`,
    `  why: ${report.chosen.why}`,
    `  ready after ${report.startSeconds.toFixed(3)} s`,
    '',
    'Limits',
    ...formatRows(report.limits, (value) => number.format(value as number)),
    'Features',
    ...formatRows(report.features, (value) => (value ? 'yes' : 'no')),
    '',
    'A faster driver',
    ...report.advice.map((line) => `  ${line}`),
    '',
  ].join('\n');
}

export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description(
      'Show which GPU adapters were found, which one is chosen and why, and how to get a faster one',
    )
    .option('--adapter <choice>', adapterChoiceHelp, 'auto')
    .option('--json', 'print one JSON object')
    .action(async (options: { adapter: string; json?: true }) => {
      const report = await examine(options.adapter);
      process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : format(report));
    });
}
