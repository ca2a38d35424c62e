// Reads the summaries of a batch by name.
import type { StructLayout } from './layout.ts';

/** The summaries of all environments after a round: [env, Summary word]. */
export class SummaryView {
  readonly layout: StructLayout;
  readonly words: Uint32Array;
  readonly #signed: Int32Array;

  constructor(layout: StructLayout, envCount: number) {
    this.layout = layout;
    this.words = new Uint32Array(envCount * layout.words);
    this.#signed = new Int32Array(this.words.buffer);
  }

  /** One scalar member of one environment; signed where the layout says so. */
  get(env: number, member: string): number {
    const word = env * this.layout.words + this.layout.word(member);
    const found = this.layout.members.find(({ name }) => name === member);
    return (found?.signed ? this.#signed[word] : this.words[word]) ?? 0;
  }

  /** One array member of one environment, as a view that the next round overwrites. */
  getArray(env: number, member: string): Uint32Array {
    const start = env * this.layout.words + this.layout.word(member);
    const words = this.layout.members.find(({ name }) => name === member)?.words ?? 0;
    return this.words.subarray(start, start + words);
  }
}
