// The published safety baseline (RT-SAFE protocol §13b): one step of lookahead. It previews each action against people and
// things as they seem to move and takes the one that keeps clearest of them.
import { directionTable, headingCount } from '../../kernels/directions.ts';
import { mulQ14, wholeRoot } from '../../kernels/fixedPoint.ts';
import { centisecondsPerTick, ticksPerSecond, toUnits } from '../../kernels/units.ts';
import { vehicleCount } from '../../kernels/world.ts';
import { firstMove, firstTurn, firstWait } from '../episodes/actions.ts';
import type { EpisodeIdentity } from '../episodes/episodeIdentity.ts';
import { durations, headingChanges, moveDistances } from './expert/motions.ts';
import { type RouteMap, routeMapOf, shapeWord, shapeWords } from './expert/routeMap.ts';
import { Surroundings } from './expert/surroundings.ts';
import { greedyAction } from './greedy.ts';
import type { Policy, PolicyRequest, PrivilegedState } from './policy.ts';

/** An action is safe when nothing comes nearer (RT-SAFE protocol §14). */
const safeClearance = toUnits(100);
/** A preview of a move lasts so much longer than the move (§14). */
const previewMarginTicks = ticksPerSecond;
/** Snapshots this near in time give no velocity (§14). */
const shortestIntervalCentiseconds = 5;
/** Corridor gate (§14): so far off the route a move may lead; from farther off it must come so much nearer. */
const corridorDeviation = toUnits(220);
const corridorGain = toUnits(50);
const corridorSamples = 5;
/** Height of the agent for things in the air (§14). */
const agentHeight = toUnits(110);
/** What is farther from the agent plays no part. Choice: the release looks at everything on the map. */
const sight = toUnits(1000);
/** Clearance where nothing is in sight, in units: more than anything in sight can have. */
const clearOfAll = 1 << 24;

const directions = directionTable();

/** Where the actors of an episode were when it last awaited a decision. [slot] units */
interface Snapshot {
  readonly clockCentiseconds: number;
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly isThere: Uint8Array;
}

/** An action looked at in advance. */
interface Preview {
  readonly action: number;
  /** Units to the nearest thing, 0 for a move out of the corridor. */
  readonly clearance: number;
  /** Units by which the way to go shrinks. */
  readonly progress: number;
  readonly isGreedy: boolean;
}

/** The least distance in whole units from the origin to the segment from (x0, y0) to (x1, y1). */
export function segmentDistance(x0: number, y0: number, x1: number, y1: number): number {
  const dx = x1 - x0;
  const dy = y1 - y0;
  if (x0 * dx + y0 * dy >= 0) return wholeRoot(x0 * x0 + y0 * y0);
  if (x1 * dx + y1 * dy <= 0) return wholeRoot(x1 * x1 + y1 * y1);
  return Math.floor(Math.abs(x0 * dy - y0 * dx) / Math.sqrt(dx * dx + dy * dy));
}

/** The things around one agent, as one preview after the other asks for them. */
class Scene {
  readonly #map: RouteMap;
  readonly #surroundings = new Surroundings();
  readonly #request: PolicyRequest;
  /** Things that may move: offset from the agent, height, and offset moved in a centisecond times `#interval`. */
  readonly #bodies: { x: number; y: number; z: number; dx: number; dy: number }[] = [];
  readonly #interval: number;

  constructor(request: PolicyRequest, state: PrivilegedState, now: Snapshot, before: Snapshot | undefined) {
    const { environments, env } = state;
    this.#request = request;
    this.#map = routeMapOf(state.world, environments.get(env, 'route'));
    this.#surroundings.gather(this.#map, request.x, request.y, sight);
    const interval = before === undefined ? 0 : now.clockCentiseconds - before.clockCentiseconds;
    this.#interval = interval > shortestIntervalCentiseconds ? interval : 0;
    const firstFalling = environments.get(env, 'pedestrians') + environments.get(env, 'dogs');
    const firstProp = firstFalling + environments.get(env, 'falling');
    for (let slot = 0; slot < now.x.length; slot++) {
      const x = now.x[slot]! - request.x;
      const y = now.y[slot]! - request.y;
      if (now.isThere[slot] === 0 || Math.abs(x) > sight || Math.abs(y) > sight) continue;
      const isKnown = this.#interval > 0 && before?.isThere[slot] === 1;
      const inAir = slot >= firstFalling && slot < firstProp;
      this.#bodies.push({
        x,
        y,
        z: inAir ? environments.actor(env, slot, 'along') - agentHeight : 0,
        dx: isKnown ? now.x[slot]! - before.x[slot]! : 0,
        dy: isKnown ? now.y[slot]! - before.y[slot]! : 0,
      });
    }
  }

  preview(action: number, greedy: number): Preview {
    const { x, y, heading } = this.#request;
    const isMove = action < firstTurn;
    const towards = (heading + headingChanges[action]! + headingCount) % headingCount;
    const dx = mulQ14(moveDistances[action]!, directions[2 * towards]!);
    const dy = mulQ14(moveDistances[action]!, directions[2 * towards + 1]!);
    const ticks = durations[action]! + (isMove ? previewMarginTicks : 0);
    const isOut = isMove && !this.#isInCorridor(dx, dy);
    const { subgoal } = this;
    return {
      action,
      clearance: isOut ? 0 : this.#clearance(dx, dy, ticks * centisecondsPerTick),
      progress: this.#map.wayToGo(subgoal, x, y) - this.#map.wayToGo(subgoal, x + dx, y + dy),
      isGreedy: action === greedy,
    };
  }

  /** Index of the polyline point that the agent heads for. */
  get subgoal(): number {
    const { environments, env } = this.#request.state!;
    return environments.get(env, 'subgoal');
  }

  /** Units from the nearest edge of the route. */
  #deviation(dx: number, dy: number): number {
    const x = this.#request.x + dx;
    const y = this.#request.y + dy;
    const { pointX, pointY, edgeCount } = this.#map;
    let least = clearOfAll;
    for (let edge = 0; edge < edgeCount; edge++) {
      const [startX, startY] = [pointX[edge]! - x, pointY[edge]! - y];
      const [endX, endY] = [pointX[edge + 1]! - x, pointY[edge + 1]! - y];
      least = Math.min(least, segmentDistance(startX, startY, endX, endY));
    }
    return least;
  }

  #isInCorridor(dx: number, dy: number): boolean {
    const start = this.#deviation(0, 0);
    let most = 0;
    let end = start;
    for (let sample = 1; sample <= corridorSamples; sample++) {
      end = this.#deviation(((dx * sample) / corridorSamples) | 0, ((dy * sample) / corridorSamples) | 0);
      most = Math.max(most, end);
    }
    if (start <= corridorDeviation) return most <= corridorDeviation;
    return end <= start - corridorGain && most <= start + corridorDeviation;
  }

  /** Units to whatever comes nearest while the agent goes by (dx, dy) in so many centiseconds. */
  #clearance(dx: number, dy: number, centiseconds: number): number {
    let least = clearOfAll;
    for (const body of this.#bodies) {
      const share = this.#interval === 0 ? 0 : centiseconds / this.#interval;
      const endX = body.x + Math.trunc(body.dx * share) - dx;
      const endY = body.y + Math.trunc(body.dy * share) - dy;
      const level = segmentDistance(body.x, body.y, endX, endY);
      least = Math.min(least, body.z === 0 ? level : wholeRoot(level * level + body.z * body.z));
    }
    const { furniture, patches, buildings } = this.#surroundings;
    for (const discs of [furniture, patches]) {
      for (const disc of discs) least = Math.min(least, this.#discDistance(disc, dx, dy));
    }
    for (const building of buildings) least = Math.min(least, this.#buildingDistance(building, dx, dy));
    return least;
  }

  #discDistance(disc: number, dx: number, dy: number): number {
    const base = disc * shapeWords;
    const x = this.#map.shapes[base + shapeWord.x]! - this.#request.x;
    const y = this.#map.shapes[base + shapeWord.y]! - this.#request.y;
    return segmentDistance(x, y, x - dx, y - dy);
  }

  /** From the way (0, 0) to (dx, dy) to a rectangle: the least of its corners from the way and the way's ends from it. */
  #buildingDistance(building: number, dx: number, dy: number): number {
    const { shapes } = this.#map;
    const base = building * shapeWords;
    const minX = shapes[base + shapeWord.x]! - this.#request.x;
    const minY = shapes[base + shapeWord.y]! - this.#request.y;
    const maxX = minX + shapes[base + shapeWord.extentX]!;
    const maxY = minY + shapes[base + shapeWord.extentY]!;
    let least = Math.min(
      boxDistance(0, 0, minX, minY, maxX, maxY),
      boxDistance(dx, dy, minX, minY, maxX, maxY),
    );
    const sides: number[] = [];
    for (const x of [minX, maxX]) {
      for (const y of [minY, maxY]) {
        least = Math.min(least, segmentDistance(x, y, x - dx, y - dy));
        sides.push(Math.sign(x * dy - y * dx));
      }
    }
    const crossesLine = sides.some((side) => side !== sides[0]);
    const overlaps =
      Math.max(0, dx) >= minX &&
      Math.min(0, dx) <= maxX &&
      Math.max(0, dy) >= minY &&
      Math.min(0, dy) <= maxY;
    return crossesLine && overlaps ? 0 : least;
  }
}

function boxDistance(x: number, y: number, minX: number, minY: number, maxX: number, maxY: number): number {
  const dx = Math.max(minX - x, 0, x - maxX);
  const dy = Math.max(minY - y, 0, y - maxY);
  return wholeRoot(dx * dx + dy * dy);
}

/** The best of a list by keys in order, larger first; the earlier one of equals. */
function bestBy(
  previews: readonly Preview[],
  keys: (preview: Preview) => readonly number[],
): Preview | undefined {
  let best: Preview | undefined;
  for (const preview of previews) {
    if (best === undefined || isGreater(keys(preview), keys(best))) best = preview;
  }
  return best;
}

function isGreater(first: readonly number[], second: readonly number[]): boolean {
  const place = first.findIndex((key, index) => key !== second[index]);
  return place >= 0 && first[place]! > second[place]!;
}

/**
 * The published order of choice: the safe move with progress that is clearest, else a safe turn, towards the subgoal where
 * there is one, else a safe wait, else whatever is clearest. (The published safety score only grows with the clearance,
 * so that it never decides between two.)
 */
function choose(previews: readonly Preview[], leftIsNearer: boolean): number {
  const safe = previews.filter(({ clearance }) => clearance >= safeClearance);
  const moves = safe.filter(({ action, progress }) => action < firstTurn && progress > 0);
  const turns = safe.filter(({ action }) => action >= firstTurn && action < firstWait);
  const waits = safe.filter(({ action }) => action === firstWait);
  const isTowards = ({ action }: Preview) => Number(headingChanges[action]! < 0 === leftIsNearer);
  const chosen =
    bestBy(moves, ({ clearance, isGreedy, progress }) => [clearance, Number(isGreedy), progress]) ??
    bestBy(turns, (turn) => [Number(turn.isGreedy), isTowards(turn), turn.clearance]) ??
    waits[0] ??
    bestBy(previews, ({ clearance, progress }) => [clearance, progress]);
  return chosen!.action;
}

function takeSnapshot({ environments, env }: PrivilegedState, clockCentiseconds: number): Snapshot {
  const length = ['pedestrians', 'dogs', 'falling', 'props'].reduce(
    (sum, member) => sum + environments.get(env, member),
    vehicleCount,
  );
  const words = (field: 'x' | 'y' | 'status') =>
    Int32Array.from({ length }, (_, slot) => environments.actor(env, slot, field));
  return {
    clockCentiseconds,
    x: words('x'),
    y: words('y'),
    isThere: Uint8Array.from(words('status'), (status) => Number(status !== 0)),
  };
}

function makeSafety(): Policy {
  const snapshots = new WeakMap<EpisodeIdentity, Snapshot>();
  const actions = [
    ...Array.from({ length: firstTurn - firstMove }, (_, move) => firstMove + move),
    ...Array.from({ length: firstWait - firstTurn }, (_, turn) => firstTurn + turn),
    firstWait,
  ];
  const act = (request: PolicyRequest): number => {
    const { state, episode, decision, x, y, heading, subgoalX, subgoalY } = request;
    if (state === undefined) throw new Error('safety: the request holds no state');
    const before = decision === 1 ? undefined : snapshots.get(episode);
    const now = takeSnapshot(state, request.clockCentiseconds);
    snapshots.set(episode, now);
    const scene = new Scene(request, state, now, before);
    const greedy = greedyAction(x, y, heading, subgoalX, subgoalY);
    const cross = directions[2 * heading]! * (subgoalY - y) - directions[2 * heading + 1]! * (subgoalX - x);
    return choose(
      actions.map((action) => scene.preview(action, greedy)),
      cross <= 0,
    );
  };
  return {
    name: 'safety',
    wantsState: true,
    decide: (requests) => requests.map((request) => ({ action: act(request) })),
  };
}

export const safetyPolicy: Policy = makeSafety();
