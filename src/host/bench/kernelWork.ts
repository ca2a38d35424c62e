// The least that each kernel has to do in a pass, whatever way it is written: bytes that it must read or write, and operations that
// the rules ask for. A faster kernel does the same work in less time, so these stay when kernels change.
import type { KernelTimes } from '../../kernels/batchSimulator.ts';
import { structLayout } from '../../kernels/layout.ts';
import { actorWords, vehicleCount } from '../../kernels/world.ts';
import { layoutSource } from '../shaderFiles.ts';
import { type BenchEnvironment, countWalkers } from './benchDevice.ts';
import type { Pass } from './pass.ts';

export type KernelName = keyof KernelTimes;

export interface KernelWork {
  readonly dispatches: number;
  readonly bytes: number;
  /** Null where what the rules ask for depends on draws and places, and is not counted. */
  readonly operations: number | null;
}

const wordBytes = 4;
/** Walkers look at each other every so many ticks (docs/rules.md, section 5). */
const neighbourPeriod = 5;

/**
 * Operations of a walker that goes straight and is out of the agent's reach, as most are, from one look to the next, which takes
 * one stride: its way (2) and the segment's end (1), its place (2 products of 6 operations and 2 sums), out of reach? (2 sums for the reach,
 * 4 sums and comparisons), held or passing? (3), timer and mark (4).
 */
const operationsOfStride = 2 + 1 + 14 + 6 + 3 + 4;

/**
 * Operations of one look of a walker: its cell and putting it there (8), the box around its gap (2 products, 8 more), and four cells
 * of that box (5 each). Tests of those found there are left out: few are.
 */
const operationsOfLook = 8 + 20 + 4 * 5;

/** Operations to take one word into the state hash: two rounds of PCG of 7 each, two sums. */
const operationsOfHashedWord = 16;

const dispatchesOfRound = { settle: 4, advance: 3, summarize: 1 } as const;

/** A decision has two phases with ticks at least, the thought and the action. */
const phases = 2;

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** @param starts the environments after they have started, in the order of the batch */
export function kernelWork(
  { rounds, decisions, ticks }: Pass,
  starts: readonly BenchEnvironment[],
): Readonly<Record<KernelName, KernelWork>> {
  const source = layoutSource();
  const state = structLayout(source, 'EnvState');
  const stateWords = state.words;
  // All but the trail, which is written at the ends of long moves only.
  const workingWords = state.word('trail');
  const summaryWords = structLayout(source, 'Summary').words;
  // Vehicles are there seldom; starting and hashing take their slots all the same.
  const slots = starts.map(
    ({ member, walkers }) => walkers.length / actorWords + member('falling')[0]! + member('props')[0]!,
  );
  const walkers = starts.map(countWalkers);
  const deciding = rounds.flatMap((round) => [...round.deciding]);
  const resets = starts.length + sum(rounds.map((round) => round.resets.length));
  const actorsOf = (envs: readonly number[], vehicles: number) =>
    sum(envs.map((env) => (slots[env]! + vehicles) * actorWords));
  const meanActors = sum(slots) / slots.length + vehicleCount;
  const actorTicks = sum(ticks.map((count, env) => count * walkers[env]!));
  const summaries = (rounds.length + 1) * starts.length * summaryWords;
  const hashed = decisions * (stateWords - state.word('status')) + actorsOf(deciding, vehicleCount);
  return {
    reset: {
      dispatches: 1,
      bytes: wordBytes * resets * (stateWords + meanActors * actorWords),
      operations: null,
    },
    settle: {
      dispatches: dispatchesOfRound.settle * rounds.length,
      bytes: wordBytes * decisions * dispatchesOfRound.settle * 2 * workingWords,
      operations: null,
    },
    advance: {
      dispatches: dispatchesOfRound.advance * rounds.length,
      bytes: wordBytes * phases * 2 * (decisions * workingWords + actorsOf(deciding, 0)),
      operations: (actorTicks / neighbourPeriod) * (operationsOfStride + operationsOfLook),
    },
    summarize: {
      dispatches: dispatchesOfRound.summarize * (rounds.length + 1),
      bytes: wordBytes * (hashed + 2 * summaries),
      operations: operationsOfHashedWord * hashed,
    },
  };
}
