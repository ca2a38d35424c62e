/**
 * A call that an environment cannot take in its present state: a step before the first reset, two sends without a `recv`
 * between them, a step of an episode that is over where nothing resets it. Wrong arguments are a RangeError.
 */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}
