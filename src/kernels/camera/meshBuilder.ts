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

/** Bytes of a vertex: three floats, a normal, and paint, mesh, swing, joint. */
export const vertexBytes = 20;

export interface Mesh {
  readonly vertices: readonly { position: Vector; normal: Vector; paint: number; limb: Limb | undefined }[];
  readonly indices: readonly number[];
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
  readonly vertices: { position: Vector; normal: Vector; paint: number; limb: Limb | undefined }[] = [];
  readonly indices: number[] = [];

  /** A flat polygon with corners in order around it; `outside` points away from its back. */
  polygon(corners: readonly Vector[], outside: Vector, paint: VertexPaint, limb?: Limb): this {
    let normal = normalise(cross(subtract(corners[1]!, corners[0]!), subtract(corners[2]!, corners[0]!)));
    const isTurned = normal[0] * outside[0] + normal[1] * outside[1] + normal[2] * outside[2] < 0;
    if (isTurned) normal = [-normal[0], -normal[1], -normal[2]];
    const first = this.vertices.length;
    const ordered = isTurned ? corners.toReversed() : corners;
    for (const position of ordered)
      this.vertices.push({ position, normal, paint: vertexPaintPlace(paint), limb });
    for (let corner = 2; corner < ordered.length; corner++)
      this.indices.push(first, first + corner - 1, first + corner);
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

  /** An upright tube without ends whose sides share their corners: few vertices, for things far away. */
  tube(
    sides: number,
    [radiusX, radiusY]: readonly [number, number],
    [lowZ, highZ]: readonly [number, number],
    paint: VertexPaint,
    highScale = 1,
  ): this {
    const first = this.vertices.length;
    for (const [z, scale] of [
      [lowZ, 1],
      [highZ, highScale],
    ] as const) {
      for (let side = 0; side < sides; side++) {
        const angle = ((side + 0.5) / sides) * 2 * Math.PI;
        const normal: Vector = [Math.cos(angle), Math.sin(angle), 0];
        const position: Vector = [radiusX * scale * normal[0], radiusY * scale * normal[1], z];
        this.vertices.push({ position, normal, paint: vertexPaintPlace(paint), limb: undefined });
      }
    }
    for (let side = 0; side < sides; side++) {
      const next = (side + 1) % sides;
      const [low, high] = [first, first + sides];
      this.indices.push(low + side, low + next, high + next, low + side, high + next, high + side);
    }
    return this;
  }

  /** A ball of triangles: 0 an octahedron, each level four times as many; `paintOf` chooses by the middle of a triangle. */
  ball(
    centre: Vector,
    radii: Vector,
    level: number,
    paintOf: (direction: Vector) => VertexPaint,
    isSmooth = true,
  ): this {
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
    const known = new Map<string, number>();
    for (const triangle of triangles) {
      const [a, b, c] = triangle;
      const middle = normalise([a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]]);
      const paint = vertexPaintPlace(paintOf(middle));
      for (const direction of triangle) {
        const normal = isSmooth ? direction : middle;
        const key = [paint, ...direction, ...normal].map((part) => part.toFixed(4)).join();
        let vertex = known.get(key);
        if (vertex === undefined) {
          vertex = this.vertices.length;
          known.set(key, vertex);
          const position: Vector = [
            centre[0] + radii[0] * direction[0],
            centre[1] + radii[1] * direction[1],
            centre[2] + radii[2] * direction[2],
          ];
          this.vertices.push({ position, normal, paint, limb: undefined });
        }
        this.indices.push(vertex);
      }
    }
    return this;
  }
}

/** Several meshes in one vertex and one index buffer. */
export interface MeshBuffers {
  readonly vertices: Uint8Array<ArrayBuffer>;
  readonly indices: Uint16Array<ArrayBuffer>;
  /** [mesh]: index count, first index, base vertex, 0 */
  readonly table: Uint32Array<ArrayBuffer>;
}

export function packMeshes(meshes: readonly Mesh[]): MeshBuffers {
  const vertexCount = meshes.reduce((sum, { vertices }) => sum + vertices.length, 0);
  const indexCount = meshes.reduce((sum, { indices }) => sum + indices.length, 0);
  const vertices = new Uint8Array(vertexCount * vertexBytes);
  // A whole number of words, as buffer writes must be.
  const indices = new Uint16Array(Math.ceil(indexCount / 2) * 2);
  const table = new Uint32Array(meshes.length * 4);
  const view = new DataView(vertices.buffer);
  let vertex = 0;
  let index = 0;
  for (const [number, mesh] of meshes.entries()) {
    table.set([mesh.indices.length, index, vertex, 0], number * 4);
    indices.set(mesh.indices, index);
    index += mesh.indices.length;
    for (const { position, normal, paint, limb } of mesh.vertices) {
      const start = vertex * vertexBytes;
      for (const [axis, value] of position.entries()) view.setFloat32(start + axis * 4, value, true);
      for (const [axis, value] of normal.entries()) view.setInt8(start + 12 + axis, Math.round(value * 127));
      view.setUint8(start + 16, paint);
      view.setUint8(start + 17, number);
      view.setUint8(start + 18, 128 + (limb ? limb.swing * 127 : 0));
      view.setUint8(start + 19, limb?.jointCm ?? 0);
      vertex++;
    }
  }
  return { vertices, indices, table };
}
