// The frontier of the search: a binary heap of nodes by estimated total cost.

/** Whole numbers only; of equal costs the later tick comes first, then the node that was made first. */
export class OpenList {
  size = 0;
  /** [place] nodes in heap order. */
  readonly nodes: Int32Array;
  readonly #costs: Int32Array;
  readonly #ticks: Int32Array;

  /** [node] costs and ticks, in arrays that the caller fills; a node is in the list once. */
  constructor(costs: Int32Array, ticks: Int32Array) {
    this.nodes = new Int32Array(costs.length);
    this.#costs = costs;
    this.#ticks = ticks;
  }

  push(node: number): void {
    const { nodes } = this;
    let place = this.size++;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = nodes[parent]!;
      if (!this.#isBefore(node, above)) break;
      nodes[place] = above;
      place = parent;
    }
    nodes[place] = node;
  }

  /** The best node; the list must not be empty. */
  pop(): number {
    const { nodes } = this;
    const best = nodes[0]!;
    const last = nodes[--this.size]!;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && this.#isBefore(nodes[child + 1]!, nodes[child]!)) child++;
      if (!this.#isBefore(nodes[child]!, last)) break;
      nodes[place] = nodes[child]!;
      place = child;
    }
    nodes[place] = last;
    return best;
  }

  #isBefore(first: number, second: number): boolean {
    const difference = this.#costs[first]! - this.#costs[second]!;
    if (difference !== 0) return difference < 0;
    const later = this.#ticks[first]! - this.#ticks[second]!;
    if (later !== 0) return later > 0;
    return first < second;
  }
}
