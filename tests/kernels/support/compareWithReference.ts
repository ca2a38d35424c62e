// Plays scenarios in a batch and on the CPU reference side by side, and stops at the first bit that differs.
import type { BatchSimulator, ResetRequest } from '../../../src/kernels/batchSimulator.ts';
import { actorWords } from '../../../src/kernels/world.ts';
import type { ReferenceEpisode } from '../../reference/episode.ts';
import { mismatchTable } from '../../reference/mismatches.ts';
import { envStateLayout } from '../../reference/records.ts';
import { stateHash } from '../../reference/stateHash.ts';
import { Happenings } from './happenings.ts';
import { describeScenario, drawDecision, type Scenario } from './randomScenarios.ts';
import { testProfiles } from './testProfiles.ts';
import { referenceEpisode } from './testWorld.ts';

export interface Comparison {
  episodes: number;
  decisions: number;
  /** Simulated seconds, by profile. */
  readonly seconds: number[];
  readonly happenings: Happenings;
}

/** An episode on its way, in an environment of the batch. */
interface Seat {
  readonly env: number;
  readonly scenario: Scenario;
  readonly episode: ReferenceEpisode;
}

export interface ComparisonOptions {
  /** Environments that are used, spread evenly over the batch; all by default. */
  readonly places?: number;
  /** Called after every round. True ends the comparison before the scenarios do. */
  readonly onRound?: (soFar: Comparison) => boolean | undefined;
}

/** Kernel and reference differ. The message names episode and decision and lists the words. */
export class MismatchError extends Error {
  override readonly name = 'MismatchError';
}

/**
 * Plays every scenario in the batch, as many at a time as it has environments, each environment taking the next when its
 * episode is over, while the others go on. After every decision the state hash and the whole summary must equal the
 * reference's; at the start and the end of an episode, every word of its state.
 *
 * @throws MismatchError at the first difference.
 */
export async function compareWithReference(
  batch: BatchSimulator,
  scenarios: Iterable<Scenario>,
  options: ComparisonOptions = {},
): Promise<Comparison> {
  const comparison: Comparison = {
    episodes: 0,
    decisions: 0,
    seconds: testProfiles.map(() => 0),
    happenings: new Happenings(),
  };
  const queue = scenarios[Symbol.iterator]();
  const places = options.places ?? batch.envCount;
  const free = Array.from({ length: places }, (_, place) => Math.floor((place * batch.envCount) / places));
  let playing: Seat[] = [];
  for (;;) {
    const fresh = takeSeats(batch, queue, free);
    if (fresh.length + playing.length === 0) return comparison;
    for (const { env, scenario, episode } of playing) {
      const { action, latencyCentiseconds } = drawDecision(scenario, episode);
      batch.decide(env, action, latencyCentiseconds);
      const before = episode.state.worldTick;
      episode.decide(action, latencyCentiseconds);
      comparison.decisions++;
      comparison.seconds[scenario.start.rules]! += (episode.state.worldTick - before) / 10;
      comparison.happenings.look(episode);
    }
    await batch.advance();
    for (const seat of fresh) await checkWords(batch, seat);
    for (const seat of playing) await checkDecision(batch, seat);
    for (const seat of playing.filter(({ episode }) => episode.isDone)) {
      await checkWords(batch, seat);
      free.push(seat.env);
      comparison.episodes++;
    }
    playing = [...playing.filter(({ episode }) => !episode.isDone), ...fresh];
    if (options.onRound?.(comparison)) return comparison;
  }
}

/** Fills free environments with the next scenarios. */
function takeSeats(batch: BatchSimulator, queue: Iterator<Scenario>, free: number[]): Seat[] {
  const seats: Seat[] = [];
  while (free.length > 0) {
    const { done, value: scenario } = queue.next();
    if (done) break;
    const env = free.pop()!;
    const episode = referenceEpisode(batch.world, scenario.start);
    episode.state.stateHash = stateHash(episode.environment);
    seats.push({ env, scenario, episode });
  }
  batch.reset(seats.map(({ env, scenario }): ResetRequest => ({ env, ...scenario.start })));
  return seats;
}

async function checkDecision(batch: BatchSimulator, seat: Seat): Promise<void> {
  const { env, episode } = seat;
  if (batch.summary.get(env, 'stateHash') !== episode.stateHash) {
    await checkWords(batch, seat);
    throw new MismatchError(`${nameOf(batch, seat)}: the state hash differs, but no word of the state does`);
  }
  const wrong = summaryMembers(batch, seat).filter(({ actual, expected }) => actual !== expected);
  if (wrong.length > 0) throw new MismatchError(`${nameOf(batch, seat)}: summary ${JSON.stringify(wrong)}`);
}

/** Each member of the summary beside the member of the state that it is a copy of, as text. */
function summaryMembers(batch: BatchSimulator, { env, episode }: Seat) {
  const state = episode.state as unknown as Readonly<Record<string, number | number[]>>;
  return batch.summary.layout.members.map(({ name, words }) => ({
    name,
    actual: words === 1 ? String(batch.summary.get(env, name)) : batch.summary.getArray(env, name).join(),
    expected: String(state[name]),
  }));
}

/** Compares every word of the state and of all actors, those outside the hash too. */
async function checkWords(batch: BatchSimulator, seat: Seat): Promise<void> {
  const { state, actors } = await batch.readEnvironment(seat.env);
  const { episode } = seat;
  const actual = new Uint32Array(envStateLayout.words + episode.actors.length * actorWords);
  actual.set(state);
  for (let slot = 0; slot < episode.actors.length; slot++) {
    for (let field = 0; field < actorWords; field++) {
      actual[envStateLayout.words + slot * actorWords + field] = actors[field * batch.actorStride + slot]!;
    }
  }
  const table = mismatchTable(episode.stateWordNames(), actual, episode.stateWords());
  if (table !== '') throw new MismatchError(`${nameOf(batch, seat)}:\n${table}`);
}

function nameOf(batch: BatchSimulator, { env, scenario, episode }: Seat): string {
  const { decisions, action } = episode.state;
  const when = decisions === 0 ? 'at its start' : `after decision ${decisions} (action ${action})`;
  return `${describeScenario(batch.world, scenario)}, environment ${env}, ${when}`;
}
