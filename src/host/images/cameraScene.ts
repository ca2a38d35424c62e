// What stands still in cities, as the camera draws it: streets, buildings, furniture, signal heads, and what lies on the
// ground and is no actor of a route.

import type { FamilyName } from '../../kernels/camera/meshes.ts';
import { groundPatterns, groupSize, packPaints, paintPlace } from '../../kernels/camera/paints.ts';
import { type CameraScene, packScene, type Thing } from '../../kernels/camera/scene.ts';
import { type SegmentationClass, segmentationId } from '../../kernels/camera/segmentation.ts';
import { packDirection, packedDirectionAlong } from '../../kernels/directions.ts';
import { pcg } from '../../kernels/random.ts';
import { toUnits } from '../../kernels/units.ts';
import { actorClasses } from '../../kernels/world.ts';
import type { City, Junction, Route } from '../scenes/city.ts';
import { propDistanceCm } from '../scenes/compile.ts';
import { distanceToSegment } from '../scenes/geometry.ts';
import { readShader } from '../shaderFiles.ts';

const eastward = packDirection(16384, 0);

/** Cardboard boxes as large as a disc of 60 cm is, like those that are actors (shaders/cameraPlace.wgsl). */
const crateSide = 1.77 * 0.6;
const kerbHeight = 0.13;
const kerbWidth = 0.22;
/** Kerbs stop here, before the zebra; sidewalks go on to the corners. */
const kerbSetBackCm = 930;

/** Outer edge of the sidewalks, from a junction's centre. */
const cornerCm = 900;

interface Placing {
  family: FamilyName;
  class: SegmentationClass;
  index: number;
  x: number;
  y: number;
  scale?: readonly [number, number, number];
  direction?: number;
  paint?: number;
  needs?: number;
  height?: number;
  /** Bounding sphere: radius and height of its centre in metres, and where it is when not above (x, y). */
  radius: number;
  middle: number;
  middleX?: number;
  middleY?: number;
}

function thing(placing: Placing): Thing {
  const { family, x, y, scale = [1, 1, 1], direction = eastward, paint = 0, needs = 0, height = 0 } = placing;
  return {
    family,
    needs,
    x: toUnits(x),
    y: toUnits(y),
    direction,
    scale,
    paint,
    id: segmentationId(placing.class, placing.index),
    radius: placing.radius,
    middle: placing.middle,
    middleX: toUnits(placing.middleX ?? x),
    middleY: toUnits(placing.middleY ?? y),
    height,
  };
}

interface Line {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
}

/** A strip along a line, from `from` to `to` cm along it and `offset` cm to its right. */
function strip(
  family: 'road' | 'sidewalk' | 'zebra' | 'kerb',
  index: number,
  line: Line,
  halfWidthCm: number,
  part: { from?: number; to?: number; offset?: number } = {},
): Thing {
  const [dx, dy] = [line.bx - line.ax, line.by - line.ay];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const { from = 0, to = length, offset = 0 } = part;
  const at = (along: number) =>
    [line.ax + ux * along - uy * offset, line.ay + uy * along + ux * offset] as const;
  const [x, y] = at(from);
  const [middleX, middleY] = at((from + to) / 2);
  const metres = (to - from) / 100;
  const isKerb = family === 'kerb';
  const patterns = { ...groundPatterns, kerb: 0 };
  return thing({
    family,
    class: family,
    index,
    x,
    y,
    middleX,
    middleY,
    direction: packedDirectionAlong(dx, dy),
    scale: isKerb ? [metres, kerbWidth, kerbHeight] : [metres, halfWidthCm / 100, 1],
    paint: packPaints(0, 0, 0, patterns[family]),
    radius: Math.hypot(metres / 2, halfWidthCm / 100),
    middle: 0,
  });
}

function streetThings(city: City): Thing[] {
  const things: Thing[] = [];
  for (const [index, road] of city.roads.entries()) {
    things.push(strip('road', index, road, road.halfWidthCm));
    const length = Math.hypot(road.bx - road.ax, road.by - road.ay);
    for (const side of [-1, 1]) {
      const part = {
        from: kerbSetBackCm,
        to: length - kerbSetBackCm,
        offset: side * (road.halfWidthCm + 11),
      };
      if (part.to > part.from) things.push(strip('kerb', index * 2 + (side + 1) / 2, road, 11, part));
    }
  }
  for (const [index, sidewalk] of city.sidewalks.entries()) {
    const length = Math.hypot(sidewalk.bx - sidewalk.ax, sidewalk.by - sidewalk.ay);
    const { halfWidthCm } = sidewalk;
    things.push(
      strip('sidewalk', index, sidewalk, halfWidthCm, { from: -halfWidthCm, to: length + halfWidthCm }),
    );
  }
  const connectors = city.routes.flatMap((route) =>
    route.edges.filter((edge) => edge.type === 'sidewalk' && edge.sidewalk === -1),
  );
  for (const [index, { fromX, fromY, toX, toY }] of connectors.entries()) {
    const line = { ax: fromX, ay: fromY, bx: toX, by: toY };
    things.push(strip('sidewalk', city.sidewalks.length + index, line, 200));
  }
  // A zebra's line runs from sidewalk to sidewalk; its paint is on the roadway.
  for (const [index, crosswalk] of city.crosswalks.entries()) {
    const length = Math.hypot(crosswalk.bx - crosswalk.ax, crosswalk.by - crosswalk.ay);
    const beside = (length - 2 * city.roads[crosswalk.road]!.halfWidthCm) / 2;
    const part = { from: beside, to: length - beside };
    things.push(strip('zebra', index, crosswalk, crosswalk.halfWidthCm, part));
  }
  // Paving around every junction, for the sides that have no road; roads are painted over it.
  for (const [index, { x, y }] of city.junctions.entries()) {
    const line = { ax: x - cornerCm, ay: y, bx: x + cornerCm, by: y };
    things.push(strip('sidewalk', 8192 + index, line, cornerCm));
  }
  return things;
}

function buildingThings(city: City): Thing[] {
  return city.buildings.map(({ minX, minY, maxX, maxY, heightCm }, index) => {
    const scale = [(maxX - minX) / 100, (maxY - minY) / 100, heightCm / 100] as const;
    return thing({
      family: 'building',
      class: 'building',
      index,
      x: minX,
      y: minY,
      scale,
      paint: packPaints(paintPlace('walls') + (pcg(index) % groupSize('walls'))),
      radius: Math.hypot(...scale) / 2,
      middle: heightCm / 200,
      middleX: (minX + maxX) / 2,
      middleY: (minY + maxY) / 2,
    });
  });
}

function furnitureThings(city: City): Thing[] {
  const looks = {
    tree: { family: 'tree', class: 'tree', radius: 4, middle: 3.8 },
    hydrant: { family: 'hydrant', class: 'hydrant', radius: 0.42, middle: 0.38 },
    scooter: { family: 'scooter', class: 'scooter', radius: 0.8, middle: 0.58 },
    'trash-can': { family: 'trashCan', class: 'trashCan', radius: 0.6, middle: 0.47 },
  } as const;
  return city.furniture.map(({ kind, x, y }, index) => {
    const turned = pcg(index + 7) % 3600;
    const angle = (turned / 1800) * Math.PI;
    const direction = packedDirectionAlong(Math.cos(angle) * 1000, Math.sin(angle) * 1000);
    const leaves = paintPlace('leaves');
    const paint = packPaints(
      leaves + (pcg(index) % groupSize('leaves')),
      leaves + (pcg(index + 3) % groupSize('leaves')),
    );
    return thing({ ...looks[kind], index, x, y, direction, paint });
  });
}

/** Bottles, patches; and balls and boxes as things that stand, which only those far from a route are. */
function groundThing({ kind, x, y }: City['groundObjects'][number], index: number): Thing {
  const at = { index, x, y, middle: 0 };
  const { hazards, objects } = actorClasses;
  switch (kind) {
    case 'bottle1':
    case 'bottle2': {
      const paint = packPaints(paintPlace(kind === 'bottle1' ? 'bottleGreen' : 'bottleBrown'));
      return thing({
        ...at,
        family: 'bottle',
        class: 'bottle',
        needs: hazards,
        paint,
        radius: 0.19,
        middle: 0.17,
      });
    }
    case 'oil':
    case 'water': {
      const paint = packPaints(0, 0, 0, groundPatterns[kind]);
      return thing({
        ...at,
        family: kind,
        class: kind,
        needs: hazards,
        paint,
        scale: [0.72, 0.6, 1],
        radius: 0.85,
      });
    }
    case 'box': {
      const paint = packPaints(paintPlace('crate'), paintPlace('tape'));
      const scale = [crateSide, crateSide, crateSide] as const;
      return thing({
        ...at,
        family: 'crate',
        class: 'crate',
        needs: objects,
        paint,
        scale,
        radius: 0.92,
        middle: 0.5,
      });
    }
    case 'basketball':
    case 'soccer':
    case 'tennis':
      break;
  }
  const paints = {
    basketball: packPaints(paintPlace('basketball'), paintPlace('black')),
    soccer: packPaints(paintPlace('white'), paintPlace('black')),
    tennis: packPaints(paintPlace('tennis'), paintPlace('tennis')),
  };
  const radius = kind === 'tennis' ? 0.05 : 0.12;
  const scale = [radius, radius, radius] as const;
  return thing({
    ...at,
    family: 'ball',
    class: 'ball',
    needs: objects,
    paint: paints[kind],
    scale,
    radius,
    middle: radius,
  });
}

function isProp(kind: City['groundObjects'][number]['kind']): boolean {
  return kind === 'box' || kind === 'basketball' || kind === 'soccer' || kind === 'tennis';
}

/** Which phase of its junction gives the road green. */
function groupOf(junction: Junction, road: number): number {
  return junction.vehicleGroups.findIndex((roads) => roads.includes(road));
}

/** Beyond the ends of a zebra's line: past the edge of the sidewalk. */
const pedestrianHeadCm = 235;

/** From the junction's middle, as in the release: from nowhere on a zebra does one stand before the pedestrian head across. */
const vehicleHeadCm = 1400;

/** Marks a pedestrian head where a vehicle head has its group. */
const pedestrianGroup = 255;

/**
 * Signal heads (RT-SAFE protocol §7): two for pedestrians at each signalised zebra, beyond its ends and 500 cm to the
 * side away from the junction, each looking across; one for vehicles per road and junction, beside the lane that ends
 * there. Nobody can bump into a head, so none stands where people walk: the release's pedestrian heads stand 100 cm
 * beyond the zebra's line, on the sidewalk, ours past its edge; its vehicle heads 14 m off both ways, where we have
 * buildings, ours 14 m along the road, at the kerb.
 */
function signalThings(city: City): Thing[] {
  const things: Thing[] = [];
  for (const [index, crosswalk] of city.crosswalks.entries()) {
    if (!crosswalk.signalised) continue;
    const junction = city.junctions[crosswalk.junction]!;
    const [dx, dy] = [crosswalk.bx - crosswalk.ax, crosswalk.by - crosswalk.ay];
    const length = Math.hypot(dx, dy);
    const [ux, uy] = [dx / length, dy / length];
    const [middleX, middleY] = [(crosswalk.ax + crosswalk.bx) / 2, (crosswalk.ay + crosswalk.by) / 2];
    const away = Math.hypot(middleX - junction.x, middleY - junction.y);
    const [ox, oy] = [(middleX - junction.x) / away, (middleY - junction.y) / away];
    for (const end of [-1, 1]) {
      const reach = end * (length / 2 + pedestrianHeadCm);
      things.push(
        thing({
          family: 'pedestrianSignal',
          class: 'signal',
          index: index * 2 + (end + 1) / 2,
          x: middleX + ux * reach + ox * 500,
          y: middleY + uy * reach + oy * 500,
          direction: packedDirectionAlong(-ux * end * 1000 - ox * 330, -uy * end * 1000 - oy * 330),
          paint: junction.vehicleGroups.length | (pedestrianGroup << 8),
          radius: 1.95,
          middle: 1.85,
        }),
      );
    }
  }
  for (const junction of city.junctions) {
    if (!junction.signalised) continue;
    for (const index of junction.roads) {
      const road = city.roads[index]!;
      const isStart = road.ax === junction.x && road.ay === junction.y;
      const [dx, dy] = isStart
        ? [road.bx - road.ax, road.by - road.ay]
        : [road.ax - road.bx, road.ay - road.by];
      const length = Math.hypot(dx, dy);
      const [ux, uy] = [dx / length, dy / length];
      // Traffic that comes to the junction drives along -u and has the kerb on its right: (uy, -ux).
      things.push(
        thing({
          family: 'vehicleSignal',
          class: 'signal',
          index: 4096 + index * 2 + (isStart ? 0 : 1),
          x: junction.x + ux * vehicleHeadCm + uy * 545,
          y: junction.y + uy * vehicleHeadCm - ux * 545,
          direction: packedDirectionAlong(dx, dy),
          paint: junction.vehicleGroups.length | (groupOf(junction, index) << 8),
          radius: 2.4,
          middle: 2.35,
        }),
      );
    }
  }
  return things;
}

function cityThings(city: City): Thing[] {
  const lying = city.groundObjects.flatMap((object, index) =>
    isProp(object.kind) ? [] : [groundThing(object, index)],
  );
  return [
    ...streetThings(city),
    ...buildingThings(city),
    ...furnitureThings(city),
    ...signalThings(city),
    ...lying,
  ];
}

/** Balls and boxes too far from the route to be its actors. */
function farProps(city: City, route: Route): Thing[] {
  return city.groundObjects.flatMap((object, index) => {
    if (!isProp(object.kind)) return [];
    const isActor = route.edges.some((edge) => distanceToSegment(object.x, object.y, edge) <= propDistanceCm);
    return isActor ? [] : [groundThing(object, index)];
  });
}

/**
 * Compiles what the camera draws of cities. Give it the cities that `compileWorld` was given, in the same order.
 *
 * @example const scene = compileCameraScene([buildCity(loadBundledScene('rt10'))]);
 */
export function compileCameraScene(cities: readonly City[]): CameraScene {
  return packScene(readShader, {
    maps: cities.map((city) => cityThings(city)),
    routes: cities.flatMap((city, map) =>
      city.routes.map((route) => ({ map, extras: farProps(city, route) })),
    ),
  });
}
