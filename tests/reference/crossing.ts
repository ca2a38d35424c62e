// Crossings and jaywalking: what a sample at a point does to the latches, and what counts as a violation
// (docs/rules.md, section 7).
import { isBetweenCurbs, isInPaintedBand, isOnSidewalk, isOnStrip, positionOnStrip } from './areas.ts';
import type { Environment } from './environment.ts';
import { launchForJaywalk, launchForRedLight } from './launch.ts';
import { divide, type Vector } from './numbers.ts';
import { isOpen } from './signals.ts';
import type { Strip } from './world.ts';

export const violationTypes = { redLight: 0, jaywalk: 1 } as const;

/** Points of a move looked at for admission, one more than its parts. */
const admissionParts = 20;

/** Clears the latches of crosswalks left behind, then admits the agent or counts a red light where it stands. */
export function sampleCrossing(env: Environment, point: Vector): void {
  const { state } = env;
  if (isBehindCurb(env, state.admitted, point)) state.admitted = 0;
  if (isBehindCurb(env, state.illegal, point)) state.illegal = 0;

  const crosswalk = crosswalkUnder(env, point);
  if (crosswalk === undefined) return;
  const latch = crosswalk.index + 1;
  if (state.admitted === latch || state.illegal === latch) return;
  if (isOpen(env, crosswalk)) {
    state.admitted = latch;
  } else {
    state.violations[violationTypes.redLight]!++;
    state.illegal = latch;
    launchForRedLight(env, crosswalk, point);
  }
}

/** Counts the beginning of an excursion on to a road. */
export function sampleJaywalk(env: Environment, point: Vector): void {
  const { state } = env;
  const { map } = env.route;
  const isUnsafe =
    map.roads.some((road) => isOnStrip(road, point)) &&
    !isOnSidewalk(map, point) &&
    !map.crosswalks.some((crosswalk) => isInPaintedBand(crosswalk, point));
  if (isUnsafe && state.jaywalking === 0) {
    state.violations[violationTypes.jaywalk]!++;
    launchForJaywalk(env, point);
  }
  state.jaywalking = isUnsafe ? 1 : 0;
}

/** Admits the agent to the first open crosswalk that its planned move comes near. */
export function admitAlongMove(env: Environment): void {
  const { state, rules } = env;
  for (let part = 0; part <= admissionParts; part++) {
    const point = {
      x: state.moveStartX + divide((state.moveTargetX - state.moveStartX) * part, admissionParts),
      y: state.moveStartY + divide((state.moveTargetY - state.moveStartY) * part, admissionParts),
    };
    const crosswalk = env.route.map.crosswalks.find((candidate) => {
      const { along, lateral } = positionOnStrip(candidate, point);
      return (
        isBetweenCurbs(candidate, along) &&
        Math.abs(lateral) <= rules.guardHalfWidth &&
        isOpen(env, candidate)
      );
    });
    if (crosswalk !== undefined) {
      state.admitted = crosswalk.index + 1;
      return;
    }
  }
}

function isBehindCurb(env: Environment, latch: number, point: Vector): boolean {
  if (latch === 0) return false;
  const crosswalk = env.route.map.crosswalks.find(({ index }) => index + 1 === latch)!;
  return !isBetweenCurbs(crosswalk, positionOnStrip(crosswalk, point).along);
}

/** The first crosswalk whose painted band holds the point; a sidewalk there goes first. */
function crosswalkUnder(env: Environment, point: Vector): Strip | undefined {
  const { map } = env.route;
  if (isOnSidewalk(map, point)) return undefined;
  return map.crosswalks.find((crosswalk) => isInPaintedBand(crosswalk, point));
}
