// What may touch the agent at a place and time: walkers as forecast, falling objects, conflict vehicles, balls and boxes
// (docs/rules.md, section 5). Ticks count from the end of the present thought, as the forecast's do.
import { mulQ14, packedX, packedY, within } from '../../../kernels/fixedPoint.ts';
import { randomU32, uniformBelow } from '../../../kernels/random.ts';
import { shapeKinds, vehicleCount } from '../../../kernels/world.ts';
import type { PrivilegedState } from '../policy.ts';
import { Forecast } from './forecast.ts';
import type { PlanningRules } from './planningRules.ts';
import { type RouteMap, shapeWord, shapeWords } from './routeMap.ts';

/** Falling objects that a plan keeps track of; those of two streets are about 10. */
export const fallingLimit = 16;
/** Trigger tick of an object that hangs still. */
export const hanging = 0x7fff;

/** Bits of a status (docs/rules.md, section 3), the random purpose of section 1, and the delay's random part. */
const touchingBit = 2;
const movableBit = 4;
const stageShift = 4;
const stageMask = 3;
const stages = { hanging: 0, armed: 1, falling: 2, landed: 3 } as const;
const fallingDelayPurpose = 6;
const delayChoices = 11;
const vehicleStatus = { staged: 1, driving: 2 } as const;

/** Where a straight move is after some of its ticks, per axis (docs/rules.md, section 4). */
export function partOf(distance: number, tick: number, ticks: number): number {
  return ((distance * tick) / ticks) | 0;
}

/** Everything that moves by itself or is moved into, as one environment has it now. */
export class Dangers {
  readonly forecast = new Forecast();
  /** Of the falling objects kept: place, and for each the ticks from its trigger to the first and last that it hits in. */
  fallingCount = 0;
  readonly fallingX = new Int32Array(fallingLimit);
  readonly fallingY = new Int32Array(fallingLimit);
  readonly #hitFrom = new Int32Array(fallingLimit);
  readonly #hitTo = new Int32Array(fallingLimit);
  /** Trigger ticks at tick 0. */
  readonly triggers = new Int32Array(fallingLimit);
  propCount = 0;
  /** Balls, boxes and landed objects not touched yet: place, contact distance, and whether it refuses a step. */
  readonly #propX: number[] = [];
  readonly #propY: number[] = [];
  readonly #propContact: number[] = [];
  readonly #propStops: boolean[] = [];
  vehicles = 0;
  /** [vehicle] place at tick 0 or when it starts, step per tick, tick in which it starts. */
  readonly #vehicleX = new Int32Array(vehicleCount);
  readonly #vehicleY = new Int32Array(vehicleCount);
  readonly #vehicleDx = new Int32Array(vehicleCount);
  readonly #vehicleDy = new Int32Array(vehicleCount);
  readonly #vehicleStart = new Int32Array(vehicleCount);
  #rules!: PlanningRules;
  /** Walkers near the node in hand. */
  readonly #near: number[] = [];
  /** Ticks of the contacts found by `standing`, one per walker or object. */
  readonly contactTicks: number[] = [];

  /** Looks at an environment; see `Forecast.run`. */
  load(
    state: PrivilegedState,
    map: RouteMap,
    rules: PlanningRules,
    agent: { readonly x: number; readonly y: number; readonly worldTick: number },
    reach: number,
    thoughtTicks: number,
    ticks: number,
    walkerReach: number,
  ): void {
    this.#rules = rules;
    this.forecast.run(state, map, rules, agent, walkerReach, thoughtTicks, ticks);
    const { environments, env } = state;
    let slot = environments.get(env, 'pedestrians') + environments.get(env, 'dogs');
    const falling = environments.get(env, 'falling');
    const props = environments.get(env, 'props');
    this.propCount = 0;
    this.#loadFalling(state, slot, falling, agent, reach, thoughtTicks);
    slot += falling;
    this.#loadProps(state, map, slot, props, agent, reach);
    slot += props;
    this.#loadVehicles(state, slot, thoughtTicks);
  }

  #loadFalling(
    { environments, env }: PrivilegedState,
    firstSlot: number,
    count: number,
    agent: { readonly x: number; readonly y: number },
    reach: number,
    thoughtTicks: number,
  ): void {
    const { fallingTrigger, fallingDelayTicks, fallingHeight, gravity, agentHeight } = this.#rules;
    const seed = environments.get(env, 'seed') >>> 0;
    this.fallingCount = 0;
    for (let slot = firstSlot; slot < firstSlot + count; slot++) {
      const x = environments.actor(env, slot, 'x');
      const y = environments.actor(env, slot, 'y');
      const status = environments.actor(env, slot, 'status');
      const stage = (status >> stageShift) & stageMask;
      if (Math.abs(x - agent.x) > reach || Math.abs(y - agent.y) > reach) continue;
      if (stage === stages.landed) {
        if ((status & touchingBit) === 0) this.#addProp(x, y, this.#fallingContact, false);
        continue;
      }
      if (this.fallingCount === fallingLimit) continue;
      const index = this.fallingCount++;
      this.fallingX[index] = x;
      this.fallingY[index] = y;
      let delay = environments.actor(env, slot, 'timer');
      if (stage === stages.hanging) {
        const shape = environments.actor(env, slot, 'link');
        const random = randomU32(seed, fallingDelayPurpose, shape, 0);
        delay = fallingDelayTicks + uniformBelow(random, delayChoices);
      }
      // Ticks of falling until it is as low as the agent is high, and until it has landed.
      let height = stage === stages.falling ? environments.actor(env, slot, 'along') : fallingHeight;
      let speed = stage === stages.falling ? environments.actor(env, slot, 'speed') : 0;
      let tick = stage === stages.falling ? 0 : delay;
      while (height > agentHeight) {
        speed += gravity;
        height -= speed;
        tick++;
      }
      this.#hitFrom[index] = tick;
      while (height > 0) {
        speed += gravity;
        height -= speed;
        tick++;
      }
      this.#hitTo[index] = tick;
      const isTriggered = stage !== stages.hanging;
      const isNear = within(x - agent.x, y - agent.y, fallingTrigger);
      if (isTriggered) this.triggers[index] = -thoughtTicks;
      else this.triggers[index] = isNear && thoughtTicks > 0 ? 1 - thoughtTicks : hanging;
    }
  }

  #loadProps(
    { environments, env }: PrivilegedState,
    map: RouteMap,
    firstSlot: number,
    count: number,
    agent: { readonly x: number; readonly y: number },
    reach: number,
  ): void {
    const { ballContact, agentRadius, boxRadius } = this.#rules;
    for (let slot = firstSlot; slot < firstSlot + count; slot++) {
      const x = environments.actor(env, slot, 'x');
      const y = environments.actor(env, slot, 'y');
      if (Math.abs(x - agent.x) > reach || Math.abs(y - agent.y) > reach) continue;
      const status = environments.actor(env, slot, 'status');
      const shape = map.firstShape + map.tables[map.props + environments.actor(env, slot, 'link')]!;
      const isBall = map.shapes[shape * shapeWords + shapeWord.kind] === shapeKinds.ball;
      if ((status & touchingBit) !== 0) continue;
      const stops = !isBall && (status & movableBit) === 0;
      this.#addProp(x, y, isBall ? ballContact : agentRadius + boxRadius, stops);
    }
  }

  #addProp(x: number, y: number, contact: number, stops: boolean): void {
    const index = this.propCount++;
    this.#propX[index] = x;
    this.#propY[index] = y;
    this.#propContact[index] = contact;
    this.#propStops[index] = stops;
  }

  get #fallingContact(): number {
    return this.#rules.agentRadius + this.#rules.fallingRadius;
  }

  #loadVehicles({ environments, env }: PrivilegedState, firstSlot: number, thoughtTicks: number): void {
    const { vehicleSpeed, vehicleWaitTicks } = this.#rules;
    this.vehicles = 0;
    for (let slot = firstSlot; slot < firstSlot + vehicleCount; slot++) {
      const status = environments.actor(env, slot, 'status');
      if (status !== vehicleStatus.staged && status !== vehicleStatus.driving) continue;
      const vehicle = this.vehicles++;
      const direction = environments.actor(env, slot, 'link');
      this.#vehicleX[vehicle] = environments.actor(env, slot, 'x');
      this.#vehicleY[vehicle] = environments.actor(env, slot, 'y');
      this.#vehicleDx[vehicle] = mulQ14(vehicleSpeed, packedX(direction));
      this.#vehicleDy[vehicle] = mulQ14(vehicleSpeed, packedY(direction));
      const waits =
        status === vehicleStatus.staged ? vehicleWaitTicks - environments.actor(env, slot, 'timer') : 0;
      this.#vehicleStart[vehicle] = waits - thoughtTicks;
    }
  }

  /** Picks the walkers that may come into a square around a place; `standing` and `moving` look at these only. */
  approach(x: number, y: number, halfSide: number, from: number, to: number): void {
    const { forecast } = this;
    const near = this.#near;
    near.length = 0;
    const end = Math.min(to, forecast.ticks);
    for (let walker = 0; walker < forecast.count; walker++) {
      if (forecast.mayMeet(walker, from, end, x - halfSide, y - halfSide, x + halfSide, y + halfSide)) {
        near.push(walker);
      }
    }
  }

  /**
   * Collects in `contactTicks` who begins to touch an agent that stands at a place in ticks `from` + 1 to `to`.
   * `triggers` (from `first` on) are those of the falling objects, and brought up to date.
   */
  standing(x: number, y: number, from: number, to: number, triggers: Int32Array, first: number): void {
    const { contactTicks } = this;
    const { humanContact, setPoseTouches } = this.#rules;
    contactTicks.length = 0;
    const end = Math.min(to, this.forecast.ticks);
    for (const walker of this.#near) {
      const isSeen = this.forecast.mayMeet(
        walker,
        from,
        end,
        x - humanContact,
        y - humanContact,
        x + humanContact,
        y + humanContact,
      );
      if (!isSeen) continue;
      const tick = this.#firstContact(walker, x, y, 0, 0, from, end, to - from);
      if (tick > 0) contactTicks.push(tick);
    }
    this.#fall(x, y, 0, 0, from, to, setPoseTouches === 1, triggers, first);
  }

  /**
   * The number of contacts that a move begins, in ticks `from` + 1 to `from` + `ticks`; -1 where its way is refused.
   * `isPhysical` as docs/rules.md, section 4 has it.
   */
  moving(
    x: number,
    y: number,
    dx: number,
    dy: number,
    from: number,
    ticks: number,
    isPhysical: boolean,
    triggers: Int32Array,
    first: number,
  ): number {
    const { contactTicks } = this;
    const { humanContact, setPoseTouches } = this.#rules;
    contactTicks.length = 0;
    const end = Math.min(from + ticks, this.forecast.ticks);
    const minX = Math.min(x, x + dx) - humanContact;
    const minY = Math.min(y, y + dy) - humanContact;
    const maxX = Math.max(x, x + dx) + humanContact;
    const maxY = Math.max(y, y + dy) + humanContact;
    for (const walker of this.#near) {
      if (!this.forecast.mayMeet(walker, from, end, minX, minY, maxX, maxY)) continue;
      if (isPhysical && this.#refuses(walker, x, y, dx, dy, from, end, ticks)) return -1;
      const tick = this.#firstContact(walker, x, y, dx, dy, from, end, ticks);
      if (tick > 0) contactTicks.push(tick);
    }
    const touchesRest = isPhysical || setPoseTouches === 1;
    this.#fall(x, y, dx, dy, from, from + ticks, touchesRest, triggers, first);
    let contacts = contactTicks.length;
    if (touchesRest) {
      const props = this.#propContacts(x, y, dx, dy, ticks, isPhysical);
      if (props < 0) return -1;
      contacts += props;
    }
    return contacts;
  }

  /** The first tick in which a walker begins to touch, 0 for none. */
  #firstContact(
    walker: number,
    x: number,
    y: number,
    dx: number,
    dy: number,
    from: number,
    end: number,
    ticks: number,
  ): number {
    const { forecast } = this;
    const { humanContact, releaseMargin, setPoseTouches } = this.#rules;
    const base = walker * forecast.stride;
    let isTouching = from === 0 && forecast.touches[walker] === 1;
    let agentX = x;
    let agentY = y;
    for (let tick = from + 1; tick <= end; tick++) {
      if (dx !== 0 || dy !== 0) {
        agentX = x + partOf(dx, tick - from, ticks);
        agentY = y + partOf(dy, tick - from, ticks);
      }
      const aheadX = forecast.x[base + tick]! - agentX;
      const aheadY = forecast.y[base + tick]! - agentY;
      if (!within(aheadX, aheadY, humanContact)) {
        if (isTouching) isTouching = within(aheadX, aheadY, humanContact + releaseMargin);
        continue;
      }
      if (isTouching) continue;
      if (setPoseTouches === 1) return tick;
      if (forecast.passes[base + tick] === 1) continue;
      const beforeX = forecast.x[base + tick - 1]! - agentX;
      const beforeY = forecast.y[base + tick - 1]! - agentY;
      if (aheadX * aheadX + aheadY * aheadY < beforeX * beforeX + beforeY * beforeY) return tick;
    }
    return 0;
  }

  /** Whether a walker is in the way of a step of a physical move. */
  #refuses(
    walker: number,
    x: number,
    y: number,
    dx: number,
    dy: number,
    from: number,
    end: number,
    ticks: number,
  ): boolean {
    const { forecast } = this;
    const { humanContact } = this.#rules;
    const base = walker * forecast.stride;
    for (let tick = 1; from + tick <= end; tick++) {
      const walkerX = forecast.x[base + from + tick - 1]!;
      const walkerY = forecast.y[base + from + tick - 1]!;
      const afterX = x + partOf(dx, tick, ticks) - walkerX;
      const afterY = y + partOf(dy, tick, ticks) - walkerY;
      if (!within(afterX, afterY, humanContact)) continue;
      const beforeX = x + partOf(dx, tick - 1, ticks) - walkerX;
      const beforeY = y + partOf(dy, tick - 1, ticks) - walkerY;
      if (afterX * afterX + afterY * afterY < beforeX * beforeX + beforeY * beforeY) return true;
    }
    return false;
  }

  /** Falling objects: which a stretch of the way triggers, and which hit in it, or lie in the way where that counts. */
  #fall(
    x: number,
    y: number,
    dx: number,
    dy: number,
    from: number,
    to: number,
    touchesRest: boolean,
    triggers: Int32Array,
    first: number,
  ): void {
    const { fallingTrigger } = this.#rules;
    const contact = this.#fallingContact;
    const ticks = to - from;
    const reach = fallingTrigger + Math.abs(dx) + Math.abs(dy);
    for (let object = 0; object < this.fallingCount; object++) {
      const offsetX = x - this.fallingX[object]!;
      const offsetY = y - this.fallingY[object]!;
      if (Math.abs(offsetX) > reach || Math.abs(offsetY) > reach) continue;
      let trigger = triggers[first + object]!;
      for (let tick = 1; trigger === hanging && tick <= ticks; tick++) {
        if (within(offsetX + partOf(dx, tick, ticks), offsetY + partOf(dy, tick, ticks), fallingTrigger)) {
          trigger = from + tick;
        }
        if (dx === 0 && dy === 0) break;
      }
      if (trigger === hanging) continue;
      triggers[first + object] = trigger;
      const hitFrom = Math.max(trigger + this.#hitFrom[object]!, from + 1);
      const hitTo = touchesRest ? to : Math.min(trigger + this.#hitTo[object]!, to);
      for (let tick = hitFrom; tick <= hitTo; tick++) {
        const atX = offsetX + partOf(dx, tick - from, ticks);
        const atY = offsetY + partOf(dy, tick - from, ticks);
        if (!within(atX, atY, contact)) continue;
        this.contactTicks.push(tick);
        break;
      }
    }
  }

  /** Balls and boxes that a move runs into; -1 where one stops it. */
  #propContacts(x: number, y: number, dx: number, dy: number, ticks: number, isPhysical: boolean): number {
    let contacts = 0;
    for (let prop = 0; prop < this.propCount; prop++) {
      const contact = this.#propContact[prop]!;
      const offsetX = x - this.#propX[prop]!;
      const offsetY = y - this.#propY[prop]!;
      const reach = contact + longestAxis(dx, dy);
      if (Math.abs(offsetX) > reach || Math.abs(offsetY) > reach) continue;
      for (let tick = 1; tick <= ticks; tick++) {
        if (!within(offsetX + partOf(dx, tick, ticks), offsetY + partOf(dy, tick, ticks), contact)) continue;
        if (isPhysical && this.#propStops[prop]!) return -1;
        contacts++;
        break;
      }
    }
    return contacts;
  }

  /** Whether a conflict vehicle comes as near as it hits, in ticks `from` + 1 to `to`: by the tick, with a tick's drive to spare. */
  isRunOver(x: number, y: number, dx: number, dy: number, from: number, to: number): boolean {
    const { vehicleImpact, vehicleSpeed, vehicleLifeTicks } = this.#rules;
    for (let vehicle = 0; vehicle < this.vehicles; vehicle++) {
      const start = this.#vehicleStart[vehicle]!;
      const end = Math.min(to, start + vehicleLifeTicks);
      for (let tick = Math.max(from, start) + 1; tick <= end; tick++) {
        const agentX = x + partOf(dx, tick - from, to - from);
        const agentY = y + partOf(dy, tick - from, to - from);
        const vehicleX = this.#vehicleX[vehicle]! + (tick - start) * this.#vehicleDx[vehicle]!;
        const vehicleY = this.#vehicleY[vehicle]! + (tick - start) * this.#vehicleDy[vehicle]!;
        if (within(vehicleX - agentX, vehicleY - agentY, vehicleImpact + vehicleSpeed)) return true;
      }
    }
    return false;
  }
}

function longestAxis(dx: number, dy: number): number {
  return Math.max(Math.abs(dx), Math.abs(dy));
}
