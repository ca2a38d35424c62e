// The nodes of a search as flat arrays, allocated once: what an environment is at the moment a decision is due.
import { actionCount } from '../../episodes/actions.ts';
import { fallingLimit } from './dangers.ts';
import { planLimits } from './planSettings.ts';

const nodeLimit = planLimits.expansions * actionCount + 1;

/** Slots of the table of places and times that have been reached: a power of two above the number of nodes. */
const seenSlots = 8192;
/** Places within a cell of 2^shift units, at ticks within 2^shift, count as one. */
const seenPlaceShift = 8;
const seenTickShift = 2;

/** Members are named after EnvState's. [node] */
export class PlanNodes {
  count = 0;
  readonly x = new Int32Array(nodeLimit);
  readonly y = new Int32Array(nodeLimit);
  readonly heading = new Int32Array(nodeLimit);
  readonly subgoal = new Int32Array(nodeLimit);
  readonly slow = new Uint8Array(nodeLimit);
  readonly arrived = new Uint8Array(nodeLimit);
  readonly jaywalking = new Uint8Array(nodeLimit);
  /** Absolute shape index, -1 for none. */
  readonly admitted = new Int32Array(nodeLimit);
  readonly illegal = new Int32Array(nodeLimit);
  readonly hazardKind = new Uint8Array(nodeLimit);
  readonly hazardX = new Int32Array(nodeLimit);
  readonly hazardY = new Int32Array(nodeLimit);
  /** [node, falling object] tick in which it was triggered. */
  readonly triggers = new Int32Array(nodeLimit * fallingLimit);

  readonly tick = new Int32Array(nodeLimit);
  /** Ticks gone by, and what they cost. */
  readonly cost = new Int32Array(nodeLimit);
  /** `cost` and the estimate of the rest. */
  readonly total = new Int32Array(nodeLimit);
  readonly parent = new Int32Array(nodeLimit);
  readonly action = new Uint8Array(nodeLimit);
  readonly depth = new Uint8Array(nodeLimit);
  /** 1 once the thought at the node has been gone through. */
  readonly hasThought = new Uint8Array(nodeLimit);

  readonly #seenKeys = new Int32Array(seenSlots);
  readonly #seenCosts = new Int32Array(seenSlots);

  /** Drops all nodes and makes the root, whose thought is behind it; returns 0. The caller fills in what EnvState has. */
  start(): number {
    this.#seenKeys.fill(0);
    this.count = 1;
    this.tick[0] = 0;
    this.cost[0] = 0;
    this.total[0] = 0;
    this.parent[0] = -1;
    this.action[0] = 0;
    this.depth[0] = 0;
    this.hasThought[0] = 1;
    this.arrived[0] = 0;
    return 0;
  }

  /** A new node as its parent is, an action later. */
  add(parent: number, action: number): number {
    const child = this.count++;
    this.x[child] = this.x[parent]!;
    this.y[child] = this.y[parent]!;
    this.heading[child] = this.heading[parent]!;
    this.subgoal[child] = this.subgoal[parent]!;
    this.slow[child] = this.slow[parent]!;
    this.arrived[child] = 0;
    this.jaywalking[child] = this.jaywalking[parent]!;
    this.admitted[child] = this.admitted[parent]!;
    this.illegal[child] = this.illegal[parent]!;
    this.hazardKind[child] = this.hazardKind[parent]!;
    this.hazardX[child] = this.hazardX[parent]!;
    this.hazardY[child] = this.hazardY[parent]!;
    const first = parent * fallingLimit;
    this.triggers.copyWithin(child * fallingLimit, first, first + fallingLimit);
    this.cost[child] = this.cost[parent]!;
    this.parent[child] = parent;
    this.action[child] = action;
    this.depth[child] = this.depth[parent]! + 1;
    this.hasThought[child] = 0;
    return child;
  }

  /** Takes the newest node back. */
  dropNewest(): void {
    this.count--;
  }

  /** Whether as cheap a way to much the same pose and time is known; remembers this one if not. */
  isSeen(node: number): boolean {
    let key = mixed(this.x[node]! >> seenPlaceShift, this.y[node]! >> seenPlaceShift);
    key = mixed(key, this.heading[node]!);
    key = mixed(key, this.subgoal[node]! * 2 + this.slow[node]!);
    key = mixed(key, this.tick[node]! >> seenTickShift);
    // 0 stands for an empty slot.
    key ||= 1;
    const cost = this.cost[node]!;
    let slot = key & (seenSlots - 1);
    while (this.#seenKeys[slot] !== 0 && this.#seenKeys[slot] !== key) slot = (slot + 1) & (seenSlots - 1);
    if (this.#seenKeys[slot] === key && this.#seenCosts[slot]! <= cost) return true;
    this.#seenKeys[slot] = key;
    this.#seenCosts[slot] = cost;
    return false;
  }
}

/** A hash of two whole numbers. */
function mixed(key: number, part: number): number {
  const product = Math.imul(key ^ part, 0x9e3779b1);
  return product ^ (product >>> 15);
}
