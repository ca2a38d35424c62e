// Episodes played beforehand on the CPU reference, with the hash after every decision, to be played again in batches of all
// kinds.
import type { BatchSimulator, FrameWatch, ResetRequest } from '../../../src/kernels/batchSimulator.ts';
import type { WorldTables } from '../../../src/kernels/world.ts';
import { stateHash } from '../../reference/stateHash.ts';
import { describeScenario, drawDecision, type Scenario, type ScenarioDecision } from './randomScenarios.ts';
import { referenceEpisode, routeIndex } from './testWorld.ts';

export interface RecordedDecision extends ScenarioDecision {
  readonly stateHash: number;
}

export interface Recording {
  readonly name: string;
  readonly map: string;
  readonly routeId: number;
  readonly start: Scenario['start'];
  readonly startHash: number;
  readonly decisions: readonly RecordedDecision[];
}

/** Plays a scenario to its end on the reference. */
export function recordEpisode(world: WorldTables, scenario: Scenario): Recording {
  const episode = referenceEpisode(world, scenario.start);
  const startHash = stateHash(episode.environment);
  const decisions: RecordedDecision[] = [];
  while (!episode.isDone) {
    const decision = drawDecision(scenario, episode);
    episode.decide(decision.action, decision.latencyCentiseconds);
    decisions.push({ ...decision, stateHash: episode.stateHash });
  }
  const { map, id } = world.routeList[scenario.start.route]!;
  const name = describeScenario(world, scenario);
  return { name, map, routeId: id, start: scenario.start, startHash, decisions };
}

/** What starts a recorded episode in a batch, whatever place its route has in the batch's world. */
export function requestFor(batch: BatchSimulator, env: number, recording: Recording): ResetRequest {
  return { env, ...recording.start, route: routeIndex(batch.world, recording.map, recording.routeId) };
}

/** A recording and the environment that plays it. */
export interface Seat {
  readonly env: number;
  readonly recording: Recording;
}

export interface ReplayOptions {
  /** Called before each round, to stage what others in the batch do. */
  readonly beforeRound?: (round: number) => void;
  /** Called after each round, with the seats that took a decision in it; round 0 is the reset. */
  readonly afterRound?: (round: number, played: readonly Seat[]) => void | Promise<void>;
  /** Looks on while actions are carried out. */
  readonly watch?: FrameWatch;
  /** Ends the replay after so many decisions. */
  readonly decisions?: number;
}

/** Starts the recorded episodes and plays their decisions. Returns a line for each hash that is not the recorded one. */
export async function replay(
  batch: BatchSimulator,
  seats: readonly Seat[],
  options: ReplayOptions = {},
): Promise<string[]> {
  batch.reset(seats.map(({ env, recording }) => requestFor(batch, env, recording)));
  const rounds = Math.max(...seats.map(({ recording }) => recording.decisions.length));
  return playRounds(batch, seats, 0, Math.min(rounds, options.decisions ?? rounds), options);
}

/** Plays decisions `first` to `last` of episodes that have had those before; `first` 0 is the reset. */
export async function playRounds(
  batch: BatchSimulator,
  seats: readonly Seat[],
  first: number,
  last: number,
  options: ReplayOptions = {},
): Promise<string[]> {
  const wrong: string[] = [];
  for (let round = first; round <= last; round++) {
    const played = seats.filter(({ recording }) => round === 0 || round <= recording.decisions.length);
    for (const { env, recording } of round === 0 ? [] : played) {
      const { action, latencyCentiseconds } = recording.decisions[round - 1]!;
      batch.decide(env, action, latencyCentiseconds);
    }
    options.beforeRound?.(round);
    await batch.advance(options.watch);
    for (const { env, recording } of played) {
      const expected = round === 0 ? recording.startHash : recording.decisions[round - 1]!.stateHash;
      const found = batch.summary.get(env, 'stateHash');
      if (found !== expected) {
        wrong.push(
          `decision ${round}: found ${found}, recorded ${expected}; environment ${env}, ${recording.name}`,
        );
      }
    }
    await options.afterRound?.(round, played);
  }
  return wrong;
}
