// Small worlds and a plain set of rules for the tests of the reference. Everything is given in centimetres and laid out as
// layout.wgsl declares, behind some unused records so that a relative index taken for an absolute one shows.
import { packedDirectionAlong } from '../../src/kernels/directions.ts';
import { toUnits } from '../../src/kernels/units.ts';
import { actorClasses, shapeKinds } from '../../src/kernels/world.ts';
import { ReferenceEpisode } from './episode.ts';
import { layoutOf, type ResetRequest, type Rules } from './records.ts';
import { tick } from './tick.ts';
import type { ReferenceTables } from './world.ts';

type Point = readonly [number, number];
type Kind = keyof typeof shapeKinds;
type Values = Record<string, number>;

/** Round numbers: contact at 100 cm, agent radius 30 cm, walkers at 1 m/s. Tests that need others say so. */
export const plainRules: Rules = {
  agentRadius: 480,
  humanContact: 1600,
  releaseMargin: 320,
  ballContact: 800,
  boxRadius: 640,
  fallingRadius: 320,
  agentHeight: 2880,
  contactRepeatTicks: 5,
  firstPlanning: 1,
  hazardSwept: 1,
  hazardOncePerDecision: 1,
  violationEveryTick: 0,
  tripHalfWidth: 800,
  oilHalfWidth: 960,
  waterHalfWidth: 1120,
  hazardRearm: 7200,
  contactPenaltyTicks: 60,
  tripPenaltyTicks: 50,
  buildingPenaltyTicks: 30,
  wedgePenaltyTicks: 20,
  buildingLimit: 3,
  wedgeLimit: 3,
  reachDistance: 4000,
  reachHalfWidth: 3360,
  followGap: 4000,
  followHalfWidth: 1600,
  patienceTicks: 20,
  passingTicks: 30,
  fallingTrigger: 6400,
  fallingDelayTicks: 5,
  fallingHeight: 8000,
  gravity: 157,
  pushSpeedBall: 480,
  pushSpeedBox: 160,
  frictionBall: 16,
  frictionBox: 40,
  greenTicks: 100,
  yellowTicks: 30,
  allRedTicks: 20,
  walkTicks: 720,
  clearanceTicks: 140,
  vehicleSpeed: 720,
  vehicleImpact: 1600,
  vehicleWaitTicks: 120,
  vehicleLifeTicks: 120,
  vehicleRange: 35200,
  launchMinimumCm: 300,
  launchSpanCm: 600,
  laneOffset: 6400,
  guardHalfWidth: 9600,
  clearanceIntimate: 720,
  clearancePersonal: 1920,
  clearanceSocial: 5760,
  dogSpeed: 160,
  setPoseTouches: 1,
  dogsRepeat: 1,
};

/** A strip from one point to another. */
export function strip(kind: Kind, from: Point, to: Point, halfWidthCm: number, vehicleGroups = 0): Values {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  return {
    kind: shapeKinds[kind],
    x: toUnits(from[0]),
    y: toUnits(from[1]),
    direction: packedDirectionAlong(dx, dy),
    extentX: toUnits(Math.hypot(dx, dy)),
    extentY: toUnits(halfWidthCm),
    link: vehicleGroups,
  };
}

export function disc(kind: Kind, [x, y]: Point, radiusCm: number, link = 0): Values {
  return { kind: shapeKinds[kind], x: toUnits(x), y: toUnits(y), extentX: toUnits(radiusCm), link };
}

export function building([x, y]: Point, sizeX: number, sizeY: number): Values {
  return {
    kind: shapeKinds.building,
    x: toUnits(x),
    y: toUnits(y),
    extentX: toUnits(sizeX),
    extentY: toUnits(sizeY),
  };
}

export interface TinyWorld {
  /** Corners of the route; edge k goes from corner k to k + 1. */
  readonly corners: readonly Point[];
  /** Kinds of the edges; sidewalks when left out. */
  readonly edgeKinds?: readonly ('sidewalk' | 'crosswalk')[];
  readonly startHeading?: number;
  readonly shapes?: readonly Values[];
  /** Closed walking paths, each a list of corners. */
  readonly pedestrianPaths?: readonly (readonly Point[])[];
  readonly dogPaths?: readonly (readonly Point[])[];
  readonly falling?: readonly Values[];
  /** Indices in `shapes` of balls and boxes. */
  readonly props?: readonly number[];
  readonly pedestrianCount?: number;
}

/** Lays a tiny world out; it is route 1, route 0 is empty. */
export function buildTinyWorld(input: TinyWorld): ReferenceTables {
  const edges = input.corners.slice(1).map((corner, index) => {
    const kind = input.edgeKinds?.[index] ?? 'sidewalk';
    return strip(kind, input.corners[index]!, corner, kind === 'sidewalk' ? 200 : 210);
  });
  const shapes = input.shapes ?? [];
  const falling = input.falling ?? [];
  const unusedShapes = [disc('furniture', [0, 0], 1), disc('furniture', [0, 0], 1)];
  const firstShape = unusedShapes.length;
  const unusedSegments = 3;
  const segments: Values[] = Array.from({ length: unusedSegments }, () => ({}));
  const tables = [77, 77, 77];

  const layCycles = (paths: readonly (readonly Point[])[]): number => {
    const pairs: number[] = [];
    for (const path of paths) {
      const first = segments.length - unusedSegments;
      pairs.push(first, path.length);
      path.forEach((corner, index) => {
        const { x, y, direction, extentX } = strip('sidewalk', corner, path[(index + 1) % path.length]!, 0);
        segments.push({
          x: x!,
          y: y!,
          direction: direction!,
          length: extentX!,
          next: first + ((index + 1) % path.length),
        });
      });
    }
    return append(tables, pairs);
  };
  const pedestrianCycles = layCycles(input.pedestrianPaths ?? []);
  const dogCycles = layCycles(input.dogPaths ?? []);
  const props = append(tables, input.props ?? []);
  const cells = append(tables, [0, shapes.length]);
  const cellItems = append(
    tables,
    shapes.map((_, index) => firstShape + index),
  );
  const [start, end] = [input.corners[0]!, input.corners.at(-1)!];
  const route: Values = {
    startX: toUnits(start[0]),
    startY: toUnits(start[1]),
    endX: toUnits(end[0]),
    endY: toUnits(end[1]),
    startHeading: input.startHeading ?? 0,
    edges: firstShape + shapes.length,
    edgeCount: edges.length,
    segments: unusedSegments,
    pedestrianCycles,
    pedestrianCycleCount: input.pedestrianPaths?.length ?? 0,
    dogCycles,
    dogCycleCount: input.dogPaths?.length ?? 0,
    falling: firstShape + shapes.length + edges.length,
    fallingCount: falling.length,
    props,
    propCount: input.props?.length ?? 0,
    pedestrianCount: input.pedestrianCount ?? 0,
    groundObjectCount: shapes.filter(({ kind }) => kind! >= shapeKinds.furniture).length,
    shapes: firstShape,
    cells,
    cellItems,
    columns: 1,
    rows: 1,
  };
  return {
    routes: encode('Route', [{}, route]),
    shapes: encode('Shape', [...unusedShapes, ...shapes, ...edges, ...falling]),
    segments: encode('PathSegment', segments),
    tables: Uint32Array.from(tables),
  };
}

export const allClasses = Object.values(actorClasses).reduce((sum, bit) => sum + bit, 0);

/** An episode on a tiny world: static mode, all classes, everything at 100 %, unless told otherwise. */
export function tinyEpisode(
  world: TinyWorld,
  rules: Partial<Rules> = {},
  request: Partial<ResetRequest> = {},
): ReferenceEpisode {
  const defaults: ResetRequest = {
    route: 1,
    rules: 0,
    mode: 0,
    seed: 12345,
    maxDecisions: 1000,
    percent: 100,
    speedChoices: 1,
    classes: allClasses,
  };
  return new ReferenceEpisode(
    buildTinyWorld(world),
    { ...plainRules, ...rules },
    { ...defaults, ...request },
  );
}

/** Runs ticks of a wait that never ends, past all decisions. */
export function waitTicks(episode: ReferenceEpisode, ticks: number): void {
  episode.state.status = 3;
  episode.state.action = 14;
  for (let count = 0; count < ticks; count++) {
    episode.state.phaseTicksLeft = 1;
    tick(episode.environment);
  }
}

function append(table: number[], values: readonly number[]): number {
  const first = table.length;
  table.push(...values);
  return first;
}

function encode(name: string, records: readonly Values[]): Uint32Array {
  const layout = layoutOf(name);
  const words = new Uint32Array(records.length * layout.words);
  records.forEach((record, index) => {
    for (const [member, value] of Object.entries(record))
      words[index * layout.words + layout.word(member)] = value;
  });
  return words;
}
