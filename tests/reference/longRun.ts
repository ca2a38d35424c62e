// Compares the kernels with the CPU reference over random scenarios for as long as one likes: `npm run verify-reference`.
// Prints what was compared, or the first difference, and then ends with exit code 1 (docs/testing.md).
import { SingleBar } from 'cli-progress';
import { Command, InvalidArgumentError } from 'commander';
import { adapterChoiceHelp } from '../../src/host/adapters/openGpu.ts';
import { type Execution, suitableExecution } from '../../src/kernels/batchSimulator.ts';
import {
  type Comparison,
  compareWithReference,
  MismatchError,
} from '../kernels/support/compareWithReference.ts';
import { executions, TestGpu } from '../kernels/support/openBatch.ts';
import { drawScenario, type Scenario } from '../kernels/support/randomScenarios.ts';
import { scenarioWorld } from '../kernels/support/testWorld.ts';

interface LongRunOptions {
  readonly seconds: number;
  readonly adapter: string;
  readonly environments: number;
  readonly family: number;
  readonly scenario?: number;
  readonly teamwork?: keyof typeof executions;
  readonly threads?: number;
  readonly laneBlock?: number;
  readonly tickBudget?: number;
}

function wholeNumber(minimum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= minimum) return value;
    throw new InvalidArgumentError(`allowed is a whole number from ${minimum}`);
  };
}

function teamworkName(text: string): keyof typeof executions {
  if (text in executions) return text as keyof typeof executions;
  throw new InvalidArgumentError(`allowed is ${Object.keys(executions).join(' or ')}`);
}

function readOptions(): LongRunOptions {
  return new Command('verify-reference')
    .description('compares the kernels with the CPU reference, bit for bit, over random scenarios')
    .option('--seconds <n>', 'simulated seconds to compare', wholeNumber(1), 100_000)
    .option('--adapter <name>', adapterChoiceHelp, 'auto')
    .option('--environments <n>', 'environments in the batch', wholeNumber(1), 256)
    .option('--family <n>', 'which random scenarios', wholeNumber(0), 1)
    .option('--scenario <n>', 'only this one of them', wholeNumber(0))
    .option('--teamwork <name>', 'solo (a thread to each environment) or team (a workgroup)', teamworkName)
    .option('--threads <n>', 'threads to a workgroup', wholeNumber(1))
    .option('--lane-block <n>', 'environments interleaved in memory, a power of two', wholeNumber(1))
    .option('--tick-budget <n>', 'ticks of an environment in one dispatch', wholeNumber(1))
    .parse()
    .opts<LongRunOptions>();
}

function executionOf(adapter: GPUAdapter, options: LongRunOptions): Execution {
  const suitable = options.teamwork ? executions[options.teamwork] : suitableExecution(adapter);
  const { threads, laneBlock, tickBudget } = { ...suitable, ...options };
  return { teamwork: suitable.teamwork, threads, laneBlock, tickBudget };
}

function* scenariosOf({ family, scenario }: LongRunOptions): Generator<Scenario> {
  const world = scenarioWorld();
  if (scenario !== undefined) yield drawScenario(world, family, scenario);
  else for (let index = 0; ; index++) yield drawScenario(world, family, index);
}

function secondsOf({ seconds }: Comparison): number {
  return Math.floor(seconds.reduce((sum, value) => sum + value));
}

async function run(options: LongRunOptions): Promise<string> {
  const gpu = await TestGpu.open(options.adapter);
  const bar = new SingleBar({
    format: '{bar} {value}/{total} simulated seconds  {eta_formatted} left',
    stream: process.stderr,
    clearOnComplete: true,
    noTTYOutput: false,
  });
  try {
    const execution = executionOf(gpu.context.adapter, options);
    const batch = await gpu.batch(scenarioWorld(), options.environments, execution);
    bar.start(options.seconds, 0);
    const comparison = await compareWithReference(batch, scenariosOf(options), {
      onRound(soFar) {
        bar.update(Math.min(secondsOf(soFar), options.seconds));
        return secondsOf(soFar) >= options.seconds;
      },
    });
    const { episodes, decisions, happenings } = comparison;
    const { missing } = happenings;
    const unseen =
      missing.length === 0 || options.scenario !== undefined ? '' : `; never seen: ${missing.join(', ')}`;
    return (
      `${secondsOf(comparison)} simulated seconds, ${decisions} decisions, ${episodes} whole episodes of family ` +
      `${options.family} on ${gpu.context.adapter.info.description} (${JSON.stringify(execution)}): no difference${unseen}`
    );
  } finally {
    bar.stop();
    await gpu.close();
  }
}

try {
  console.log(await run(readOptions()));
} catch (error) {
  if (!(error instanceof MismatchError)) throw error;
  console.log(error.message);
  process.exitCode = 1;
}
