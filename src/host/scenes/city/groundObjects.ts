// Things that lie on the sidewalks: 13 on each of 86 m, kinds all alike, so that 55 % are hazards in the release too.
import { pointBeside } from '../geometry.ts';
import { type GroundObjectKind, groundObjectKinds, type Scene } from '../schema.ts';
import { drawStream, sceneryPurpose } from './drawStream.ts';
import { objectPitchCm, slotCount } from './slots.ts';
import type { Streets } from './streets.ts';

export interface GroundObject {
  readonly kind: GroundObjectKind;
  readonly x: number;
  readonly y: number;
}

const lateralCm = 180;
const jitterCm = 5;

/** By sidewalk, then by place along it; a spelled-out list in the scene takes their place. */
export function placeGroundObjects(scene: Scene, streets: Streets): GroundObject[] {
  const given = scene.scenery?.groundObjects;
  if (given !== undefined) return given;
  return streets.sidewalks.flatMap((sidewalk, index) => {
    const draw = drawStream(scene.scenerySeed, sceneryPurpose.groundObjects, index);
    return Array.from({ length: slotCount(sidewalk, objectPitchCm) }, (_, slot) => {
      const kind = draw.pick(groundObjectKinds);
      const along = (slot + 1) * objectPitchCm + draw.spread(jitterCm);
      const [x, y] = pointBeside(sidewalk, along, draw.spread(lateralCm) + draw.spread(jitterCm));
      return { kind, x, y };
    });
  });
}
