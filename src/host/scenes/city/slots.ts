// The regular places along a sidewalk that scenery is put on.
import { permutedRank } from '../../../kernels/random.ts';
import { distanceBetween, type Segment } from '../geometry.ts';

/** Pitch of the places for ground objects and furniture: 13 on a sidewalk of 8600 cm. */
export const objectPitchCm = 600;
/** Pitch of the denser walker grid, for falling objects and robot dogs: 16 on a sidewalk of 8600 cm. */
export const walkerPitchCm = 500;
/** A sidewalk of the released maps: a road of 100 m less 7 m at each end. */
export const blockSidewalkCm = 8_600;

/** How many places a sidewalk has: multiples of the pitch from its start, the last whole one before the end left out. */
export function slotCount(sidewalk: Segment, pitchCm: number): number {
  const length = distanceBetween(sidewalk.ax, sidewalk.ay, sidewalk.bx, sidewalk.by);
  return Math.max(0, Math.floor(length / pitchCm) - 1);
}

/** `countOnBlock` of the released 100 m block, in proportion for other lengths. */
export function scaledCount(countOnBlock: number, slots: number, slotsOnBlock: number): number {
  return Math.floor((2 * countOnBlock * slots + slotsOnBlock) / (2 * slotsOnBlock));
}

/** Chooses `chosen` of `slots` places at random, all alike; ascending, 0-based. */
export function chooseSlots(slots: number, chosen: number, key: number): number[] {
  const all = Array.from({ length: slots }, (_, slot) => slot);
  return all.filter((slot) => permutedRank(slot, slots, key) < chosen);
}
