// Casts rays from an eye at what stands in a street and at what is painted on its ground, in double precision. Metres; the
// axes of the world: x forward, y to the right, z up.

export type Vector = readonly [number, number, number];

/** Something that stands: flat faces that are seen from their front only, corners in order around each. */
export interface Body {
  /** Segmentation id. */
  readonly id: number;
  readonly faces: readonly (readonly Vector[])[];
}

/** A building: all from the lower corner to the upper one. */
export interface Box {
  readonly id: number;
  readonly low: Vector;
  readonly high: Vector;
}

/** Something painted on the ground: what has the higher layer hides what has the lower. */
export interface Patch {
  readonly id: number;
  readonly layer: number;
  covers(x: number, y: number): boolean;
}

export interface Street {
  readonly bodies: readonly Body[];
  readonly boxes: readonly Box[];
  readonly patches: readonly Patch[];
}

/** What a ray meets first. */
export interface Hit {
  /** In lengths of the ray's vector: metres of depth where that is one metre deep. 0: nothing. */
  readonly depth: number;
  /** Segmentation ids that a picture may show there: several only where patches of one layer lie over each other. */
  readonly ids: readonly number[];
  /** Tells faces of bodies and boxes apart. */
  readonly face: string;
}

/** Id of bare ground and of the sky. */
const [bareGround, sky] = [1, 0];
/** A ray that falls less than this on a metre of depth ends in the sky. */
const leastFall = 0.001;

const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** A face that shows its front to the eye, as cast at from there. */
interface SeenFace {
  readonly name: string;
  readonly normal: Vector;
  /** Distance of its plane from the eye, in lengths of the normal. */
  readonly distance: number;
  /** [triangle]: of the three planes through the eye and an edge. */
  readonly sides: readonly (readonly Vector[])[];
}

function seenFaces({ id, faces }: Body, eye: Vector): SeenFace[] {
  return faces.flatMap((corners, place) => {
    const [first, ...rest] = corners.map((corner) => subtract(corner, eye));
    const normal = cross(subtract(rest[0]!, first!), subtract(rest[1]!, first!));
    const distance = dot(normal, first!);
    if (distance >= 0) return [];
    const sides = rest.slice(1).map((third, at) => {
      const second = rest[at]!;
      return [cross(first!, second), cross(second, third), cross(third, first!)];
    });
    return [{ name: `${id}:${place}`, normal, distance, sides }];
  });
}

/** How far along the ray a face is met; infinite where it is not. */
function faceDepth({ normal, distance, sides }: SeenFace, ray: Vector): number {
  const depth = distance / dot(normal, ray);
  if (!(depth > 0)) return Number.POSITIVE_INFINITY;
  // The ray passes on the same side of all edges of a triangle.
  for (const [a, b, c] of sides) {
    const [first, second, third] = [dot(a!, ray), dot(b!, ray), dot(c!, ray)];
    if ((first >= 0 && second >= 0 && third >= 0) || (first <= 0 && second <= 0 && third <= 0)) return depth;
  }
  return Number.POSITIVE_INFINITY;
}

/** A box is met where the last of its three pairs of planes is entered. */
function boxHit({ low, high }: Box, eye: Vector, ray: Vector): { depth: number; axis: number } {
  let [enter, leave, axis] = [0, Number.POSITIVE_INFINITY, -1];
  for (const side of [0, 1, 2] as const) {
    const [a, b] = [(low[side] - eye[side]) / ray[side], (high[side] - eye[side]) / ray[side]];
    if (Math.min(a, b) > enter) [enter, axis] = [Math.min(a, b), side];
    leave = Math.min(leave, Math.max(a, b));
  }
  return { depth: enter < leave && axis >= 0 ? enter : Number.POSITIVE_INFINITY, axis };
}

interface Ball {
  readonly middle: Vector;
  readonly radius: number;
}

const balls = new WeakMap<Body, Ball>();

/** The ball around a body's corners. */
function ballAround(body: Body): Ball {
  const known = balls.get(body);
  if (known !== undefined) return known;
  const corners = body.faces.flat();
  const middleOf = (axis: 0 | 1 | 2) => {
    const values = corners.map((corner) => corner[axis]);
    return (Math.min(...values) + Math.max(...values)) / 2;
  };
  const middle: Vector = [middleOf(0), middleOf(1), middleOf(2)];
  const radius = Math.max(...corners.map((corner) => Math.hypot(...subtract(corner, middle))));
  balls.set(body, { middle, radius });
  return { middle, radius };
}

/** Casts rays from one eye. What stands hides what is painted, however near that is (docs/camera.md). */
export class RayCaster {
  /** From the eye to the middles of bodies. */
  readonly directions: readonly Vector[];
  readonly #street: Street;
  readonly #eye: Vector;
  /** [body, 4]: from the eye to its middle, and the square of a tangent from the eye to the ball around it. */
  readonly #balls: Float64Array;
  /** [body]: filled in as rays come near. */
  readonly #faces: (readonly SeenFace[] | undefined)[];

  constructor(street: Street, eye: Vector) {
    this.#street = street;
    this.#eye = eye;
    const around = street.bodies.map(ballAround);
    this.directions = around.map(({ middle }) => subtract(middle, eye));
    this.#balls = Float64Array.from(
      around.flatMap(({ radius }, body) => {
        const away = this.directions[body]!;
        return [...away, dot(away, away) - radius * radius];
      }),
    );
    this.#faces = street.bodies.map(() => undefined);
  }

  cast(ray: Vector): Hit {
    const standing = this.#standing(ray);
    return standing.depth < Number.POSITIVE_INFINITY ? standing : this.#painted(ray);
  }

  /** May a ray meet the ball around a body? */
  #isNear(body: number, ray: Vector, squared: number): boolean {
    const numbers = this.#balls;
    const first = body * 4;
    const along = numbers[first]! * ray[0] + numbers[first + 1]! * ray[1] + numbers[first + 2]! * ray[2];
    const tangent = numbers[first + 3]!;
    return tangent <= 0 || (along > 0 && along * along >= tangent * squared);
  }

  #standing(ray: Vector): Hit {
    let nearest: Hit = { depth: Number.POSITIVE_INFINITY, ids: [], face: '' };
    const squared = dot(ray, ray);
    for (let place = 0; place < this.#faces.length; place++) {
      if (!this.#isNear(place, ray, squared)) continue;
      const body = this.#street.bodies[place]!;
      const faces = this.#faces[place] ?? seenFaces(body, this.#eye);
      this.#faces[place] = faces;
      for (const face of faces) {
        const depth = faceDepth(face, ray);
        if (depth < nearest.depth) nearest = { depth, ids: [body.id], face: face.name };
      }
    }
    for (const box of this.#street.boxes) {
      const { depth, axis } = boxHit(box, this.#eye, ray);
      if (depth < nearest.depth) nearest = { depth, ids: [box.id], face: `${box.id}:${axis}` };
    }
    return nearest;
  }

  #painted(ray: Vector): Hit {
    if (ray[2] >= -leastFall) return { depth: 0, ids: [sky], face: 'sky' };
    const depth = -this.#eye[2] / ray[2];
    const [x, y] = [this.#eye[0] + ray[0] * depth, this.#eye[1] + ray[1] * depth];
    const there = this.#street.patches.filter((patch) => patch.covers(x, y));
    const top = Math.max(...there.map(({ layer }) => layer));
    const ids = there.filter(({ layer }) => layer === top).map(({ id }) => id);
    return { depth, ids: ids.length === 0 ? [bareGround] : ids, face: 'ground' };
  }
}
