// Depth and segmentation of an analytic scene against geometry worked out on the CPU, from places off centre and turned.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Camera } from '../../../src/kernels/camera/camera.ts';
import type { Images } from '../../../src/kernels/camera/rasteriser.ts';
import { cameraAxes, type Pose, publishedRig, tangents } from '../../../src/kernels/camera/rig.ts';
import { segmentationClassOf } from '../../../src/kernels/camera/segmentation.ts';
import { actorClasses } from '../../../src/kernels/world.ts';
import {
  analyticCity,
  ball,
  box,
  type CameraWorld,
  eachRasteriser,
  openCameraWorld,
  openingTimeout,
} from './analyticScene.ts';

type Vector = readonly [number, number, number];

const testRig = { ...publishedRig, width: 360, height: 320 };
const eyeHeight = testRig.eyeHeightCm / 100;

/** The ray through the middle of a pixel, one metre deep. */
function rayThrough(pose: Pose, column: number, row: number): Vector {
  const { right, up, forward } = cameraAxes(pose.heading, testRig.pitchDegrees);
  const { slopeX, slopeY } = tangents(testRig);
  const x = ((column + 0.5) / testRig.width) * 2 - 1;
  const y = 1 - ((row + 0.5) / testRig.height) * 2;
  const part = (axis: 0 | 1 | 2) => forward[axis] + right[axis] * x * slopeX + up[axis] * y * slopeY;
  return [part(0), part(1), part(2)];
}

function groundDepth([, , z]: Vector): number {
  return z < -0.001 ? eyeHeight / -z : Number.POSITIVE_INFINITY;
}

/** Slabs: where a ray from the eye enters the box. */
function boxDepth(pose: Pose, ray: Vector): number {
  const eye = [pose.x / 1600, pose.y / 1600, eyeHeight];
  const low = [box.minX / 100, box.minY / 100, 0];
  const high = [box.maxX / 100, box.maxY / 100, box.heightCm / 100];
  let [enter, leave] = [0, Number.POSITIVE_INFINITY];
  for (const axis of [0, 1, 2] as const) {
    const [a, b] = [(low[axis]! - eye[axis]!) / ray[axis], (high[axis]! - eye[axis]!) / ray[axis]];
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
  }
  return enter < leave ? enter : Number.POSITIVE_INFINITY;
}

function ballDepth(pose: Pose, ray: Vector): number {
  const radius = ball.radiusCm / 100;
  const eye: Vector = [pose.x / 1600, pose.y / 1600, eyeHeight];
  const d: Vector = [eye[0] - ball.x / 100, eye[1] - ball.y / 100, eye[2] - radius];
  const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const [a, b, c] = [dot(ray, ray), dot(ray, d), dot(d, d) - radius * radius];
  const root = b * b - a * c;
  return root < 0 ? Number.POSITIVE_INFINITY : (-b - Math.sqrt(root)) / a;
}

interface Expected {
  readonly depth: number;
  readonly what: 'building' | 'ball' | 'ground' | 'sky';
}

function expected(pose: Pose, column: number, row: number): Expected {
  const ray = rayThrough(pose, column, row);
  const depths = { building: boxDepth(pose, ray), ball: ballDepth(pose, ray), ground: groundDepth(ray) };
  let nearest: Expected = { depth: 0, what: 'sky' };
  for (const [what, depth] of Object.entries(depths)) {
    if (Number.isFinite(depth) && (nearest.what === 'sky' || depth < nearest.depth))
      nearest = { depth, what: what as 'ball' };
  }
  return nearest;
}

const groundClasses = new Set(['ground', 'road', 'sidewalk', 'zebra']);

function found(images: Images, view: number, column: number, row: number): Expected {
  const at = (view * images.height + row) * images.width + column;
  const name = segmentationClassOf(images.segmentation![at]!);
  const what = groundClasses.has(name) ? 'ground' : (name as Expected['what']);
  return { depth: images.depth![at]!, what };
}

/** Is the pixel of the same thing as its eight neighbours? */
function isInside(pose: Pose, column: number, row: number): boolean {
  const { what } = expected(pose, column, row);
  return [-1, 0, 1].every((dx) =>
    [-1, 0, 1].every((dy) => expected(pose, column + dx, row + dy).what === what),
  );
}

/** Walks the agent (codes of struct Decision), so that the camera stands off the lines of the scene. */
const places: readonly { name: string; actions: readonly number[]; turnDegrees: number }[] = [
  { name: 'at the start', actions: [], turnDegrees: 0 },
  { name: 'turned by the right context camera', actions: [], turnDegrees: 70 },
  { name: 'four metres on, 30 degrees to the right', actions: [5, 11], turnDegrees: 0 },
  { name: 'near the box', actions: [4, 4, 1], turnDegrees: 12.3 },
];

describe.each(eachRasteriser)('$adapter, $rasteriser', ({ adapter, rasteriser }) => {
  let world: CameraWorld;
  let camera: Camera;

  beforeAll(async () => {
    world = await openCameraWorld(analyticCity(), 1, actorClasses.objects, adapter);
    // The finest meshes: a ball is to be a ball.
    camera = await world.camera({ geometry: true, rig: testRig, detail: 100, rasteriser });
  }, openingTimeout);

  afterAll(async () => {
    await camera?.destroy();
    await world?.close();
  });

  /** Pixels compared so far, by what they show. */
  const compared = new Map<string, number>();

  describe.each(places)('$name', ({ actions, turnDegrees }) => {
    let images: Images;
    let pose: Pose;

    beforeAll(async () => {
      for (const action of actions) {
        world.batch.decide(0, action, 0);
        await world.batch.advance();
      }
      const [x, y, heading] = ['x', 'y', 'heading'].map((member) => world.batch.summary.get(0, member));
      pose = { x: x!, y: y!, heading: heading! + Math.round(turnDegrees * 10) };
      images = await camera.render([{ env: 0, turnDegrees }]);
    });

    test('depth is the closed form within 0.1 %, segmentation agrees off the silhouettes', () => {
      let worst = 0;
      const wrong: string[] = [];
      for (let row = 1; row < testRig.height - 1; row += 2) {
        for (let column = 1; column < testRig.width - 1; column++) {
          if (!isInside(pose, column, row)) continue;
          const [wanted, got] = [expected(pose, column, row), found(images, 0, column, row)];
          // Kerbs stand on the ground and are no part of the closed form.
          const at = row * images.width + column;
          if (segmentationClassOf(images.segmentation![at]!) === 'kerb') continue;
          compared.set(got.what, (compared.get(got.what) ?? 0) + 1);
          if (got.what !== wanted.what) wrong.push(`${column},${row}: ${got.what} for ${wanted.what}`);
          else if (wanted.depth > 0) worst = Math.max(worst, Math.abs(got.depth / wanted.depth - 1));
        }
      }
      expect(wrong).toEqual([]);
      expect(worst).toBeLessThan(0.001);
    });
  });

  test('the places showed all there is', () => {
    expect(compared.get('sky')).toBeGreaterThan(1000);
    expect(compared.get('ground')).toBeGreaterThan(10_000);
    expect(compared.get('building')).toBeGreaterThan(1000);
    expect(compared.get('ball')).toBeGreaterThan(10);
  });
});
