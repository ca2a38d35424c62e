// Random draws for generated scenery: a counter over the project's hash, so that one list never shifts another.
import { randomU32, uniformBelow } from '../../../kernels/random.ts';

/** What a draw is for. The numbers are part of every generated city: add new ones, never renumber. */
export const sceneryPurpose = {
  buildings: 0x5ce0_0001,
  trees: 0x5ce0_0002,
  nearFurniture: 0x5ce0_0003,
  groundObjects: 0x5ce0_0004,
  fallingObjects: 0x5ce0_0005,
  dogRoutes: 0x5ce0_0006,
  pedestrianRoutes: 0x5ce0_0007,
} as const;

/** Successive draws for one (seed, purpose, entity). */
export interface DrawStream {
  /** The next u32. */
  next(): number;
  /** Uniform in [0, count), count 1 to 65535. */
  below(count: number): number;
  /** Uniform in [-halfRange, halfRange] cm in steps of 0.1 cm, halfRange a whole number up to 3276. */
  spread(halfRange: number): number;
  /** One of a list. */
  pick<Item>(items: readonly Item[]): Item;
}

/** @example const draw = drawStream(scene.scenerySeed, sceneryPurpose.trees, roadIndex); */
export function drawStream(seed: number, purpose: number, entity: number): DrawStream {
  let counter = 0;
  const next = () => randomU32(seed, purpose, entity, counter++);
  const below = (count: number) => uniformBelow(next(), count);
  return {
    next,
    below,
    spread: (halfRange) => (below(halfRange * 20 + 1) - halfRange * 10) / 10,
    pick: (items) => items[below(items.length)]!,
  };
}
