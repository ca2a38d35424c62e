// Whether the agent touches what is at rest where its pose is set (docs/rules.md, section 5).
import type { Environment } from './environment.ts';

/** True in moves that are not along the route, and everywhere where a set pose touches. */
export function touchesRest({ state, rules }: Environment): boolean {
  return rules.setPoseTouches === 1 || state.physical === 1;
}
