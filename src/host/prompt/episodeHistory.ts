// What the agent of one episode may remember: the last decisions and what came of them, and whether oil slows it down.
import type { EpisodeEvent } from '../records/episodeRecord.ts';
import { hasBuildingContact, pastDecision, type Standing } from './feedback.ts';
import { historyLength, type PastDecision } from './observation.ts';

const walkingSpeedCmS = 200;
const slowSpeedCmS = 100;

/**
 * @example
 * history.begin(standing);
 * history.decided(1, action, standing, events);
 */
export class EpisodeHistory {
  /** Oldest first. */
  past: readonly PastDecision[] = [];
  #before: Standing | undefined;
  #buildingStreak = 0;
  #isSlow = false;

  /** Of the next move (RT-SAFE protocol §3). */
  get speedCmS(): number {
    return this.#isSlow ? slowSpeedCmS : walkingSpeedCmS;
  }

  begin(standing: Standing): void {
    this.#before = standing;
  }

  /** `after` is where the agent stands now; `decision` counts from 1. */
  decided(decision: number, action: number, after: Standing, events: readonly EpisodeEvent[]): void {
    const before = this.#before ?? after;
    this.#buildingStreak = hasBuildingContact(events) ? this.#buildingStreak + 1 : 0;
    const ended = { decision, action, before, after, events, buildingStreak: this.#buildingStreak };
    const latest = pastDecision(ended);
    this.past = [...this.past, latest].slice(-historyLength);
    if (latest.action.type === 'move_to') this.#isSlow = false;
    if (events.some((event) => event.kind === 'hazard' && event.type === 'oil')) this.#isSlow = true;
    this.#before = after;
  }
}
