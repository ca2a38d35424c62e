// A whole city from a scene: streets derived from the roads, scenery generated from the scenery seed, routes with the
// actors beside them. Pure: the same scene gives the same city on every machine.
import { type Building, placeBuildings } from './city/buildings.ts';
import { drawDogRoutes } from './city/dogRoutes.ts';
import { type FallingObject, placeFallingObjects } from './city/fallingObjects.ts';
import { type Furniture, placeFurniture } from './city/furniture.ts';
import { type GroundObject, placeGroundObjects } from './city/groundObjects.ts';
import { buildRoutes, type Route } from './city/routes.ts';
import { deriveStreets, type Streets } from './city/streets.ts';
import type { Scene } from './schema.ts';

export type { Building } from './city/buildings.ts';
export type { FallingObject } from './city/fallingObjects.ts';
export type { Furniture } from './city/furniture.ts';
export type { GroundObject } from './city/groundObjects.ts';
export type { PedestrianRoute } from './city/pedestrianRoutes.ts';
export type { Route, RouteEdge } from './city/routes.ts';
export type { Crosswalk, Junction, Road, Side, Sidewalk, Streets } from './city/streets.ts';

/** All coordinates and sizes in cm; axes as in the RT-SAFE release (left-handed: facing +x, +y is to the right). */
export interface City extends Streets {
  readonly name: string;
  readonly scene: Scene;
  readonly buildings: readonly Building[];
  readonly furniture: readonly Furniture[];
  readonly groundObjects: readonly GroundObject[];
  /** Over all sidewalks of the city; each route lists those of its own. */
  readonly fallingObjects: readonly FallingObject[];
  readonly routes: readonly Route[];
}

/**
 * Builds the city of a checked scene (`loadScene`, `loadBundledScene` and `parseScene` check).
 *
 * @example const city = buildCity(loadBundledScene('rt10'));
 */
export function buildCity(scene: Scene): City {
  const streets = deriveStreets(scene.roads);
  const fallingObjects = placeFallingObjects(scene, streets);
  return {
    name: scene.name,
    scene,
    ...streets,
    buildings: placeBuildings(scene, streets),
    furniture: placeFurniture(scene, streets),
    groundObjects: placeGroundObjects(scene, streets),
    fallingObjects,
    routes: buildRoutes(scene, streets, fallingObjects, drawDogRoutes(scene, streets)),
  };
}
