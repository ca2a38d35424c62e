// The meshes of the city: each family of things in up to four levels of detail. Their order is the order of drawing.
import { type Mesh, MeshBuilder } from './meshBuilder.ts';
import type { VertexPaint } from './paints.ts';

/** Each kind has its own pipeline and its own list of triangles. In the order of drawing. */
export const meshKinds = ['object', 'building', 'ground', 'shadow'] as const;

export type MeshKind = (typeof meshKinds)[number];

interface Family {
  readonly kind: MeshKind;
  /** Fine to coarse. */
  readonly levels: readonly Mesh[];
}

const sidesOnly = { without: ['z-', 'z+'] } as const;
const noBottom = { without: ['z-'] } as const;

function finePerson(): Mesh {
  const mesh = new MeshBuilder();
  for (const side of [-1, 1] as const) {
    const leg = { jointCm: 88, swing: side };
    const arm = { jointCm: 140, swing: side === 1 ? (-1 as const) : (1 as const) };
    const y = 0.1 * side;
    mesh.block([-0.09, y - 0.06, 0], [0.17, y + 0.06, 0.09], 'shoe', { limb: leg });
    mesh.block([-0.075, y - 0.07, 0.09], [0.075, y + 0.07, 0.9], 'own1', { limb: leg, taper: 1.2 });
    const shoulder = 0.27 * side;
    mesh.block([-0.05, shoulder - 0.05, 1.12], [0.05, shoulder + 0.05, 1.43], 'own0', {
      limb: arm,
      taper: 1.15,
    });
    mesh.block([-0.04, shoulder - 0.04, 0.82], [0.04, shoulder + 0.04, 1.12], 'own2', {
      limb: arm,
      ...noBottom,
    });
  }
  mesh.block([-0.11, -0.18, 0.86], [0.11, 0.18, 1.45], 'own0', { taper: 1.18 });
  mesh.block([-0.05, -0.05, 1.45], [0.05, 0.05, 1.53], 'own2', sidesOnly);
  mesh.block([-0.09, -0.085, 1.51], [0.1, 0.085, 1.72], 'own2');
  // Hair covers the crown and the back of the head; eyes and nose are in front.
  mesh.block([-0.115, -0.1, 1.55], [-0.02, 0.1, 1.77], 'own3');
  mesh.block([-0.1, -0.095, 1.69], [0.105, 0.095, 1.775], 'own3', { taper: 0.85 });
  mesh.block([0.1, -0.018, 1.58], [0.125, 0.018, 1.63], 'own2');
  for (const y of [-0.04, 0.04])
    mesh.block([0.1, y - 0.015, 1.635], [0.104, y + 0.015, 1.66], 'eye', noBottom);
  return mesh;
}

function plainPerson(): Mesh {
  const mesh = new MeshBuilder();
  for (const side of [-1, 1] as const) {
    mesh.block([-0.08, 0.1 * side - 0.07, 0], [0.08, 0.1 * side + 0.07, 0.9], 'own1', {
      limb: { jointCm: 88, swing: side },
      ...sidesOnly,
    });
  }
  mesh.block([-0.12, -0.26, 0.86], [0.12, 0.26, 1.45], 'own0', noBottom);
  mesh.block([-0.02, -0.085, 1.48], [0.1, 0.085, 1.72], 'own2', noBottom);
  mesh.block([-0.115, -0.1, 1.52], [-0.02, 0.1, 1.77], 'own3', noBottom);
  return mesh;
}

function coarsePerson(): Mesh {
  return new MeshBuilder()
    .tube(3, [0.14, 0.2], [0, 0.88], 'own1')
    .tube(3, [0.18, 0.3], [0.88, 1.48], 'own0')
    .tube(3, [0.13, 0.13], [1.48, 1.78], 'own2');
}

/** For a few pixels: flat, turned to the eye. */
function tinyPerson(): Mesh {
  return new MeshBuilder()
    .card([0, 0.88], [0.15, 0.15], 'own1')
    .card([0.88, 1.48], [0.28, 0.28], 'own0')
    .card([1.48, 1.78], [0.13, 0.13], 'own2')
    .turnToEye();
}

function fineDog(): Mesh {
  const mesh = new MeshBuilder();
  mesh.block([-0.36, -0.13, 0.36], [0.34, 0.13, 0.58], 'own0');
  mesh.block([0.34, -0.1, 0.4], [0.48, 0.1, 0.56], 'own1');
  mesh.block([0.48, -0.07, 0.45], [0.5, 0.07, 0.51], 'headlight');
  mesh.block([-0.2, -0.08, 0.58], [0.1, 0.08, 0.64], 'own1');
  for (const x of [-0.28, 0.26]) {
    for (const side of [-1, 1] as const) {
      const limb = { jointCm: 42, swing: (x > 0 ? side : -side) as 1 | -1 };
      const y = 0.17 * side;
      mesh.block([x - 0.07, y - 0.04, 0.2], [x + 0.07, y + 0.04, 0.48], 'own0', { limb });
      mesh.block([x - 0.03, y - 0.03, 0], [x + 0.03, y + 0.03, 0.2], 'own1', { limb, ...sidesOnly });
    }
  }
  return mesh;
}

function plainDog(): Mesh {
  const mesh = new MeshBuilder();
  mesh.block([-0.36, -0.13, 0.36], [0.36, 0.13, 0.6], 'own0', noBottom);
  mesh.block([0.36, -0.1, 0.38], [0.5, 0.1, 0.56], 'own1', noBottom);
  for (const x of [-0.28, 0.26]) mesh.block([x - 0.05, -0.18, 0], [x + 0.05, 0.18, 0.38], 'own1', sidesOnly);
  return mesh;
}

function coarseDog(): Mesh {
  return new MeshBuilder().tube(4, [0.5, 0.2], [0.28, 0.6], 'own0').tube(3, [0.35, 0.15], [0, 0.28], 'own1');
}

function fineCar(): Mesh {
  const mesh = new MeshBuilder();
  mesh.block([-2.2, -0.9, 0.28], [2.2, 0.9, 0.85], 'own0', { taper: 0.97 });
  mesh.block([-1.7, -0.82, 0.84], [1.05, 0.82, 1.42], 'own1', { taper: 0.78, ...sidesOnly });
  mesh.block([-1.42, -0.66, 1.4], [0.78, 0.66, 1.46], 'own0');
  for (const x of [-1.4, 1.4]) {
    for (const y of [-0.86, 0.86]) {
      const wheel = Array.from({ length: 10 }, (_, spoke) => (spoke / 10) * 2 * Math.PI);
      const corners = (side: number) =>
        wheel.map(
          (angle) => [x + 0.34 * Math.cos(angle), y + side * 0.1, 0.34 + 0.34 * Math.sin(angle)] as const,
        );
      const outside = Math.sign(y);
      mesh.polygon(corners(outside), [0, outside, 0], 'black');
      const [near, far] = [corners(outside), corners(-outside)];
      for (let spoke = 0; spoke < 10; spoke++) {
        const next = (spoke + 1) % 10;
        const angle = wheel[spoke]! + Math.PI / 10;
        mesh.polygon(
          [near[spoke]!, near[next]!, far[next]!, far[spoke]!],
          [Math.cos(angle), 0, Math.sin(angle)],
          'black',
        );
      }
      const hub = wheel.map(
        (angle) => [x + 0.17 * Math.cos(angle), y + outside * 0.105, 0.34 + 0.17 * Math.sin(angle)] as const,
      );
      mesh.polygon(hub, [0, outside, 0], 'grey');
    }
  }
  for (const y of [-0.62, 0.62]) {
    mesh.block([2.16, y - 0.2, 0.56], [2.24, y + 0.2, 0.72], 'headlight', noBottom);
    mesh.block([-2.24, y - 0.2, 0.58], [-2.16, y + 0.2, 0.74], 'taillight', noBottom);
  }
  mesh.block([2.1, -0.4, 0.34], [2.22, 0.4, 0.5], 'darkGrey', noBottom);
  return mesh;
}

function coarseCar(): Mesh {
  return new MeshBuilder()
    .block([-2.2, -0.9, 0.15], [2.2, 0.9, 0.85], 'own0', noBottom)
    .block([-1.6, -0.78, 0.85], [1, 0.78, 1.45], 'own1', { taper: 0.8, ...noBottom });
}

const leaves = (): VertexPaint => 'own0';

function tree(level: number): Mesh {
  const mesh = new MeshBuilder();
  if (level === 2)
    return mesh.tube(3, [0.3, 0.3], [0, 3.4], 'bark').ball([0, 0, 5.2], [2.6, 2.6, 2.4], 0, leaves);
  mesh.prism(level === 0 ? 7 : 4, 0, 0, [0.25, 0.16], [0, 3.6], 'bark');
  const ballLevel = level === 0 ? 2 : 1;
  mesh.ball([0, 0, 5.6], [2, 2, 1.9], ballLevel, leaves);
  mesh.ball([0.9, 0.8, 4.6], [1.6, 1.6, 1.3], ballLevel, () => 'own1');
  mesh.ball([-0.8, -0.9, 4.5], [1.7, 1.7, 1.3], ballLevel, leaves);
  return mesh;
}

function tinyTree(): Mesh {
  return new MeshBuilder()
    .card([0, 3.4], [0.26, 0.26], 'bark')
    .card([3.3, 7.1], [2.1, 1.7], 'own0', 1)
    .turnToEye();
}

function hydrant(sides: number): Mesh {
  const mesh = new MeshBuilder();
  mesh.prism(sides, 0, 0, [0.17, 0.17], [0, 0.08], 'hydrant');
  mesh.prism(sides, 0, 0, [0.12, 0.12], [0.08, 0.6], 'hydrant');
  mesh.prism(sides, 0, 0, [0.15, 0.06], [0.6, 0.76], 'hydrantCap');
  mesh.block([-0.06, -0.2, 0.4], [0.06, 0.2, 0.52], 'hydrantCap');
  mesh.block([0.1, -0.07, 0.36], [0.19, 0.07, 0.5], 'hydrantCap');
  return mesh;
}

function scooter(): Mesh {
  const mesh = new MeshBuilder();
  mesh.block([-0.38, -0.09, 0.12], [0.36, 0.09, 0.18], 'darkGrey');
  for (const x of [-0.42, 0.44])
    mesh.block([x - 0.12, -0.035, 0], [x + 0.12, 0.035, 0.23], 'black', { taper: 0.7 });
  mesh.block([0.36, -0.035, 0.16], [0.44, 0.035, 1.1], 'scooter');
  mesh.block([0.33, -0.28, 1.08], [0.4, 0.28, 1.15], 'black');
  mesh.block([0.4, -0.07, 0.82], [0.47, 0.07, 0.98], 'scooter');
  return mesh;
}

function trashCan(sides: number): Mesh {
  return new MeshBuilder()
    .prism(sides, 0, 0, [0.26, 0.3], [0, 0.86], 'trashCan')
    .prism(sides, 0, 0, [0.32, 0.32], [0.86, 0.94], 'trashRim')
    .prism(sides, 0, 0, [0.2, 0.2], [0.94, 0.945], 'black');
}

function coarseTrashCan(): Mesh {
  return new MeshBuilder()
    .tube(4, [0.32, 0.32], [0, 0.86], 'trashCan')
    .tube(4, [0.36, 0.36], [0.84, 0.96], 'trashRim');
}

function coarseHydrant(): Mesh {
  return new MeshBuilder()
    .tube(3, [0.17, 0.17], [0, 0.58], 'hydrant')
    .tube(3, [0.18, 0.18], [0.56, 0.78], 'hydrantCap', 0.4);
}

function coarseScooter(): Mesh {
  return new MeshBuilder()
    .block([-0.5, -0.1, 0.05], [0.5, 0.1, 0.2], 'black', noBottom)
    .tube(3, [0.1, 0.2], [0.2, 1.15], 'scooter');
}

function bottle(sides: number): Mesh {
  return new MeshBuilder()
    .prism(sides, 0, 0, [0.055, 0.055], [0, 0.09], 'own0')
    .prism(sides, 0, 0, [0.058, 0.058], [0.09, 0.19], 'label')
    .prism(sides, 0, 0, [0.055, 0.022], [0.19, 0.27], 'own0')
    .prism(sides, 0, 0, [0.022, 0.022], [0.27, 0.35], 'own0');
}

/** Is a direction on one of a ball's patches: the corners of a cube, and its poles? */
function isMark(parts: readonly number[]): boolean {
  return (
    parts.every((part) => Math.abs(Math.abs(part) - 0.577) < 0.2) ||
    parts.some((part) => Math.abs(part) > 0.94)
  );
}

/** A ball of radius 1 that lies on the ground; its second paint marks it. */
function ball(level: number): Mesh {
  const paintOf = (direction: readonly number[]): VertexPaint =>
    level > 0 && isMark(direction) ? 'own1' : 'own0';
  return new MeshBuilder().ball([0, 0, 1], [1, 1, 1], level, paintOf);
}

/** A cardboard box of side 1, taped across. */
function crate(isFine: boolean): Mesh {
  const mesh = new MeshBuilder().block([-0.5, -0.5, 0], [0.5, 0.5, 1], 'own0', noBottom);
  if (!isFine) return mesh;
  mesh.block([-0.503, -0.06, 0.7], [0.503, 0.06, 1.004], 'own1', noBottom);
  mesh.block([-0.35, -0.505, 0.15], [-0.05, 0.505, 0.35], 'darkGrey', { without: ['z-', 'z+', 'x-', 'x+'] });
  mesh.block([-0.505, -0.35, 0.15], [0.505, -0.05, 0.35], 'darkGrey', { without: ['z-', 'z+', 'y-', 'y+'] });
  return mesh;
}

/** Looks along +x. Lamps are own0 red, own1 amber, own2 green. */
function vehicleSignal(isFine: boolean): Mesh {
  const mesh = new MeshBuilder();
  mesh.prism(isFine ? 6 : 4, -0.12, 0, [0.08, 0.06], [0, 4.6], 'darkGrey');
  mesh.block([-0.1, -0.34, 2.75], [0.12, 0.34, 4.6], 'signalBody');
  const lamps = ['own2', 'own1', 'own0'] as const;
  for (const [place, paint] of lamps.entries()) {
    const z = 3.05 + place * 0.6;
    const corners = Array.from({ length: isFine ? 12 : 6 }, (_, point) => {
      const angle = (point / (isFine ? 12 : 6)) * 2 * Math.PI;
      return [0.14, 0.24 * Math.cos(angle), z + 0.24 * Math.sin(angle)] as const;
    });
    mesh.polygon(corners, [1, 0, 0], paint);
    if (isFine) mesh.block([0.12, -0.27, z + 0.26], [0.32, 0.27, z + 0.29], 'signalBody');
  }
  return mesh;
}

/** Looks along +x. Lamps are own0 hand, own1 walking person, own2 the bar of the clearance time. */
function pedestrianSignal(): Mesh {
  const mesh = new MeshBuilder();
  mesh.prism(6, -0.1, 0, [0.08, 0.06], [0, 3.3], 'darkGrey');
  mesh.block([-0.1, -0.46, 1.86], [0.06, 0.46, 3.7], 'signalBody');
  const plate = (y0: number, y1: number, z0: number, z1: number, paint: VertexPaint, x = 0.1) =>
    mesh.polygon(
      [
        [x, y0, z0],
        [x, y1, z0],
        [x, y1, z1],
        [x, y0, z1],
      ],
      [1, 0, 0],
      paint,
    );
  plate(-0.46, 0.46, 1.86, 3.7, 'signalRim', 0.07);
  plate(-0.4, 0.4, 1.92, 3.64, 'signalBody', 0.085);
  // The hand: a palm, four fingers, a thumb.
  plate(-0.2, 0.18, 2.9, 3.22, 'own0');
  for (const y of [-0.2, -0.1, 0, 0.1])
    plate(y, y + 0.075, 3.22, y === -0.2 || y === 0.1 ? 3.46 : 3.55, 'own0');
  mesh.polygon(
    [
      [0.1, 0.18, 2.98],
      [0.1, 0.32, 3.18],
      [0.1, 0.32, 3.27],
      [0.1, 0.18, 3.14],
    ],
    [1, 0, 0],
    'own0',
  );
  // The walking person: head, trunk, legs apart, arms.
  plate(-0.07, 0.07, 2.56, 2.7, 'own1');
  plate(-0.08, 0.08, 2.25, 2.54, 'own1');
  mesh.polygon(
    [
      [0.1, -0.08, 2.27],
      [0.1, 0.02, 2.27],
      [0.1, -0.12, 1.98],
      [0.1, -0.22, 1.98],
    ],
    [1, 0, 0],
    'own1',
  );
  mesh.polygon(
    [
      [0.1, -0.02, 2.27],
      [0.1, 0.08, 2.27],
      [0.1, 0.22, 1.98],
      [0.1, 0.12, 1.98],
    ],
    [1, 0, 0],
    'own1',
  );
  mesh.polygon(
    [
      [0.1, -0.08, 2.52],
      [0.1, -0.08, 2.42],
      [0.1, -0.24, 2.24],
      [0.1, -0.24, 2.33],
    ],
    [1, 0, 0],
    'own1',
  );
  mesh.polygon(
    [
      [0.1, 0.08, 2.52],
      [0.1, 0.08, 2.42],
      [0.1, 0.24, 2.3],
      [0.1, 0.24, 2.4],
    ],
    [1, 0, 0],
    'own1',
  );
  plate(-0.34, 0.34, 2.77, 2.84, 'own2');
  return mesh;
}

function lampPlates(mesh: MeshBuilder, lamps: readonly (readonly [VertexPaint, number, number])[]): Mesh {
  for (const [paint, low, high] of lamps) {
    const corners = [
      [0.13, -0.3, low],
      [0.13, 0.3, low],
      [0.13, 0.3, high],
      [0.13, -0.3, high],
    ] as const;
    mesh.polygon(corners, [1, 0, 0], paint);
  }
  return mesh;
}

function coarsePedestrianSignal(): Mesh {
  const mesh = new MeshBuilder()
    .tube(3, [0.1, 0.1], [0, 1.9], 'darkGrey')
    .tube(4, [0.14, 0.62], [1.86, 3.7], 'signalBody');
  return lampPlates(mesh, [
    ['own1', 1.98, 2.7],
    ['own0', 2.85, 3.55],
  ]);
}

function coarseVehicleSignal(): Mesh {
  const mesh = new MeshBuilder()
    .tube(3, [0.1, 0.1], [0, 2.8], 'darkGrey')
    .tube(4, [0.16, 0.48], [2.75, 4.6], 'signalBody');
  return lampPlates(mesh, [
    ['own2', 2.85, 3.27],
    ['own1', 3.44, 3.87],
    ['own0', 4.04, 4.48],
  ]);
}

/** A box of side 1 from x = 0 on, for kerbs. */
function bar(): Mesh {
  return new MeshBuilder().block([0, -0.5, 0], [1, 0.5, 1], 'kerb', { without: ['z-', 'x-', 'x+'] });
}

/** A box over the unit square from its lowest corner. */
function building(): Mesh {
  return new MeshBuilder().block([0, 0, 0], [1, 1, 1], 'own0', noBottom);
}

/** Of the same box, the two walls that can be seen from beyond one of its corners. */
function corner(x: 'x-' | 'x+', y: 'y-' | 'y+'): Mesh {
  const hidden = (['x-', 'x+', 'y-', 'y+', 'z-', 'z+'] as const).filter((side) => side !== x && side !== y);
  return new MeshBuilder().block([0, 0, 0], [1, 1, 1], 'own0', { without: hidden });
}

/** A strip from x = 0 to 1 and y = -1 to 1. */
function strip(paint: VertexPaint): Mesh {
  return new MeshBuilder().polygon(
    [
      [0, -1, 0],
      [1, -1, 0],
      [1, 1, 0],
      [0, 1, 0],
    ],
    [0, 0, 1],
    paint,
  );
}

/** A disc of radius 1 and an even number of sides, with an uneven rim where `unevenness` is above 0. */
function disc(sides: number, paint: VertexPaint, unevenness: number): Mesh {
  const rim = (side: number) => {
    const angle = (side / sides) * 2 * Math.PI;
    const radius = 1 + unevenness * (Math.sin(3 * angle + 1) * 0.6 + Math.sin(5 * angle) * 0.4);
    return [radius * Math.cos(angle), radius * Math.sin(angle), 0] as const;
  };
  const mesh = new MeshBuilder();
  for (let side = 0; side < sides; side += 2)
    mesh.polygon([[0, 0, 0], rim(side), rim(side + 1), rim(side + 2)], [0, 0, 1], paint);
  return mesh;
}

const object = (...levels: Mesh[]): Family => ({ kind: 'object', levels });
const ground = (...levels: Mesh[]): Family => ({ kind: 'ground', levels });

/** In the order of drawing: what is on the ground is painted over, later over earlier. */
const families = {
  person: object(finePerson(), plainPerson(), coarsePerson(), tinyPerson()),
  dog: object(fineDog(), plainDog(), coarseDog()),
  car: object(fineCar(), coarseCar()),
  ball: object(ball(3), ball(2), ball(0), new MeshBuilder().card([0.1, 1.9], [0.9, 0.9], 'own0').turnToEye()),
  crate: object(crate(true), crate(false)),
  bottle: object(bottle(10), bottle(4), new MeshBuilder().tube(3, [0.07, 0.07], [0, 0.35], 'own0', 0.4)),
  hydrant: object(hydrant(10), hydrant(4), coarseHydrant()),
  scooter: object(scooter(), scooter(), coarseScooter()),
  trashCan: object(trashCan(12), trashCan(5), coarseTrashCan()),
  pedestrianSignal: object(pedestrianSignal(), pedestrianSignal(), coarsePedestrianSignal()),
  vehicleSignal: object(vehicleSignal(true), vehicleSignal(false), coarseVehicleSignal()),
  tree: object(tree(0), tree(1), tree(2), tinyTree()),
  kerb: object(bar()),
  building: { kind: 'building', levels: [building()] },
  // A building taller than the eye, by the side it is seen from: lower x or higher x, of either y.
  cornerLow: { kind: 'building', levels: [corner('x-', 'y-'), corner('x-', 'y+')] },
  cornerHigh: { kind: 'building', levels: [corner('x+', 'y-'), corner('x+', 'y+')] },
  sidewalk: ground(strip('paving')),
  road: ground(strip('asphalt')),
  zebra: ground(strip('asphalt')),
  oil: ground(disc(26, 'oil', 0.22), disc(10, 'oil', 0.22)),
  water: ground(disc(26, 'water', 0.18), disc(10, 'water', 0.18)),
  shadow: { kind: 'shadow', levels: [disc(12, 'black', 0)] },
} as const satisfies Record<string, Family>;

export type FamilyName = keyof typeof families;

export const familyNames = Object.keys(families) as FamilyName[];

/** All meshes, each with its place in `meshKinds`. */
export const meshList: readonly (Mesh & { readonly list: number })[] = familyNames.flatMap((name) =>
  (families[name].levels as readonly Mesh[]).map(({ faces, turnsToEye }) => ({
    faces,
    turnsToEye,
    list: meshKinds.indexOf(families[name].kind),
  })),
);

export function familyPlace(name: FamilyName): number {
  return familyNames.indexOf(name);
}

/** [family, 4]: its four meshes, fine to coarse; the coarsest serves for those it lacks. */
export function familyMeshTable(): Uint32Array<ArrayBuffer> {
  const table = new Uint32Array(32 * 4);
  let first = 0;
  for (const [place, name] of familyNames.entries()) {
    const count = families[name].levels.length;
    for (let level = 0; level < 4; level++) table[place * 4 + level] = first + Math.min(level, count - 1);
    first += count;
  }
  return table;
}

/** `const FAMILY_x`, `FAMILIES`, `MESHES` and `LIST_x` for the shaders. */
export function familyConstants(): string {
  return [
    ...familyNames.map((name, place) => `const FAMILY_${name} = ${place}u;`),
    `const FAMILIES = ${familyNames.length}u;`,
    `const MESHES = ${meshList.length}u;`,
    ...meshKinds.map((kind, list) => `const LIST_${kind} = ${list}u;`),
    '',
  ].join('\n');
}
