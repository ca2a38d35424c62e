// Where pedestrians and dogs will be: their own rules (docs/rules.md, section 5.1 and 5.3) run ahead. Exact as long as
// the agent is in nobody's way, and over the present thought, in which the agent is known to stand still.
import { mulQ14, within } from '../../../kernels/fixedPoint.ts';
import type { PrivilegedState } from '../policy.ts';
import type { PlanningRules } from './planningRules.ts';
import type { RouteMap } from './routeMap.ts';

/** Walkers look at each other every so many ticks: the published control period of 0.5 s. */
const holdingPeriodTicks = 5;
/** Pairs of walkers near each other are looked up once in so many ticks. */
const pairingTicks = 25;
/** Ends of segments that one step may pass. */
const segmentsPerStep = 4;
/** Bits of a walker's status. */
const presentBit = 1;
const touchingBit = 2;
const heldBit = 4;
/** Ticks of a block, as a power of two: each has a bounding box per walker. */
export const blockShift = 3;
const boxWords = 4;
/** Q14 rounding can make a distance look so much shorter, at most. */
const roundingMargin = 256;

export class Forecast {
  /** Walkers kept: those near enough to matter. */
  count = 0;
  /** The last tick foreseen. */
  ticks = 0;
  /** Entries of a walker in `x`, `y` and `passes`. */
  stride = 0;
  /** [walker, tick] units; tick 0 is when the present thought ends. */
  x = new Int32Array(0);
  y = new Int32Array(0);
  /** [walker, tick] 1: in the tick that ends there it passes through others. */
  passes = new Uint8Array(0);
  /** [walker] 1: it touches the agent at tick 0. */
  touches = new Uint8Array(0);
  /** [walker, block, minX minY maxX maxY] of ticks block·8 to block·8 + 8, both included. */
  boxes = new Int32Array(0);
  blocks = 0;

  /** Walkers in pairs, the higher index first. */
  readonly #pairs: number[] = [];
  #nowX = new Int32Array(0);
  #nowY = new Int32Array(0);
  #link = new Int32Array(0);
  #along = new Int32Array(0);
  #speed = new Int32Array(0);
  #timer = new Int32Array(0);
  #held = new Uint8Array(0);
  #isDog = new Uint8Array(0);

  /**
   * Foresees `ticks` ticks from the end of a thought of `thoughtTicks`, for walkers within `reach` units of the agent.
   * `worldTick` and the agent's place are those of the present.
   */
  run(
    state: PrivilegedState,
    map: RouteMap,
    rules: PlanningRules,
    agent: { readonly x: number; readonly y: number; readonly worldTick: number },
    reach: number,
    thoughtTicks: number,
    ticks: number,
  ): void {
    this.#load(state, agent.x, agent.y, reach);
    this.ticks = ticks;
    this.#allocate();
    const end = agent.worldTick + thoughtTicks;
    let pairedUntil = -thoughtTicks;
    for (let tick = -thoughtTicks; tick < ticks; ) {
      const sinceLook = (end + tick) % holdingPeriodTicks;
      if (sinceLook === 0) {
        if (tick >= pairedUntil) {
          this.#pair(rules);
          pairedUntil = tick + pairingTicks;
        }
        this.#look(map, rules);
      }
      if (tick === 0) {
        for (let walker = 0; walker < this.count; walker++) this.#keep(walker, walker * this.stride, 0);
      }
      const last = Math.min(tick + holdingPeriodTicks - sinceLook, tick < 0 ? 0 : ticks);
      for (let walker = 0; walker < this.count; walker++) {
        if (tick < 0 && this.#isNear(rules, walker, agent.x, agent.y)) {
          for (let step = tick; step < last; step++) this.#stepBeside(map, rules, walker, agent.x, agent.y);
        } else this.#walk(map, rules, walker, last - tick, tick < 0 ? -1 : walker * this.stride + tick);
      }
      tick = last;
    }
    this.#bound();
  }

  /** Whether a walker is within a box at any time from one tick to another, by its blocks: may say yes too often. */
  mayMeet(
    walker: number,
    from: number,
    to: number,
    minX: number,
    minY: number,
    maxX: number,
    maxY: number,
  ): boolean {
    const { boxes, blocks } = this;
    const last = Math.min(to >> blockShift, blocks - 1);
    for (let block = from >> blockShift; block <= last; block++) {
      const box = (walker * blocks + block) * boxWords;
      if (
        boxes[box]! <= maxX &&
        boxes[box + 1]! <= maxY &&
        boxes[box + 2]! >= minX &&
        boxes[box + 3]! >= minY
      ) {
        return true;
      }
    }
    return false;
  }

  #load({ environments, env }: PrivilegedState, x: number, y: number, reach: number): void {
    const pedestrians = environments.get(env, 'pedestrians');
    const walkers = pedestrians + environments.get(env, 'dogs');
    if (walkers > this.#nowX.length) this.#grow(walkers);
    const { actors, halfDistance } = environments;
    let count = 0;
    for (let slot = 0; slot < walkers; slot++) {
      const first = environments.firstHalf(env, slot);
      const second = first + halfDistance;
      const status = actors[second + 1]!;
      const walkerX = actors[first]!;
      const walkerY = actors[first + 1]!;
      if ((status & presentBit) === 0) continue;
      if (Math.abs(walkerX - x) > reach || Math.abs(walkerY - y) > reach) continue;
      this.#nowX[count] = walkerX;
      this.#nowY[count] = walkerY;
      this.#link[count] = actors[first + 2]!;
      this.#along[count] = actors[first + 3]!;
      this.#speed[count] = actors[second]!;
      this.#timer[count] = actors[second + 2]!;
      this.#held[count] = status & heldBit;
      this.#isDog[count] = Number(slot >= pedestrians);
      this.touches[count] = Number((status & touchingBit) !== 0);
      count++;
    }
    this.count = count;
  }

  #grow(walkers: number): void {
    this.#nowX = new Int32Array(walkers);
    this.#nowY = new Int32Array(walkers);
    this.#link = new Int32Array(walkers);
    this.#along = new Int32Array(walkers);
    this.#speed = new Int32Array(walkers);
    this.#timer = new Int32Array(walkers);
    this.#held = new Uint8Array(walkers);
    this.#isDog = new Uint8Array(walkers);
    this.touches = new Uint8Array(walkers);
  }

  #allocate(): void {
    this.stride = this.ticks + 1;
    this.blocks = (this.ticks >> blockShift) + 1;
    const entries = this.count * this.stride;
    if (entries > this.x.length) {
      this.x = new Int32Array(entries);
      this.y = new Int32Array(entries);
      this.passes = new Uint8Array(entries);
    }
    if (this.count * this.blocks * boxWords > this.boxes.length) {
      this.boxes = new Int32Array(this.count * this.blocks * boxWords);
    }
  }

  #keep(walker: number, entry: number, passes: number): void {
    this.x[entry] = this.#nowX[walker]!;
    this.y[entry] = this.#nowY[walker]!;
    this.passes[entry] = passes;
  }

  #bound(): void {
    const { x, y, boxes, blocks, stride, ticks } = this;
    for (let walker = 0; walker < this.count; walker++) {
      for (let block = 0; block < blocks; block++) {
        const first = walker * stride + (block << blockShift);
        const last = walker * stride + Math.min((block + 1) << blockShift, ticks);
        let minX = x[first]!;
        let minY = y[first]!;
        let maxX = minX;
        let maxY = minY;
        for (let entry = first + 1; entry <= last; entry++) {
          const walkerX = x[entry]!;
          const walkerY = y[entry]!;
          if (walkerX < minX) minX = walkerX;
          else if (walkerX > maxX) maxX = walkerX;
          if (walkerY < minY) minY = walkerY;
          else if (walkerY > maxY) maxY = walkerY;
        }
        const box = (walker * blocks + block) * boxWords;
        boxes[box] = minX;
        boxes[box + 1] = minY;
        boxes[box + 2] = maxX;
        boxes[box + 3] = maxY;
      }
    }
  }

  /** Lists the pairs of walkers that can come to stand ahead of each other within `pairingTicks`. */
  #pair(rules: PlanningRules): void {
    const { count } = this;
    const nowX = this.#nowX;
    const nowY = this.#nowY;
    const pairs = this.#pairs;
    const reach = rules.followGap + rules.followHalfWidth + roundingMargin;
    pairs.length = 0;
    for (let walker = 1; walker < count; walker++) {
      const x = nowX[walker]!;
      const y = nowY[walker]!;
      const speed = this.#speed[walker]!;
      for (let other = 0; other < walker; other++) {
        const far = reach + (speed + this.#speed[other]!) * pairingTicks;
        const dx = nowX[other]! - x;
        const dy = nowY[other]! - y;
        if (dx > far || dx < -far || dy > far || dy < -far) continue;
        pairs.push(walker, other);
      }
    }
  }

  /** Who holds, from where all stand: somebody is just ahead, and does not hold for the walker itself. */
  #look(map: RouteMap, rules: PlanningRules): void {
    const nowX = this.#nowX;
    const nowY = this.#nowY;
    const held = this.#held;
    const pairs = this.#pairs;
    const reach = rules.followGap + rules.followHalfWidth + roundingMargin;
    held.fill(0, 0, this.count);
    for (let place = 0; place < pairs.length; place += 2) {
      const walker = pairs[place]!;
      const other = pairs[place + 1]!;
      const dx = nowX[other]! - nowX[walker]!;
      const dy = nowY[other]! - nowY[walker]!;
      if (dx > reach || dx < -reach || dy > reach || dy < -reach) continue;
      // `other` is the lower index, which goes first where each is ahead of the other.
      if (this.#isAhead(map, rules, other, -dx, -dy)) {
        if (!this.#isAhead(map, rules, walker, dx, dy)) held[other] = 1;
        else held[walker] = 1;
      } else if (this.#isAhead(map, rules, walker, dx, dy)) held[walker] = 1;
    }
  }

  #isAhead(
    map: RouteMap,
    { followGap, followHalfWidth }: PlanningRules,
    walker: number,
    dx: number,
    dy: number,
  ) {
    const link = this.#link[walker]!;
    const ux = map.segmentDirectionX[link]!;
    const uy = map.segmentDirectionY[link]!;
    const ahead = mulQ14(dx, ux) + mulQ14(dy, uy);
    return ahead > 0 && ahead <= followGap && Math.abs(mulQ14(dy, ux) - mulQ14(dx, uy)) <= followHalfWidth;
  }

  #nextLink = 0;
  #nextAlong = 0;
  #nextX = 0;
  #nextY = 0;

  /** Where a walker's next step leads. */
  #aim(map: RouteMap, rules: PlanningRules, walker: number): void {
    const { segmentLength, segmentNext } = map;
    let link = this.#link[walker]!;
    let along = this.#along[walker]! + this.#speed[walker]!;
    for (let passed = 0; passed < segmentsPerStep && along >= segmentLength[link]!; passed++) {
      if (rules.dogsRepeat === 0 && segmentNext[link]! <= link && this.#isDog[walker] === 1) {
        along = segmentLength[link]! - 1;
        break;
      }
      along -= segmentLength[link]!;
      link = segmentNext[link]!;
    }
    this.#nextLink = link;
    this.#nextAlong = along;
    this.#nextX = map.segmentX[link]! + mulQ14(along, map.segmentDirectionX[link]!);
    this.#nextY = map.segmentY[link]! + mulQ14(along, map.segmentDirectionY[link]!);
  }

  #move(walker: number): void {
    this.#link[walker] = this.#nextLink;
    this.#along[walker] = this.#nextAlong;
    this.#nowX[walker] = this.#nextX;
    this.#nowY[walker] = this.#nextY;
  }

  /** Some ticks with nobody in the way but other walkers; keeps each behind `entry`, unless that is below 0. */
  #walk(map: RouteMap, rules: PlanningRules, walker: number, ticks: number, entry: number): void {
    const isHeld = this.#held[walker]! !== 0;
    const link = this.#link[walker]!;
    const speed = this.#speed[walker]!;
    let along = this.#along[walker]!;
    if (!isHeld && this.#timer[walker]! >= 0 && along + ticks * speed < map.segmentLength[link]!) {
      const startX = map.segmentX[link]!;
      const startY = map.segmentY[link]!;
      const ux = map.segmentDirectionX[link]!;
      const uy = map.segmentDirectionY[link]!;
      if (entry >= 0) {
        for (let tick = 1; tick < ticks; tick++) {
          this.x[entry + tick] = startX + mulQ14(along + tick * speed, ux);
          this.y[entry + tick] = startY + mulQ14(along + tick * speed, uy);
          this.passes[entry + tick] = 0;
        }
      }
      along += ticks * speed;
      this.#along[walker] = along;
      this.#nowX[walker] = startX + mulQ14(along, ux);
      this.#nowY[walker] = startY + mulQ14(along, uy);
      this.#timer[walker] = 0;
      if (entry >= 0) this.#keep(walker, entry + ticks, 0);
      return;
    }
    for (let tick = 1; tick <= ticks; tick++) {
      const timer = this.#timer[walker]!;
      if (isHeld && timer >= 0) this.#hold(rules, walker);
      else {
        this.#aim(map, rules, walker);
        this.#move(walker);
        this.#timer[walker] = timer < 0 ? timer + 1 : 0;
      }
      if (entry >= 0) this.#keep(walker, entry + tick, Number(timer < 0));
    }
  }

  /** Whether a walker may come to touch an agent at a place before the next look. */
  #isNear(
    { humanContact, releaseMargin }: PlanningRules,
    walker: number,
    agentX: number,
    agentY: number,
  ): boolean {
    const far = humanContact + releaseMargin + this.#speed[walker]! * holdingPeriodTicks;
    return (
      this.touches[walker] === 1 ||
      (Math.abs(this.#nowX[walker]! - agentX) <= far && Math.abs(this.#nowY[walker]! - agentY) <= far)
    );
  }

  #hold({ patienceTicks, passingTicks }: PlanningRules, walker: number): void {
    const timer = this.#timer[walker]! + 1;
    this.#timer[walker] = timer >= patienceTicks ? -passingTicks : timer;
  }

  /** One tick beside an agent that stands at a place: a walker that would come nearer within contact distance stops. */
  #stepBeside(map: RouteMap, rules: PlanningRules, walker: number, agentX: number, agentY: number): void {
    const timer = this.#timer[walker]!;
    const dx = this.#nowX[walker]! - agentX;
    const dy = this.#nowY[walker]! - agentY;
    const { humanContact, releaseMargin, setPoseTouches } = rules;
    this.#aim(map, rules, walker);
    const nextDx = this.#nextX - agentX;
    const nextDy = this.#nextY - agentY;
    const presses =
      timer >= 0 &&
      within(nextDx, nextDy, humanContact) &&
      nextDx * nextDx + nextDy * nextDy < dx * dx + dy * dy;
    if (presses || (this.#held[walker]! !== 0 && timer >= 0)) this.#hold(rules, walker);
    else {
      this.#move(walker);
      this.#timer[walker] = timer < 0 ? timer + 1 : 0;
    }
    const afterDx = this.#nowX[walker]! - agentX;
    const afterDy = this.#nowY[walker]! - agentY;
    if (presses || (setPoseTouches === 1 && within(afterDx, afterDy, humanContact))) this.touches[walker] = 1;
    else if (!within(afterDx, afterDy, humanContact + releaseMargin)) this.touches[walker] = 0;
  }
}
