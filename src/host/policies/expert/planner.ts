// A* over decisions: a node is a pose at the moment a decision is due, an edge one of the sixteen actions with the
// thought before it, played by the rules (docs/rules.md). All numbers that decide are whole; the work is bounded by a number of
// expansions, never by a clock, so that the same plan comes out on every machine.
import { directionTable, headingCount } from '../../../kernels/directions.ts';
import { mulQ14 } from '../../../kernels/fixedPoint.ts';
import { centisecondsPerTick } from '../../../kernels/units.ts';
import { actorClasses } from '../../../kernels/world.ts';
import { actionCount, firstMove, firstTurn, firstWait } from '../../episodes/actions.ts';
import type { PrivilegedState } from '../policy.ts';
import { Crossings } from './crossings.ts';
import { Dangers, fallingLimit } from './dangers.ts';
import { Estimate } from './estimate.ts';
import {
  durations,
  headingChanges,
  longestMove,
  longestMoveTicks,
  longestWaitTicks,
  moveDistances,
} from './motions.ts';
import { furnitureEntered, meetsBuilding, sufferHazards } from './obstacles.ts';
import { OpenList } from './openList.ts';
import { PlanFrame } from './planFrame.ts';
import { PlanNodes } from './planNodes.ts';
import { planningRules } from './planningRules.ts';
import { planCosts, planLimits } from './planSettings.ts';
import { routeMapOf, shapeWord, shapeWords } from './routeMap.ts';

/** The usual walker, in units per tick: 1 m/s. */
const walkingSpeed = 160;
/** The widest turn, in tenths of a degree; only one as wide is followed by another. */
const widestTurn = 900;

const directions = directionTable();

/**
 * Plans for one environment at a time; its arrays are used again and again.
 *
 * @example const action = new Planner().plan(state, request.decision);
 */
export class Planner {
  readonly #frame = new PlanFrame();
  readonly #dangers = new Dangers();
  readonly #nodes = new PlanNodes();
  readonly #open = new OpenList(this.#nodes.total, this.#nodes.tick);
  readonly #crossings = new Crossings(this.#frame, this.#nodes);
  readonly #estimate = new Estimate(this.#frame, this.#nodes, this.#crossings);
  #horizon = 0;
  #hasHazards = false;
  /** Of the node in hand, for all actions that stay: ticks of contacts, and triggers afterwards. */
  #stayContacts: readonly number[] = [];
  readonly #stayTriggers = new Int32Array(fallingLimit);
  /** Expansions of the last plan. */
  expansions = 0;

  /** The action for an environment that awaits its decision number `decision`. */
  plan(state: PrivilegedState, decision: number): number {
    this.#load(state, decision);
    this.expansions = 0;
    const open = this.#open;
    const { arrived, hasThought, tick } = this.#nodes;
    while (open.size > 0) {
      const node = open.pop();
      if (arrived[node] === 1) return this.#firstAction(node);
      if (hasThought[node] === 0) {
        this.#think(node);
        open.push(node);
        continue;
      }
      if (tick[node]! >= this.#horizon) return this.#firstAction(node);
      if (this.expansions === planLimits.expansions) {
        open.push(node);
        break;
      }
      this.expansions++;
      this.#expand(node);
    }
    return this.#firstAction(this.#mostPromising());
  }

  /** Of what the budget left open: the time that is not seen of a plan is taken to cost half as much again. */
  #mostPromising(): number {
    const { total, tick, depth } = this.#nodes;
    let best = -1;
    let bestCost = 0;
    for (let place = 0; place < this.#open.size; place++) {
      const node = this.#open.nodes[place]!;
      if (depth[node] === 0) continue;
      const cost = total[node]! + (Math.max(this.#horizon - tick[node]!, 0) >> 1);
      if (best < 0 || cost < bestCost || (cost === bestCost && node < best)) {
        best = node;
        bestCost = cost;
      }
    }
    return best;
  }

  /** The action that leads to a node from the root; waiting, where there is none. */
  #firstAction(node: number): number {
    const { action, depth, parent } = this.#nodes;
    if (node <= 0) return firstWait;
    let step = node;
    while (depth[step]! > 1) step = parent[step]!;
    return action[step]!;
  }

  #load(state: PrivilegedState, decision: number): void {
    const { environments, env } = state;
    const get = (member: string) => environments.get(env, member);
    const frame = this.#frame;
    frame.map = routeMapOf(state.world, get('route'));
    frame.rules = planningRules(state.rules);
    const thought = this.#loadThoughts(state, decision, get('mode'), get('carryCentiseconds'));
    const worldTick = get('worldTick');
    frame.rootWorldTick = worldTick + thought;
    this.#horizon = Math.max(planLimits.horizonTicks, planLimits.horizonDecisions * frame.moveCycle);
    this.#hasHazards = (get('classes') & actorClasses.hazards) !== 0;

    const agent = { x: get('x'), y: get('y'), worldTick };
    const reach = longestMove * (Math.ceil(this.#horizon / frame.moveCycle) + 1);
    const forecastTicks = Math.min(this.#horizon + longestWaitTicks, planLimits.forecastTicks);
    const sight = Math.max(
      longestMove * planLimits.sightMoves,
      (longestMove + walkingSpeed * frame.moveCycle) * planLimits.sightDecisions,
    );
    frame.surroundings.gather(frame.map, agent.x, agent.y, reach);
    this.#dangers.load(state, frame.map, frame.rules, agent, reach, thought, forecastTicks, sight);
    this.#loadRoot(get, worldTick);
  }

  #loadRoot(get: (member: string) => number, worldTick: number): void {
    const nodes = this.#nodes;
    const latch = (value: number) => (value === 0 ? -1 : value - 1 + this.#frame.map.firstShape);
    const root = nodes.start();
    nodes.x[root] = get('x');
    nodes.y[root] = get('y');
    nodes.heading[root] = get('heading');
    nodes.subgoal[root] = get('subgoal');
    nodes.slow[root] = get('slow');
    nodes.jaywalking[root] = get('jaywalking');
    nodes.admitted[root] = latch(get('admitted'));
    nodes.illegal[root] = latch(get('illegal'));
    nodes.hazardKind[root] = get('hazardKind');
    nodes.hazardX[root] = get('hazardX');
    nodes.hazardY[root] = get('hazardY');
    nodes.triggers.set(this.#dangers.triggers, root * fallingLimit);
    // What it costs is the same for every plan.
    this.#crossings.sampleCrossing(root, worldTick);
    this.#open.size = 0;
    this.#open.push(root);
  }

  /** Fills in the thoughts of this decision and the next ones; returns the ticks of the present one. */
  #loadThoughts(state: PrivilegedState, decision: number, mode: number, carry: number): number {
    const { thoughts } = this.#frame;
    thoughts.fill(0);
    if (mode === 0) return 0;
    let present = 0;
    let rest = carry;
    for (let depth = 0; depth < planLimits.depth; depth++) {
      const owed = rest + state.latencyCentiseconds(decision + depth);
      const ticks = (owed / centisecondsPerTick) | 0;
      rest = owed % centisecondsPerTick;
      if (depth === 0) present = ticks;
      else thoughts[depth] = ticks;
    }
    return present;
  }

  /** Goes through the thought before a node's action: the agent stands. */
  #think(node: number): void {
    const nodes = this.#nodes;
    const from = nodes.tick[node]!;
    const to = from + this.#frame.thoughts[nodes.depth[node]!]!;
    const x = nodes.x[node]!;
    const y = nodes.y[node]!;
    let cost = to - from + this.#crossings.sampleCrossing(node, this.#frame.rootWorldTick + from);
    this.#dangers.approach(x, y, this.#frame.rules.humanContact, from, to);
    this.#dangers.standing(x, y, from, to, nodes.triggers, node * fallingLimit);
    cost += planCosts.contact * this.#dangers.contactTicks.length;
    if (this.#dangers.isRunOver(x, y, 0, 0, from, to)) cost += planCosts.vehicle;
    nodes.hasThought[node] = 1;
    nodes.tick[node] = to;
    nodes.cost[node]! += cost;
    nodes.total[node] = nodes.cost[node]! + this.#estimate.of(node);
  }

  #expand(node: number): void {
    const dangers = this.#dangers;
    const nodes = this.#nodes;
    const from = nodes.tick[node]!;
    const x = nodes.x[node]!;
    const y = nodes.y[node]!;
    const to = from + Math.max(longestMoveTicks << nodes.slow[node]!, longestWaitTicks);
    dangers.approach(x, y, longestMove + this.#frame.rules.humanContact, from, to);
    for (let move = firstMove; move < firstTurn; move++) this.#move(node, move);
    const first = node * fallingLimit;
    for (let object = 0; object < fallingLimit; object++) {
      this.#stayTriggers[object] = nodes.triggers[first + object]!;
    }
    dangers.standing(x, y, from, from + longestWaitTicks, this.#stayTriggers, 0);
    this.#stayContacts = dangers.contactTicks;
    for (let turn = firstTurn; turn < firstWait; turn++) {
      if (this.#mayTurn(nodes.action[node]!, turn)) this.#stay(node, turn);
    }
    for (let wait = firstWait; wait <= actionCount; wait++) this.#stay(node, wait);
  }

  /** Two turns in a row make one beyond 90° only, and go the same way. */
  #mayTurn(last: number, turn: number): boolean {
    if (last < firstTurn || last >= firstWait) return true;
    return (
      Math.abs(headingChanges[last]!) === widestTurn && headingChanges[last]! * headingChanges[turn]! > 0
    );
  }

  /** A turn or a wait; who touches an agent that stays has been looked up. */
  #stay(node: number, action: number): void {
    const nodes = this.#nodes;
    const child = nodes.add(node, action);
    const from = nodes.tick[node]!;
    const to = from + durations[action]!;
    let contacts = 0;
    for (const tick of this.#stayContacts) if (tick <= to) contacts++;
    nodes.triggers.set(this.#stayTriggers, child * fallingLimit);
    nodes.heading[child] = wrapped(nodes.heading[child]! + headingChanges[action]!);
    nodes.tick[child] = to;
    let cost = to - from + planCosts.contact * contacts;
    if (this.#dangers.isRunOver(nodes.x[node]!, nodes.y[node]!, 0, 0, from, to)) cost += planCosts.vehicle;
    nodes.cost[child]! += cost;
    this.#finish(child, contacts);
  }

  /** A move; one that something would refuse is no part of a plan. */
  #move(node: number, move: number): void {
    const frame = this.#frame;
    const nodes = this.#nodes;
    const dangers = this.#dangers;
    const crossings = this.#crossings;
    const from = nodes.tick[node]!;
    const x = nodes.x[node]!;
    const y = nodes.y[node]!;
    const heading = wrapped(nodes.heading[node]! + headingChanges[move]!);
    const dx = mulQ14(moveDistances[move]!, directions[2 * heading]!);
    const dy = mulQ14(moveDistances[move]!, directions[2 * heading + 1]!);
    const subgoal = nodes.subgoal[node]!;
    const isPhysical = !(this.#isInCorridor(subgoal, x, y) && this.#isInCorridor(subgoal, x + dx, y + dy));
    if (isPhysical && meetsBuilding(frame, x, y, dx, dy)) return;
    const ticks = durations[move]! << nodes.slow[node]!;
    const child = nodes.add(node, move);
    const first = child * fallingLimit;
    let contacts = dangers.moving(x, y, dx, dy, from, ticks, isPhysical, nodes.triggers, first);
    if (contacts < 0) {
      nodes.dropNewest();
      return;
    }
    const touchesRest = isPhysical || frame.rules.setPoseTouches === 1;
    if (touchesRest) contacts += furnitureEntered(frame, x, y, dx, dy, ticks);
    let cost = ticks + planCosts.contact * contacts;
    if (isPhysical) cost += planCosts.offRoute;
    if (dangers.isRunOver(x, y, dx, dy, from, from + ticks)) cost += planCosts.vehicle;

    const worldTick = frame.rootWorldTick + from;
    cost += crossings.sampleCrossing(child, worldTick);
    crossings.admitAlongMove(child, x, y, dx, dy, worldTick);
    cost += crossings.lateEntry(node, x + dx, y + dy, worldTick);
    if (frame.rules.violationEveryTick === 1)
      cost += crossings.sampleOnTheWay(child, dx, dy, worldTick, ticks);
    nodes.heading[child] = heading;
    nodes.slow[child] = 0;
    nodes.x[child] = x + dx;
    nodes.y[child] = y + dy;
    nodes.tick[child] = from + ticks;
    if (this.#hasHazards) cost += sufferHazards(frame, nodes, child, x, y, dx, dy, ticks);
    nodes.cost[child]! += cost + crossings.sampleJaywalk(child);
    this.#finish(child, contacts);
  }

  /** The end of an action: reach and recovery (docs/rules.md, section 4); then the child joins the frontier. */
  #finish(child: number, contacts: number): void {
    const { map, rules } = this.#frame;
    const nodes = this.#nodes;
    const subgoal = nodes.subgoal[child]!;
    const { reachDistance, reachHalfWidth } = rules;
    if (map.isReached(subgoal, nodes.x[child]!, nodes.y[child]!, reachDistance, reachHalfWidth)) {
      if (subgoal < map.edgeCount) nodes.subgoal[child] = subgoal + 1;
      else nodes.arrived[child] = 1;
    }
    if (contacts > 0) nodes.tick[child]! += rules.contactPenaltyTicks;
    if (nodes.isSeen(child) || nodes.depth[child] === planLimits.depth - 1) {
      nodes.dropNewest();
      return;
    }
    const rest = nodes.arrived[child] === 1 ? 0 : this.#estimate.of(child);
    nodes.total[child] = nodes.cost[child]! + rest;
    this.#open.push(child);
  }

  /** Whether a position is on the edge to a subgoal, or near one of its ends (docs/rules.md, section 4). */
  #isInCorridor(subgoal: number, x: number, y: number): boolean {
    const { map, rules } = this.#frame;
    const { reachDistance, reachHalfWidth } = rules;
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
}

function wrapped(heading: number): number {
  return (heading + headingCount) % headingCount;
}
