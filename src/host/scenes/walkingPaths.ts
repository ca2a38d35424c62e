// Walking paths as closed cycles of straight segments. A pedestrian keeps 200 cm to one side of its route and comes back
// on the other; a robot dog runs its zig-zag to and fro (RT-SAFE protocol §8).
import type { PedestrianRoute } from './city/pedestrianRoutes.ts';
import type { Point } from './schema.ts';

/** Offset of a pedestrian's lane from the route line, in cm, along (d.y, -d.x) of its direction. */
const laneOffsetCm = 200;

/** A closed polyline: corner i leads to corner i + 1, the last back to the first. */
export type ClosedPath = readonly Readonly<Point>[];

function offsetLane(points: readonly Readonly<Point>[]): Point[] {
  const lane: Point[] = [];
  for (let index = 0; index + 1 < points.length; index++) {
    const [ax, ay] = points[index]!;
    const [bx, by] = points[index + 1]!;
    const length = Math.sqrt((bx - ax) ** 2 + (by - ay) ** 2);
    if (length === 0) continue;
    const offsetX = (laneOffsetCm * (by - ay)) / length;
    const offsetY = (-laneOffsetCm * (bx - ax)) / length;
    lane.push([ax + offsetX, ay + offsetY], [bx + offsetX, by + offsetY]);
  }
  return lane;
}

/** The two lanes of a pedestrian route: walked as listed, and reversed. Shifted pieces are joined directly. */
export function pedestrianPaths({ points, isLoop }: PedestrianRoute): [ClosedPath, ClosedPath] {
  const forward = isLoop ? [...points, points[0]!] : points;
  const backward = [...forward].reverse();
  if (isLoop) return [offsetLane(forward), offsetLane(backward)];
  const [out, home] = [offsetLane(forward), offsetLane(backward)];
  return [
    [...out, ...home],
    [...home, ...out],
  ];
}

/** A dog's route to its end and back to its start. */
export function dogPath(points: readonly Readonly<Point>[]): ClosedPath {
  return [...points, ...points.slice(1, -1).reverse()];
}
