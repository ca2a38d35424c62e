// Trees and street furniture along the roads: 15 trees and 15 small pieces on a road of 100 m.
import { pointBeside } from '../geometry.ts';
import type { FurnitureKind, Scene } from '../schema.ts';
import { nearFurnitureOffsetCm, sidewalkOffsetCm, treeOffsetCm } from './crossSection.ts';
import { type DrawStream, drawStream, sceneryPurpose } from './drawStream.ts';
import { chooseSlots, objectPitchCm, scaledCount, slotCount } from './slots.ts';
import type { Streets } from './streets.ts';

/** A standing obstacle; a disc on the ground. */
export interface Furniture {
  readonly kind: FurnitureKind;
  readonly x: number;
  readonly y: number;
  readonly radiusCm: number;
}

/**
 * Radii of what an agent can bump into. The release has none for these (they are inside its engine assets): common
 * sizes of a street tree's trunk, a hydrant, a kick scooter on its stand and a litter bin.
 */
export const furnitureRadiusCm: Readonly<Record<FurnitureKind, number>> = {
  tree: 25,
  hydrant: 15,
  scooter: 40,
  'trash-can': 30,
};

const nearKinds = ['hydrant', 'scooter', 'trash-can'] as const;
const perBlock = 15;
const slotsPerBlock = 26;
const jitterCm = 5;

function furnishRoads(
  streets: Streets,
  seed: number,
  purpose: number,
  offsetCm: number,
  drawKind: (draw: DrawStream) => FurnitureKind,
): Furniture[] {
  const furniture: Furniture[] = [];
  for (const road of streets.roads.keys()) {
    const draw = drawStream(seed, purpose, road);
    const sides = [streets.sidewalks[2 * road]!, streets.sidewalks[2 * road + 1]!];
    const slotsPerSide = slotCount(sides[0]!, objectPitchCm);
    const slots = 2 * slotsPerSide;
    for (const slot of chooseSlots(slots, scaledCount(perBlock, slots, slotsPerBlock), draw.next())) {
      const sidewalk = sides[slot < slotsPerSide ? 0 : 1]!;
      const along = ((slot % slotsPerSide) + 1) * objectPitchCm + draw.spread(jitterCm);
      // A sidewalk has its road on the left: outward is to its right.
      const [x, y] = pointBeside(sidewalk, along, offsetCm - sidewalkOffsetCm + draw.spread(jitterCm));
      const kind = drawKind(draw);
      furniture.push({ kind, x, y, radiusCm: furnitureRadiusCm[kind] });
    }
  }
  return furniture;
}

/** All trees, then all pieces at the kerb; a spelled-out list in the scene takes their place. */
export function placeFurniture(scene: Scene, streets: Streets): Furniture[] {
  const given = scene.scenery?.furniture;
  if (given !== undefined)
    return given.map((piece) => ({ ...piece, radiusCm: furnitureRadiusCm[piece.kind] }));
  const seed = scene.scenerySeed;
  return [
    ...furnishRoads(streets, seed, sceneryPurpose.trees, treeOffsetCm, () => 'tree'),
    ...furnishRoads(streets, seed, sceneryPurpose.nearFurniture, nearFurnitureOffsetCm, (draw) =>
      draw.pick(nearKinds),
    ),
  ];
}
