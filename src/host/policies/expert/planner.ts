// A* over decisions: a node is a pose at the moment a decision is due, an edge one of the sixteen actions with the
// thought before it, played by the rules (docs/rules.md). All numbers that decide are whole; the work is bounded by a number of
// expansions, never by a clock, so that the same plan comes out on every machine.
import { directionTable, headingCount } from '../../../kernels/directions.ts';
import { mulQ14, wholeRoot, within } from '../../../kernels/fixedPoint.ts';
import { actorClasses, shapeKinds } from '../../../kernels/world.ts';
import { actionCount, firstMove, firstTurn, firstWait } from '../actions.ts';
import type { PrivilegedState } from '../policy.ts';
import { Dangers, fallingLimit, partOf } from './dangers.ts';
import {
  durations,
  headingChanges,
  longestMove,
  longestMoveTicks,
  longestWaitTicks,
  moveDistances,
  turnTicks,
} from './motions.ts';
import { OpenList } from './openList.ts';
import { type PlanningRules, planningRules } from './planningRules.ts';
import { type RouteMap, routeMapOf, shapeWord, shapeWords } from './routeMap.ts';
import { isOpen, ticksUntilEntry } from './signals.ts';
import { Surroundings } from './surroundings.ts';

/** What a plan avoids, in ticks of its time: so long a way round, or a wait, is worth it. */
export const planCosts = {
  contact: 900,
  hazard: 400,
  violation: 3000,
  vehicle: 30_000,
  /** Entering a crossing that cannot be finished while WALK lasts. */
  lateEntry: 600,
  /** A move outside the corridor of the edge, where others can stop the agent. */
  offRoute: 60,
} as const;

/** How far a plan looks, and how hard. */
export const planLimits = {
  /** Nodes whose actions are tried out. */
  expansions: 120,
  /** Ticks beyond the present thought that a plan reaches, or as many decisions if that is longer. */
  horizonTicks: 250,
  horizonDecisions: 4,
  /** Ticks that walkers are foreseen at most. */
  forecastTicks: 1500,
} as const;

const nodeLimit = planLimits.expansions * actionCount + 1;
/** Decisions a plan may hold. */
const depthLimit = 64;
/** Points of a move looked at for admission to a crosswalk, one more than its parts (docs/rules.md, section 7). */
const admissionParts = 20;
/** Walkers come at most so fast, in units per tick: 2 m/s. */
const fastestWalker = 320;
/** Off the middle of its edge by more than this, the agent will want back: the walkers' lanes are at 200 cm. */
const middleHalfWidth = 1120;
/** Q14 tangents of 22.5 and 67.5 degrees. */
const narrow = 6786;
const wide = 39_556;
const one = 16_384;

const directions = directionTable();

/** Slots of the table of places and times that have been reached. */
const seenSlots = 8192;
/** Places within a cell of 2^shift units, at ticks within 2^shift, count as one. */
const seenPlaceShift = 8;
const seenTickShift = 2;

/**
 * Plans for one environment at a time; its arrays are used again and again.
 *
 * @example const action = new Planner().plan(state, request.decision);
 */
export class Planner {
  readonly #dangers = new Dangers();
  readonly #surroundings = new Surroundings();
  #map!: RouteMap;
  #rules!: PlanningRules;
  /** [depth] ticks of thought before the action; 0 at the root, whose thought is behind it. */
  readonly #thoughts = new Int32Array(depthLimit);
  /** Ticks that walking 4 m takes from decision to decision, by which the way to go is reckoned. */
  #moveCycle = 0;
  #turnCycle = 0;
  #rootWorldTick = 0;
  #horizon = 0;
  #hasHazards = false;

  readonly #x = new Int32Array(nodeLimit);
  readonly #y = new Int32Array(nodeLimit);
  readonly #heading = new Int32Array(nodeLimit);
  readonly #subgoal = new Int32Array(nodeLimit);
  readonly #tick = new Int32Array(nodeLimit);
  readonly #cost = new Int32Array(nodeLimit);
  readonly #total = new Int32Array(nodeLimit);
  readonly #parent = new Int32Array(nodeLimit);
  readonly #action = new Uint8Array(nodeLimit);
  readonly #depth = new Uint8Array(nodeLimit);
  /** 1 once the thought at the node has been gone through. */
  readonly #hasThought = new Uint8Array(nodeLimit);
  readonly #arrived = new Uint8Array(nodeLimit);
  readonly #slow = new Uint8Array(nodeLimit);
  readonly #jaywalking = new Uint8Array(nodeLimit);
  readonly #admitted = new Int32Array(nodeLimit);
  readonly #illegal = new Int32Array(nodeLimit);
  readonly #hazardKind = new Uint8Array(nodeLimit);
  readonly #hazardX = new Int32Array(nodeLimit);
  readonly #hazardY = new Int32Array(nodeLimit);
  /** [node, falling object] */
  readonly #triggers = new Int32Array(nodeLimit * fallingLimit);
  /** Of the node in hand, for all actions that stay: ticks of contacts, and triggers afterwards. */
  #stayContacts: readonly number[] = [];
  readonly #stayTriggers = new Int32Array(fallingLimit);
  readonly #open = new OpenList(nodeLimit, this.#total, this.#tick);
  #nodes = 0;
  readonly #seenKeys = new Int32Array(seenSlots);
  readonly #seenCosts = new Int32Array(seenSlots);
  /** Expansions of the last plan. */
  expansions = 0;

  /** The action for an environment that awaits its decision number `decision`. */
  plan(state: PrivilegedState, decision: number): number {
    this.#load(state, decision);
    this.expansions = 0;
    const open = this.#open;
    while (open.size > 0) {
      const node = open.pop();
      if (this.#arrived[node] === 1) return this.#firstAction(node);
      if (this.#hasThought[node] === 0) {
        this.#think(node);
        open.push(node);
        continue;
      }
      if (this.#tick[node]! >= this.#horizon) return this.#firstAction(node);
      if (this.expansions === planLimits.expansions) {
        open.push(node);
        break;
      }
      this.expansions++;
      this.#expand(node);
    }
    return this.#firstAction(this.#mostPromising());
  }

  /** Of what the budget left open: what is not seen of a plan is taken to cost half as much again as its time. */
  #mostPromising(): number {
    let best = -1;
    let bestCost = 0;
    for (let place = 0; place < this.#open.size; place++) {
      const node = this.#open.nodes[place]!;
      if (this.#depth[node] === 0) continue;
      const cost = this.#total[node]! + (Math.max(this.#horizon - this.#tick[node]!, 0) >> 1);
      if (best < 0 || cost < bestCost || (cost === bestCost && node < best)) {
        best = node;
        bestCost = cost;
      }
    }
    return best;
  }

  #firstAction(node: number): number {
    let step = node;
    if (step < 0) return firstWait;
    while (this.#depth[step]! > 1) step = this.#parent[step]!;
    return this.#depth[step] === 1 ? this.#action[step]! : firstWait;
  }

  #load(state: PrivilegedState, decision: number): void {
    const { environments, env } = state;
    const get = (member: string) => environments.get(env, member);
    this.#map = routeMapOf(state.world, get('route'));
    this.#rules = planningRules(state.rules);
    const thought = this.#loadThoughts(state, decision, get('mode'), get('carryCentiseconds'));
    const usual = this.#thoughts[1]!;
    this.#moveCycle = usual + longestMoveTicks;
    this.#turnCycle = usual + turnTicks;
    this.#horizon = Math.max(planLimits.horizonTicks, planLimits.horizonDecisions * this.#moveCycle);
    const worldTick = get('worldTick');
    this.#rootWorldTick = worldTick + thought;
    this.#hasHazards = (get('classes') & actorClasses.hazards) !== 0;

    const moves = Math.ceil(this.#horizon / this.#moveCycle) + 1;
    const reach = moves * longestMove;
    const agent = { x: get('x'), y: get('y'), worldTick };
    const forecastTicks = Math.min(this.#horizon + longestWaitTicks, planLimits.forecastTicks);
    const walkerReach = Math.min(
      reach + fastestWalker * 20,
      ((forecastTicks * (longestMove + this.#moveCycle * 160)) / this.#moveCycle + longestMove) | 0,
    );
    this.#surroundings.gather(this.#map, agent.x, agent.y, reach);
    this.#dangers.load(state, this.#map, this.#rules, agent, reach, thought, forecastTicks, walkerReach);

    this.#seenKeys.fill(0);
    this.#open.size = 0;
    this.#nodes = 1;
    this.#x[0] = agent.x;
    this.#y[0] = agent.y;
    this.#heading[0] = get('heading');
    this.#subgoal[0] = get('subgoal');
    this.#tick[0] = 0;
    this.#cost[0] = 0;
    this.#parent[0] = -1;
    this.#action[0] = 0;
    this.#depth[0] = 0;
    this.#hasThought[0] = 1;
    this.#arrived[0] = 0;
    this.#slow[0] = get('slow');
    this.#jaywalking[0] = get('jaywalking');
    this.#admitted[0] = this.#latch(get('admitted'));
    this.#illegal[0] = this.#latch(get('illegal'));
    this.#hazardKind[0] = get('hazardKind');
    this.#hazardX[0] = get('hazardX');
    this.#hazardY[0] = get('hazardY');
    this.#triggers.set(this.#dangers.triggers, 0);
    this.#sampleCrossing(0, worldTick);
    this.#cost[0] = 0;
    this.#total[0] = 0;
    this.#open.push(0);
  }

  /** A latch as an absolute shape index, -1 for none. */
  #latch(value: number): number {
    return value === 0 ? -1 : value - 1 + this.#map.firstShape;
  }

  /** Fills in the thoughts of this decision and the next ones; returns the ticks of the present one. */
  #loadThoughts(state: PrivilegedState, decision: number, mode: number, carry: number): number {
    let present = 0;
    let rest = carry;
    for (let depth = 0; depth < depthLimit; depth++) {
      const owed = mode === 0 ? 0 : rest + state.latencyCentiseconds(decision + depth);
      const ticks = (owed / 10) | 0;
      rest = owed % 10;
      if (depth === 0) present = ticks;
      this.#thoughts[depth] = depth === 0 ? 0 : ticks;
    }
    return present;
  }

  /** Goes through the thought before a node's action: the agent stands. */
  #think(node: number): void {
    const from = this.#tick[node]!;
    const to = from + this.#thoughts[this.#depth[node]!]!;
    const x = this.#x[node]!;
    const y = this.#y[node]!;
    let cost = to - from + this.#sampleCrossing(node, this.#rootWorldTick + from);
    this.#dangers.approach(x, y, this.#rules.humanContact, from, to);
    cost += this.#stand(node, from, to);
    this.#hasThought[node] = 1;
    this.#tick[node] = to;
    this.#cost[node]! += cost;
    this.#total[node] = this.#cost[node]! + this.#estimate(node);
  }

  /** What standing at a node's place costs in contacts; the walkers near it must have been picked. */
  #stand(node: number, from: number, to: number): number {
    const dangers = this.#dangers;
    const x = this.#x[node]!;
    const y = this.#y[node]!;
    dangers.standing(x, y, from, to, this.#triggers, node * fallingLimit);
    const contacts = planCosts.contact * dangers.contactTicks.length;
    return contacts + (dangers.isRunOver(x, y, 0, 0, from, to) ? planCosts.vehicle : 0);
  }

  #expand(node: number): void {
    const dangers = this.#dangers;
    const from = this.#tick[node]!;
    const x = this.#x[node]!;
    const y = this.#y[node]!;
    const moveTicks = this.#slow[node] === 1 ? 2 * longestMoveTicks : longestMoveTicks;
    const to = from + Math.max(moveTicks, longestWaitTicks);
    dangers.approach(x, y, longestMove + this.#rules.humanContact, from, to);
    this.#expandMoves(node);
    const first = node * fallingLimit;
    this.#stayTriggers.set(this.#triggers.subarray(first, first + fallingLimit));
    dangers.standing(x, y, from, from + longestWaitTicks, this.#stayTriggers, 0);
    this.#stayContacts = dangers.contactTicks;
    this.#expandTurns(node);
    for (let wait = firstWait; wait <= actionCount; wait++) this.#stay(node, wait);
  }

  #expandTurns(node: number): void {
    const last = this.#action[node]!;
    const hasTurned = last >= firstTurn && last < firstWait;
    for (let turn = firstTurn; turn < firstWait; turn++) {
      // Two turns make one beyond 90° only, and go the same way.
      const isMore =
        headingChanges[last]! * headingChanges[turn]! > 0 && Math.abs(headingChanges[last]!) === 900;
      if (!hasTurned || isMore) this.#stay(node, turn);
    }
  }

  /** A turn or a wait; who touches an agent that stays has been looked up. */
  #stay(node: number, action: number): void {
    const child = this.#makeChild(node, action);
    const from = this.#tick[node]!;
    const to = from + durations[action]!;
    let contacts = 0;
    for (const tick of this.#stayContacts) if (tick <= to) contacts++;
    this.#triggers.set(this.#stayTriggers, child * fallingLimit);
    this.#heading[child] = wrapped(this.#heading[child]! + headingChanges[action]!);
    this.#tick[child] = to;
    let cost = to - from + planCosts.contact * contacts;
    if (this.#dangers.isRunOver(this.#x[node]!, this.#y[node]!, 0, 0, from, to)) cost += planCosts.vehicle;
    this.#cost[child] = this.#cost[child]! + cost;
    this.#finish(child, contacts);
  }

  #expandMoves(node: number): void {
    const rules = this.#rules;
    const from = this.#tick[node]!;
    const x = this.#x[node]!;
    const y = this.#y[node]!;
    const startsInside = this.#isInCorridor(this.#subgoal[node]!, x, y);
    for (let move = firstMove; move < firstTurn; move++) {
      const heading = wrapped(this.#heading[node]! + headingChanges[move]!);
      const dx = mulQ14(moveDistances[move]!, directions[2 * heading]!);
      const dy = mulQ14(moveDistances[move]!, directions[2 * heading + 1]!);
      const isPhysical = !(startsInside && this.#isInCorridor(this.#subgoal[node]!, x + dx, y + dy));
      if (isPhysical && this.#meetsBuilding(x, y, dx, dy)) continue;
      const ticks = durations[move]! << this.#slow[node]!;
      const child = this.#makeChild(node, move);
      const contacts = this.#dangers.moving(
        x,
        y,
        dx,
        dy,
        from,
        ticks,
        isPhysical,
        this.#triggers,
        child * fallingLimit,
      );
      if (contacts < 0) {
        this.#nodes--;
        continue;
      }
      this.#heading[child] = heading;
      this.#slow[child] = 0;
      let cost = ticks + planCosts.contact * contacts;
      if (isPhysical) cost += planCosts.offRoute;
      if (this.#dangers.isRunOver(x, y, dx, dy, from, from + ticks)) cost += planCosts.vehicle;
      if (isPhysical || rules.setPoseTouches === 1)
        cost += planCosts.contact * this.#furnitureMet(x, y, dx, dy, ticks);
      const worldTick = this.#rootWorldTick + from;
      cost += this.#sampleCrossing(child, worldTick);
      this.#admit(child, x, y, dx, dy, worldTick);
      cost += this.#lateEntry(node, x + dx, y + dy, worldTick);
      if (rules.violationEveryTick === 1) cost += this.#violationsOnTheWay(child, dx, dy, worldTick, ticks);
      this.#x[child] = x + dx;
      this.#y[child] = y + dy;
      this.#tick[child] = from + ticks;
      this.#cost[child] = this.#cost[child]! + cost + this.#hazards(child, x, y, dx, dy, ticks);
      this.#finish(child, contacts);
    }
  }

  #makeChild(node: number, action: number): number {
    const child = this.#nodes++;
    this.#x[child] = this.#x[node]!;
    this.#y[child] = this.#y[node]!;
    this.#heading[child] = this.#heading[node]!;
    this.#subgoal[child] = this.#subgoal[node]!;
    this.#cost[child] = this.#cost[node]!;
    this.#parent[child] = node;
    this.#action[child] = action;
    this.#depth[child] = this.#depth[node]! + 1;
    this.#hasThought[child] = 0;
    this.#arrived[child] = 0;
    this.#slow[child] = this.#slow[node]!;
    this.#jaywalking[child] = this.#jaywalking[node]!;
    this.#admitted[child] = this.#admitted[node]!;
    this.#illegal[child] = this.#illegal[node]!;
    this.#hazardKind[child] = this.#hazardKind[node]!;
    this.#hazardX[child] = this.#hazardX[node]!;
    this.#hazardY[child] = this.#hazardY[node]!;
    const first = node * fallingLimit;
    this.#triggers.copyWithin(child * fallingLimit, first, first + fallingLimit);
    return child;
  }

  /** The end of an action: reach, jaywalking, recovery (docs/rules.md, section 4); then the child joins the frontier. */
  #finish(child: number, contacts: number): void {
    const rules = this.#rules;
    const x = this.#x[child]!;
    const y = this.#y[child]!;
    const subgoal = this.#subgoal[child]!;
    if (this.#map.isReached(subgoal, x, y, rules.reachDistance, rules.reachHalfWidth)) {
      if (subgoal < this.#map.edgeCount) this.#subgoal[child] = subgoal + 1;
      else this.#arrived[child] = 1;
    }
    // Who stays is where the parent was sampled.
    if (this.#action[child]! < firstTurn) this.#cost[child] = this.#cost[child]! + this.#sampleJaywalk(child);
    if (contacts > 0) this.#tick[child] = this.#tick[child]! + rules.contactPenaltyTicks;
    if (this.#isSeen(child) || this.#depth[child] === depthLimit - 1) {
      this.#nodes--;
      return;
    }
    this.#total[child] = this.#cost[child]! + (this.#arrived[child] === 1 ? 0 : this.#estimate(child));
    this.#open.push(child);
  }

  /** Whether as cheap a way to much the same pose and time is known; remembers this one if not. */
  #isSeen(node: number): boolean {
    let key = mixed(this.#x[node]! >> seenPlaceShift, this.#y[node]! >> seenPlaceShift);
    key = mixed(key, this.#heading[node]!);
    key = mixed(key, this.#subgoal[node]! * 2 + this.#slow[node]!);
    key = mixed(key, this.#tick[node]! >> seenTickShift);
    // 0 stands for an empty slot.
    key ||= 1;
    const cost = this.#cost[node]!;
    let slot = key & (seenSlots - 1);
    while (this.#seenKeys[slot] !== 0 && this.#seenKeys[slot] !== key) slot = (slot + 1) & (seenSlots - 1);
    if (this.#seenKeys[slot] === key && this.#seenCosts[slot]! <= cost) return true;
    this.#seenKeys[slot] = key;
    this.#seenCosts[slot] = cost;
    return false;
  }

  #isInCorridor(subgoal: number, x: number, y: number): boolean {
    const map = this.#map;
    const { reachDistance, reachHalfWidth } = this.#rules;
    const shape = map.edges + subgoal - 1;
    const along = 100 * map.alongOf(shape, x, y);
    const length = map.length[subgoal - 1]!;
    return (
      (along >= -length &&
        along <= 101 * length &&
        Math.abs(map.lateralOf(shape, x, y)) <= map.shapes[shape * shapeWords + shapeWord.extentY]!) ||
      map.isReached(subgoal, x, y, reachDistance, reachHalfWidth) ||
      (subgoal > 1 && map.isReached(subgoal - 1, x, y, reachDistance, reachHalfWidth))
    );
  }

  /** Clears the latches of crosswalks left behind, then admits or counts where the agent stands; returns the cost. */
  #sampleCrossing(node: number, worldTick: number): number {
    const map = this.#map;
    const x = this.#x[node]!;
    const y = this.#y[node]!;
    const admitted = this.#admitted[node]!;
    const illegal = this.#illegal[node]!;
    if (admitted >= 0 && !map.isBetweenCurbs(admitted, x, y)) this.#admitted[node] = -1;
    if (illegal >= 0 && !map.isBetweenCurbs(illegal, x, y)) this.#illegal[node] = -1;
    if (this.#surroundings.crosswalks.length === 0 || this.#surroundings.isOnSidewalk(map, x, y)) return 0;
    const crosswalk = this.#surroundings.paintedBandAt(map, x, y);
    if (crosswalk < 0 || this.#admitted[node] === crosswalk || this.#illegal[node] === crosswalk) return 0;
    if (this.#isOpenAt(crosswalk, worldTick)) {
      this.#admitted[node] = crosswalk;
      return 0;
    }
    this.#illegal[node] = crosswalk;
    return planCosts.violation;
  }

  /** Where crossings and roads are sampled at every tick of a move: what the samples cost. */
  #violationsOnTheWay(child: number, dx: number, dy: number, worldTick: number, ticks: number): number {
    const x = this.#x[child]!;
    const y = this.#y[child]!;
    let cost = 0;
    for (let tick = 1; tick <= ticks; tick++) {
      this.#x[child] = x + partOf(dx, tick, ticks);
      this.#y[child] = y + partOf(dy, tick, ticks);
      cost += this.#sampleCrossing(child, worldTick + tick - 1) + this.#sampleJaywalk(child);
    }
    return cost;
  }

  #sampleJaywalk(node: number): number {
    const isJaywalk = this.#surroundings.isJaywalk(this.#map, this.#x[node]!, this.#y[node]!);
    const begins = isJaywalk && this.#jaywalking[node] === 0;
    this.#jaywalking[node] = Number(isJaywalk);
    return begins ? planCosts.violation : 0;
  }

  #isOpenAt(crosswalk: number, worldTick: number): boolean {
    const groups = this.#map.shapes[crosswalk * shapeWords + shapeWord.link]!;
    return isOpen(this.#rules, groups, worldTick);
  }

  /** Admission along a move (docs/rules.md, section 7). */
  #admit(child: number, x: number, y: number, dx: number, dy: number, worldTick: number): void {
    const map = this.#map;
    const { guardHalfWidth } = this.#rules;
    let firstPart = admissionParts + 1;
    for (const crosswalk of this.#surroundings.crosswalks) {
      const length = map.shapes[crosswalk * shapeWords + shapeWord.extentX]!;
      const near = map.alongOf(crosswalk, x, y);
      if (near < -longestMove || near > length + longestMove) continue;
      if (Math.abs(map.lateralOf(crosswalk, x, y)) > guardHalfWidth + longestMove) continue;
      if (!this.#isOpenAt(crosswalk, worldTick)) continue;
      for (let part = 0; part < firstPart && part <= admissionParts; part++) {
        const pointX = x + partOf(dx, part, admissionParts);
        const pointY = y + partOf(dy, part, admissionParts);
        if (Math.abs(map.lateralOf(crosswalk, pointX, pointY)) > guardHalfWidth) continue;
        if (!map.isBetweenCurbs(crosswalk, pointX, pointY)) continue;
        // Crosswalks ascend, and a later one takes over at an earlier point only.
        firstPart = part;
        this.#admitted[child] = crosswalk;
      }
    }
  }

  /** The cost of stepping on to the route's crosswalk too late to leave it while WALK lasts. */
  #lateEntry(node: number, x: number, y: number, worldTick: number): number {
    const map = this.#map;
    for (let edge = this.#subgoal[node]! - 1; edge <= this.#subgoal[node]! && edge < map.edgeCount; edge++) {
      if (map.vehicleGroups[edge] === 0) continue;
      const shape = map.edges + edge;
      if (!map.isBetweenCurbs(shape, x, y) || map.isBetweenCurbs(shape, this.#x[node]!, this.#y[node]!))
        continue;
      return this.#entryDelay(edge, worldTick) > 0 ? planCosts.lateEntry : 0;
    }
    return 0;
  }

  /** Ticks until the crosswalk of an edge can be entered and left within WALK. */
  #entryDelay(edge: number, worldTick: number): number {
    const crossing = this.#walkingTicks(this.#map.length[edge]!);
    return ticksUntilEntry(this.#rules, this.#map.vehicleGroups[edge]!, worldTick, crossing);
  }

  /** Ticks, thoughts included, that a distance takes in moves of 4 m. */
  #walkingTicks(distance: number): number {
    return ((distance * this.#moveCycle) / longestMove) | 0;
  }

  #meetsBuilding(x: number, y: number, dx: number, dy: number): boolean {
    const { shapes } = this.#map;
    const margin = this.#rules.agentRadius;
    for (const building of this.#surroundings.buildings) {
      const base = building * shapeWords;
      const minX = shapes[base + shapeWord.x]! - margin;
      const minY = shapes[base + shapeWord.y]! - margin;
      const maxX = minX + shapes[base + shapeWord.extentX]! + 2 * margin;
      const maxY = minY + shapes[base + shapeWord.extentY]! + 2 * margin;
      const meets =
        Math.max(x, x + dx) >= minX &&
        Math.min(x, x + dx) <= maxX &&
        Math.max(y, y + dy) >= minY &&
        Math.min(y, y + dy) <= maxY;
      if (meets) return true;
    }
    return false;
  }

  #furnitureMet(x: number, y: number, dx: number, dy: number, ticks: number): number {
    const { shapes } = this.#map;
    let met = 0;
    for (const disc of this.#surroundings.furniture) {
      const base = disc * shapeWords;
      const contact = this.#rules.agentRadius + shapes[base + shapeWord.extentX]!;
      const offsetX = x - shapes[base + shapeWord.x]!;
      const offsetY = y - shapes[base + shapeWord.y]!;
      const reach = contact + longestMove;
      if (Math.abs(offsetX) > reach || Math.abs(offsetY) > reach) continue;
      if (within(offsetX, offsetY, contact)) continue;
      for (let tick = 1; tick <= ticks; tick++) {
        if (!within(offsetX + partOf(dx, tick, ticks), offsetY + partOf(dy, tick, ticks), contact)) continue;
        met++;
        break;
      }
    }
    return met;
  }

  /** Patches that a move comes upon (docs/rules.md, section 6): returns their cost, and delays or slows the child. */
  #hazards(child: number, x: number, y: number, dx: number, dy: number, ticks: number): number {
    if (!this.#hasHazards) return 0;
    const rules = this.#rules;
    const { shapes } = this.#map;
    const firstTick = rules.hazardSwept === 1 ? 1 : ticks;
    let cost = 0;
    let mask = 0;
    for (const patch of this.#surroundings.patches) {
      const base = patch * shapeWords;
      const offsetX = x - shapes[base + shapeWord.x]!;
      const offsetY = y - shapes[base + shapeWord.y]!;
      const kind = shapes[base + shapeWord.kind]! - shapeKinds.trip;
      const halfWidth =
        kind === 0 ? rules.tripHalfWidth : kind === 1 ? rules.oilHalfWidth : rules.waterHalfWidth;
      if (Math.abs(offsetX) > halfWidth + longestMove || Math.abs(offsetY) > halfWidth + longestMove)
        continue;
      for (let tick = firstTick; tick <= ticks; tick++) {
        if (!within(offsetX + partOf(dx, tick, ticks), offsetY + partOf(dy, tick, ticks), halfWidth))
          continue;
        if (rules.hazardOncePerDecision === 1) mask |= 1 << kind;
        else if (!within(offsetX, offsetY, halfWidth)) cost += this.#suffer(child, kind);
        break;
      }
    }
    if (mask === 0) return cost;
    const kind = 31 - Math.clz32(mask & -mask);
    const endX = x + dx;
    const endY = y + dy;
    const isKnown =
      this.#hazardKind[child] === kind + 1 &&
      within(endX - this.#hazardX[child]!, endY - this.#hazardY[child]!, rules.hazardRearm);
    if (isKnown) return cost;
    this.#hazardKind[child] = kind + 1;
    this.#hazardX[child] = endX;
    this.#hazardY[child] = endY;
    return cost + this.#suffer(child, kind);
  }

  #suffer(child: number, kind: number): number {
    const isTrip = kind === shapeKinds.trip - shapeKinds.trip;
    const penalty = isTrip ? this.#rules.tripPenaltyTicks : 0;
    this.#tick[child] = this.#tick[child]! + penalty;
    if (kind === shapeKinds.oil - shapeKinds.trip) this.#slow[child] = 1;
    return planCosts.hazard + penalty;
  }

  /** What the rest of the way costs at least, about: walking, turning, waiting for WALK, and getting back to the middle. */
  #estimate(node: number): number {
    const map = this.#map;
    const x = this.#x[node]!;
    const y = this.#y[node]!;
    const subgoal = this.#subgoal[node]!;
    const edge = subgoal - 1;
    const way = Math.max(map.wayToGo(subgoal, x, y) - this.#rules.reachDistance, 0);
    const offMiddle = Math.abs(map.lateralOf(map.edges + edge, x, y)) - middleHalfWidth;
    let cost = this.#walkingTicks(way) + this.#turnCycle * map.corners[subgoal]!;
    if (offMiddle > 0) cost += this.#walkingTicks(2 * offMiddle);
    cost += this.#turningTicks(node, map.pointX[subgoal]! - x, map.pointY[subgoal]! - y);
    return cost + this.#signalDelay(node, edge, x, y);
  }

  /** By how far the agent must turn towards (dx, dy). A diagonal move turns by 45° on its way. */
  #turningTicks(node: number, dx: number, dy: number): number {
    const ux = directions[2 * this.#heading[node]!]!;
    const uy = directions[2 * this.#heading[node]! + 1]!;
    const ahead = mulQ14(dx, ux) + mulQ14(dy, uy);
    const aside = Math.abs(mulQ14(dy, ux) - mulQ14(dx, uy));
    if (ahead > 0 && aside * one <= ahead * narrow) return 0;
    if (ahead > 0 && aside * one <= ahead * wide) return this.#turnCycle >> 1;
    if (aside * one >= -ahead * narrow) return this.#turnCycle;
    return 2 * this.#turnCycle;
  }

  /** Ticks of waiting for WALK at the crosswalks that the agent comes to within the signals' next cycles. */
  #signalDelay(node: number, edge: number, x: number, y: number): number {
    const map = this.#map;
    const fromTick =
      this.#rootWorldTick + this.#tick[node]! + (this.#hasThought[node] === 1 ? 0 : this.#thoughts[1]!);
    let delay = 0;
    let way = 0;
    for (let ahead = edge; ahead < map.edgeCount; ahead++) {
      if (ahead > edge) {
        way =
          ahead === edge + 1
            ? wholeRoot((map.pointX[ahead]! - x) ** 2 + (map.pointY[ahead]! - y) ** 2)
            : way + map.length[ahead - 1]!;
      }
      if (map.vehicleGroups[ahead] === 0) continue;
      if (ahead === edge && 20 * map.alongOf(map.edges + ahead, x, y) > map.length[ahead]!) continue;
      delay += this.#entryDelay(ahead, fromTick + this.#walkingTicks(way) + delay);
    }
    return delay;
  }
}

/** A hash of two whole numbers. */
function mixed(key: number, part: number): number {
  const product = Math.imul(key ^ part, 0x9e3779b1);
  return product ^ (product >>> 15);
}

function wrapped(heading: number): number {
  return (heading + headingCount) % headingCount;
}
