// Counting of contacts and incidents by type and interval, and what a decision remembers of them.
import type { EnvState } from './records.ts';

/** Who was touched: the first index of `contacts` and `incidents`. */
export const contactTypes = { human: 0, object: 1, building: 2, vehicle: 3 } as const;
export type ContactType = (typeof contactTypes)[keyof typeof contactTypes];

/** While acting or while thinking: the second index of `contacts` and `incidents`. */
export const intervals = { active: 0, passive: 1 } as const;
export type Interval = (typeof intervals)[keyof typeof intervals];

/** Counts one contact, in the episode and in the decision. */
export function countContact(state: EnvState, type: ContactType, interval: Interval): void {
  state.contacts[type * 2 + interval]!++;
  if (interval === intervals.passive) state.decisionPassive++;
  else if (type === contactTypes.building) state.decisionBuilding++;
  else if (type !== contactTypes.vehicle) state.decisionContacts++;
}

/** Counts one incident: one enter-to-leave of a pair. */
export function countIncident(state: EnvState, type: ContactType, interval: Interval): void {
  state.incidents[type * 2 + interval]!++;
}
