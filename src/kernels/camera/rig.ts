// How the agent's camera is mounted, and where a point of the world falls in its picture.
import { mat4d, vec4d } from 'wgpu-matrix';
import { directionTable } from '../directions.ts';
import { unitsPerCm } from '../units.ts';

export interface CameraRig {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly horizontalFieldOfViewDegrees: number;
  /** Below 0: downwards. */
  readonly pitchDegrees: number;
  /** Above the ground. */
  readonly eyeHeightCm: number;
}

/** RT-SAFE protocol §5. */
export const publishedRig: CameraRig = {
  width: 720,
  height: 640,
  horizontalFieldOfViewDegrees: 100,
  pitchDegrees: -25,
  eyeHeightCm: 245,
};

/** Metres; nothing nearer to the eye is drawn. */
export const nearMetres = 0.1;

/** Where the camera stands: units, tenths of a degree. */
export interface Pose {
  readonly x: number;
  readonly y: number;
  readonly heading: number;
}

/** A place in the picture: pixels from its upper left corner, and metres along the camera's axis. */
export interface Projected {
  readonly x: number;
  readonly y: number;
  readonly depth: number;
}

export function tangents({ width, height, horizontalFieldOfViewDegrees }: CameraRig) {
  const slopeX = Math.tan((horizontalFieldOfViewDegrees * Math.PI) / 360);
  return { slopeX, slopeY: (slopeX * height) / width, focal: width / (2 * slopeX) };
}

const directions = directionTable();

/** Right, up and forward of a camera at a heading, in the world's left-handed axes: y is to the right of x, z up. */
export function cameraAxes(heading: number, pitchDegrees: number) {
  const turn = (((heading % 3600) + 3600) % 3600) * 2;
  const length = Math.hypot(directions[turn]!, directions[turn + 1]!);
  const [cosine, sine] = [directions[turn]! / length, directions[turn + 1]! / length];
  const pitch = (pitchDegrees * Math.PI) / 180;
  const [level, rise] = [Math.cos(pitch), Math.sin(pitch)];
  return {
    right: [-sine, cosine, 0],
    up: [-cosine * rise, -sine * rise, level],
    forward: [cosine * level, sine * level, rise],
  } as const;
}

/** The matrix from metres about the point under the camera to clip space. */
function viewProjection(rig: CameraRig, heading: number) {
  const { right, up, forward } = cameraAxes(heading, rig.pitchDegrees);
  const rows = [right, up, forward.map((part) => -part)];
  const rotation = mat4d.create(
    ...([0, 1, 2].flatMap((axis) => [...rows.map((row) => row[axis]!), 0]) as [number]),
    ...([0, 0, 0, 1] as [number, number, number, number]),
  );
  const eye = mat4d.translation([0, 0, -rig.eyeHeightCm / 100]);
  const { slopeY } = tangents(rig);
  const lens = mat4d.perspective(
    2 * Math.atan(slopeY),
    rig.width / rig.height,
    nearMetres,
    Number.POSITIVE_INFINITY,
  );
  return mat4d.multiply(mat4d.multiply(lens, rotation), eye);
}

/**
 * Where a point (units, centimetres above ground) falls in the picture; undefined behind the camera.
 *
 * @example projectPoint(publishedRig, { x: 0, y: 0, heading: 0 }, 6400, 0, 0) // 4 m ahead: the middle column
 */
export function projectPoint(
  rig: CameraRig,
  pose: Pose,
  x: number,
  y: number,
  heightCm: number,
): Projected | undefined {
  const metres = 100 * unitsPerCm;
  const place = vec4d.create((x - pose.x) / metres, (y - pose.y) / metres, heightCm / 100, 1);
  const [clipX, clipY, , depth] = vec4d.transformMat4(place, viewProjection(rig, pose.heading));
  if (depth! < nearMetres) return undefined;
  return {
    x: (rig.width / 2) * (1 + clipX! / depth!),
    y: (rig.height / 2) * (1 - clipY! / depth!),
    depth: depth!,
  };
}
