// Simulates recorded episodes again, from their actions and latencies alone, and compares all that was recorded of them.
import { counted } from '../counted.ts';
import { actionCode } from '../episodes/actions.ts';
import { episodeName } from '../episodes/plan.ts';
import type { EpisodeRecord } from '../records/episodeRecord.ts';
import { type BatchDirector, type Occupant, runBatch, type Seat } from '../run/batchLoop.ts';
import { EpisodeTracer, episodeRecord } from '../run/episodeTracer.ts';
import type { RunWorld } from '../run/runWorld.ts';
import type { Simulator } from '../run/simulator.ts';
import { type Difference, firstDifference } from './firstDifference.ts';

export interface Mismatch extends Difference {
  /** The episode in words: map, route, difficulty, mode, profile, seed, policy, latency. */
  readonly episode: string;
  /** From 1; null: a total of the episode. */
  readonly decision: number | null;
}

/** One line: where, and what differs. */
export function mismatchText({ episode, decision, field, recorded, simulated }: Mismatch): string {
  const place = decision === null ? episode : `${episode}: decision ${decision}`;
  return `${place}: ${field}: recorded ${JSON.stringify(recorded)}, simulated ${JSON.stringify(simulated)}`;
}

interface RecordedEpisode extends Occupant {
  readonly record: EpisodeRecord;
  readonly tracer: EpisodeTracer;
  /** Decisions taken so far. */
  decisions: number;
}

export interface VerifyResult {
  episodes: number;
  decisions: number;
  /** The first one of each episode that has any, in the order found. */
  mismatches: Mismatch[];
}

/** A recorded latency in the clock's own unit. */
function toCentiseconds(seconds: number): number {
  return Math.round(seconds * 100);
}

/**
 * Replays the episodes in full batches. Those on their way are the only ones kept in memory.
 *
 * @throws whatever `records` throws for a damaged file.
 */
export async function verifyEpisodes(
  simulator: Simulator,
  runWorld: RunWorld,
  records: Iterator<EpisodeRecord>,
  onEpisode: (decisions: number) => void = () => {},
): Promise<VerifyResult> {
  const result: VerifyResult = { episodes: 0, decisions: 0, mismatches: [] };
  const { summary } = simulator;

  const report = ({ record }: RecordedEpisode, decision: number | null, difference: Difference): false => {
    result.mismatches.push({ episode: episodeName(record), decision, ...difference });
    return false;
  };
  const count = (episode: RecordedEpisode) => {
    result.episodes++;
    result.decisions += episode.decisions;
    onEpisode(episode.decisions);
  };
  /** A trace must end exactly when its episode does. */
  const checkLength = (seat: Seat<RecordedEpisode>): boolean => {
    const { episode, env } = seat;
    const recorded = episode.record.trace.length;
    const isOver = summary.get(env, 'outcome') !== 0;
    if (isOver === (recorded === episode.decisions)) return true;
    const decision = Math.min(recorded, episode.decisions) + 1;
    return report(episode, decision, {
      field: 'trace',
      recorded: isOver ? counted(recorded, 'decision') : 'the end',
      simulated: isOver ? `the end after ${episode.decisions}` : 'an episode that goes on',
    });
  };

  const director: BatchDirector<RecordedEpisode> = {
    next() {
      const { done, value } = records.next();
      if (done) return undefined;
      return {
        start: runWorld.start(value),
        record: value,
        tracer: new EpisodeTracer(runWorld.route(value)),
        decisions: 0,
      };
    },
    started(seat) {
      seat.episode.tracer.begin(summary, seat.env);
      if (checkLength(seat)) return true;
      count(seat.episode);
      return false;
    },
    decide(seats) {
      for (const seat of seats) {
        const recorded = seat.episode.record.trace[seat.episode.decisions]!;
        seat.action = actionCode(recorded.action);
        seat.latencyCentiseconds = toCentiseconds(recorded.latencySeconds);
      }
    },
    decided(seat) {
      const { episode, env } = seat;
      const recorded = episode.record.trace[episode.decisions]!;
      const { action, latencyCentiseconds } = seat;
      const { queueSeconds, reply } = recorded;
      const simulated = {
        ...episode.tracer.decision(summary, env, action, latencyCentiseconds, queueSeconds),
        ...(reply === undefined ? {} : { reply }),
      };
      episode.decisions++;
      const difference = firstDifference(recorded, simulated);
      if (difference === undefined && checkLength(seat)) return true;
      if (difference !== undefined) report(episode, episode.decisions, difference);
      count(episode);
      return false;
    },
    finished({ episode, env }) {
      const { record, tracer } = episode;
      const simulated = episodeRecord(record, tracer, summary, env, record.trace);
      const difference = firstDifference(record, simulated);
      if (difference !== undefined) report(episode, null, difference);
      count(episode);
    },
    roundEnded() {},
  };
  await runBatch(simulator, director);
  return result;
}
