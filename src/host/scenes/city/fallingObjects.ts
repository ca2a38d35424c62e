// Things that fall from above: 10 over each sidewalk of 86 m. A route has those of its own sidewalks.
import { distanceToSegment, pointBeside } from '../geometry.ts';
import { type FallingObjectKind, fallingObjectKinds, type Scene } from '../schema.ts';
import { drawStream, sceneryPurpose } from './drawStream.ts';
import { blockSidewalkCm, chooseSlots, scaledCount, slotCount, walkerPitchCm } from './slots.ts';
import type { Streets } from './streets.ts';

/** Falls on (x, y); `sidewalk` is the index of the sidewalk it hangs over. */
export interface FallingObject {
  readonly kind: FallingObjectKind;
  readonly x: number;
  readonly y: number;
  readonly sidewalk: number;
}

const perBlock = 10;
const slotsPerBlock = Math.floor(blockSidewalkCm / walkerPitchCm) - 1;
const lateralCm = 300;

function nearestSidewalk(x: number, y: number, streets: Streets): number {
  const distances = streets.sidewalks.map((sidewalk) => distanceToSegment(x, y, sidewalk));
  return distances.indexOf(distances.reduce((nearest, distance) => Math.min(nearest, distance)));
}

/** By sidewalk, then by place along it; a spelled-out list in the scene takes their place. */
export function placeFallingObjects(scene: Scene, streets: Streets): FallingObject[] {
  const given = scene.scenery?.fallingObjects;
  if (given !== undefined) {
    return given.map((object) => ({ ...object, sidewalk: nearestSidewalk(object.x, object.y, streets) }));
  }
  return streets.sidewalks.flatMap((sidewalk, index) => {
    const draw = drawStream(scene.scenerySeed, sceneryPurpose.fallingObjects, index);
    const slots = slotCount(sidewalk, walkerPitchCm);
    return chooseSlots(slots, scaledCount(perBlock, slots, slotsPerBlock), draw.next()).map((slot) => {
      const kind = draw.pick(fallingObjectKinds);
      const [x, y] = pointBeside(sidewalk, (slot + 1) * walkerPitchCm, draw.spread(lateralCm));
      return { kind, x, y, sidewalk: index };
    });
  });
}
