// Builds meshes from blocks, prisms, balls and flat shapes. Lengths in metres, axes as in the world: x forward, y to the
// right, z up.
import { type VertexPaint, vertexPaintPlace } from './paints.ts';

type Vector = readonly [number, number, number];

/** A limb: swings about a joint at a height, forward or back first. */
export interface Limb {
  readonly jointCm: number;
  readonly swing: 1 | -1;
}

export interface BlockOptions {
  /** How much narrower the top is than the bottom: a factor on x and y about the middle. */
  readonly taper?: number;
  readonly limb?: Limb | undefined;
  /** Sides to leave out: `z-` is the bottom. */
  readonly without?: readonly ('x-' | 'x+' | 'y-' | 'y+' | 'z-' | 'z+')[];
}

/** A flat face of three or four corners, in order around it, seen from its front counter-clockwise in right-handed axes. */
export interface Face {
  readonly corners: readonly Vector[];
  readonly paint: number;
  readonly limb: Limb | undefined;
  /** Along which axis it looks, mostly: x, y or z. */
  readonly axis: 0 | 1 | 2;
}

export interface Mesh {
  readonly faces: readonly Face[];
  /** Does its front (+x) turn to the eye, wherever the thing looks? */
  readonly turnsToEye: boolean;
}

function subtract(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function normalise(a: Vector): Vector {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}

export class MeshBuilder implements Mesh {
  readonly faces: Face[] = [];
  turnsToEye = false;

  /** For flat meshes. */
  turnToEye(): this {
    this.turnsToEye = true;
    return this;
  }

  /** An upright card that looks along +x, half as wide as given below and above; `lean` is how far its top is back. */
  card(
    [low, high]: readonly [number, number],
    [lowHalf, highHalf]: readonly [number, number],
    paint: VertexPaint,
    lean = 0,
  ): this {
    const corners: Vector[] = [
      [lean, -lowHalf, low],
      [lean, lowHalf, low],
      [-lean, highHalf, high],
      [-lean, -highHalf, high],
    ];
    return this.polygon(corners, [1, 0, 0], paint);
  }

  /** A flat polygon with corners in order around it; `outside` points away from its back. */
  polygon(corners: readonly Vector[], outside: Vector, paint: VertexPaint, limb?: Limb): this {
    const normal = cross(subtract(corners[1]!, corners[0]!), subtract(corners[2]!, corners[0]!));
    const isTurned = normal[0] * outside[0] + normal[1] * outside[1] + normal[2] * outside[2] < 0;
    const ordered = isTurned ? corners.toReversed() : corners;
    const sizes = normal.map(Math.abs);
    const axis = sizes.indexOf(Math.max(...sizes)) as Face['axis'];
    for (let corner = 1; corner < ordered.length - 1; corner += 2) {
      const part = [ordered[0]!, ...ordered.slice(corner, corner + 3)];
      this.faces.push({ corners: part, paint: vertexPaintPlace(paint), limb, axis });
    }
    return this;
  }

  /** A box between two corners. */
  block(low: Vector, high: Vector, paint: VertexPaint, options: BlockOptions = {}): this {
    const { taper = 1, limb, without = [] } = options;
    const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    const corner = (x: 0 | 1, y: 0 | 1, z: 0 | 1): Vector => {
      const factor = z === 1 ? taper : 1;
      const at = (axis: 0 | 1, end: 0 | 1) =>
        middle[axis]! + ((end === 1 ? high[axis] : low[axis]) - middle[axis]!) * factor;
      return [at(0, x), at(1, y), z === 1 ? high[2] : low[2]];
    };
    const sides = {
      'x-': [
        [corner(0, 0, 0), corner(0, 1, 0), corner(0, 1, 1), corner(0, 0, 1)],
        [-1, 0, 0],
      ],
      'x+': [
        [corner(1, 0, 0), corner(1, 1, 0), corner(1, 1, 1), corner(1, 0, 1)],
        [1, 0, 0],
      ],
      'y-': [
        [corner(0, 0, 0), corner(1, 0, 0), corner(1, 0, 1), corner(0, 0, 1)],
        [0, -1, 0],
      ],
      'y+': [
        [corner(0, 1, 0), corner(1, 1, 0), corner(1, 1, 1), corner(0, 1, 1)],
        [0, 1, 0],
      ],
      'z-': [
        [corner(0, 0, 0), corner(1, 0, 0), corner(1, 1, 0), corner(0, 1, 0)],
        [0, 0, -1],
      ],
      'z+': [
        [corner(0, 0, 1), corner(1, 0, 1), corner(1, 1, 1), corner(0, 1, 1)],
        [0, 0, 1],
      ],
    } as const;
    for (const [name, [corners, outside]] of Object.entries(sides)) {
      if (!without.includes(name as 'x-')) this.polygon(corners, outside, paint, limb);
    }
    return this;
  }

  /** An upright cylinder or cone of `sides` flat sides, closed at the top. */
  prism(
    sides: number,
    x: number,
    y: number,
    [lowRadius, highRadius]: readonly [number, number],
    [lowZ, highZ]: readonly [number, number],
    paint: VertexPaint,
  ): this {
    const rim = (radius: number, z: number): Vector[] =>
      Array.from({ length: sides }, (_, side) => {
        const angle = ((side + 0.5) / sides) * 2 * Math.PI;
        return [x + radius * Math.cos(angle), y + radius * Math.sin(angle), z];
      });
    const [bottom, top] = [rim(lowRadius, lowZ), rim(highRadius, highZ)];
    for (let side = 0; side < sides; side++) {
      const next = (side + 1) % sides;
      const corners = [bottom[side]!, bottom[next]!, top[next]!, top[side]!];
      const angle = ((side + 1) / sides) * 2 * Math.PI;
      this.polygon(corners, [Math.cos(angle), Math.sin(angle), 0], paint);
    }
    if (highRadius > 0) this.polygon(top, [0, 0, 1], paint);
    return this;
  }

  /** An upright tube without ends, for things far away. */
  tube(
    sides: number,
    [radiusX, radiusY]: readonly [number, number],
    [lowZ, highZ]: readonly [number, number],
    paint: VertexPaint,
    highScale = 1,
  ): this {
    const at = (side: number, z: number, scale: number): Vector => {
      const angle = ((side + 0.5) / sides) * 2 * Math.PI;
      return [radiusX * scale * Math.cos(angle), radiusY * scale * Math.sin(angle), z];
    };
    for (let side = 0; side < sides; side++) {
      const corners = [
        at(side, lowZ, 1),
        at(side + 1, lowZ, 1),
        at(side + 1, highZ, highScale),
        at(side, highZ, highScale),
      ];
      const angle = ((side + 1) / sides) * 2 * Math.PI;
      this.polygon(corners, [Math.cos(angle) / radiusX, Math.sin(angle) / radiusY, 0], paint);
    }
    return this;
  }

  /** A ball of triangles: 0 an octahedron, each level four times as many; `paintOf` chooses by the middle of a triangle. */
  ball(centre: Vector, radii: Vector, level: number, paintOf: (direction: Vector) => VertexPaint): this {
    const axes: Vector[] = [
      [1, 0, 0],
      [0, 1, 0],
      [-1, 0, 0],
      [0, -1, 0],
    ];
    let triangles: [Vector, Vector, Vector][] = axes.flatMap((axis, index): [Vector, Vector, Vector][] => {
      const next = axes[(index + 1) % 4]!;
      return [
        [axis, next, [0, 0, 1]],
        [next, axis, [0, 0, -1]],
      ];
    });
    const between = (a: Vector, b: Vector) => normalise([a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
    for (let step = 0; step < level; step++) {
      triangles = triangles.flatMap(([a, b, c]): [Vector, Vector, Vector][] => {
        const [ab, bc, ca] = [between(a, b), between(b, c), between(c, a)];
        return [
          [a, ab, ca],
          [ab, b, bc],
          [ca, bc, c],
          [ab, bc, ca],
        ];
      });
    }
    for (const [a, b, c] of triangles) {
      const middle = normalise([a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]]);
      const corners = [a, b, c].map(
        (direction): Vector => [
          centre[0] + radii[0] * direction[0],
          centre[1] + radii[1] * direction[1],
          centre[2] + radii[2] * direction[2],
        ],
      );
      this.polygon(corners, middle, paintOf(middle));
    }
    return this;
  }
}

/** Steps of a corner's coordinates in a metre. */
const faceScale = 2048;
/** Words of a face: four corners of three halves, then paint, swing (128 is none), height of the joint in cm, axis. */
const faceWords = 8;
/** Bits of a face's number and of a mesh's number of faces. */
const faceBits = 14;

/** The faces of several meshes. */
export interface MeshBuffers {
  /** [face, 8] */
  readonly faces: Uint32Array<ArrayBuffer>;
  /** [mesh, 4]: its first face, its number of faces and its list in one word; 1 where it turns to the eye. */
  readonly table: Uint32Array<ArrayBuffer>;
}

/** Packs meshes, each with the list that its triangles go to (0 to 3). */
export function packMeshes(meshes: readonly (Mesh & { readonly list: number })[]): MeshBuffers {
  const faceCount = meshes.reduce((sum, { faces }) => sum + faces.length, 0);
  if (faceCount >= 2 ** faceBits)
    throw new RangeError(`${faceCount} faces: allowed are fewer than ${2 ** faceBits}`);
  const faces = new Uint32Array(faceCount * faceWords);
  const halves = new Int16Array(faces.buffer);
  const bytes = new Uint8Array(faces.buffer);
  const table = new Uint32Array(meshes.length * 4);
  let place = 0;
  for (const [number, mesh] of meshes.entries()) {
    table[number * 4 + 1] = mesh.turnsToEye ? 1 : 0;
    table[number * 4] = place | (mesh.faces.length << faceBits) | (mesh.list << (2 * faceBits));
    for (const { corners, paint, limb, axis } of mesh.faces) {
      for (let corner = 0; corner < 4; corner++) {
        const position = corners[corner] ?? corners.at(-1)!;
        const steps = position.map((part) => Math.round(part * faceScale));
        halves.set(steps, place * faceWords * 2 + corner * 3);
      }
      const swing = 128 + (limb ? limb.swing * 127 : 0);
      bytes.set([paint, swing, limb?.jointCm ?? 0, axis], place * faceWords * 4 + 24);
      place++;
    }
  }
  return { faces, table };
}

/** How cameraShape.wgsl reads faces and the words of `table`. */
export function faceConstants(): string {
  return [
    `const FACE_SCALE = ${faceScale}.0;`,
    `const FACE_BITS = ${faceBits}u;`,
    `const FACE_MASK = ${2 ** faceBits - 1}u;`,
    `const LIST_SHIFT = ${2 * faceBits}u;`,
    '',
  ].join('\n');
}
