// The colours of everything drawn. A vertex names a paint; the last four paints are chosen by the instance.

/** Linear shares of red, green and blue; `shines` takes no shading. */
interface Paint {
  readonly rgb: readonly [number, number, number];
  readonly shines?: true;
}

const paint = (red: number, green: number, blue: number): Paint => ({ rgb: [red, green, blue] });
const lamp = (red: number, green: number, blue: number): Paint => ({ rgb: [red, green, blue], shines: true });

/** Groups whose members an actor draws one of. */
const groups = {
  clothes: [
    paint(0.82, 0.16, 0.18),
    paint(0.13, 0.36, 0.75),
    paint(0.95, 0.76, 0.16),
    paint(0.16, 0.55, 0.32),
    paint(0.93, 0.93, 0.91),
    paint(0.55, 0.23, 0.6),
    paint(0.95, 0.5, 0.15),
    paint(0.2, 0.66, 0.72),
    paint(0.88, 0.5, 0.62),
    paint(0.35, 0.36, 0.4),
  ],
  trousers: [
    paint(0.13, 0.17, 0.3),
    paint(0.2, 0.2, 0.22),
    paint(0.45, 0.38, 0.28),
    paint(0.3, 0.4, 0.55),
    paint(0.36, 0.24, 0.18),
  ],
  skin: [paint(0.93, 0.75, 0.62), paint(0.8, 0.58, 0.43), paint(0.55, 0.37, 0.26), paint(0.38, 0.25, 0.18)],
  hair: [paint(0.1, 0.08, 0.07), paint(0.3, 0.18, 0.09), paint(0.62, 0.46, 0.22), paint(0.5, 0.5, 0.5)],
  cars: [
    paint(0.75, 0.1, 0.12),
    paint(0.1, 0.25, 0.6),
    paint(0.85, 0.86, 0.88),
    paint(0.95, 0.72, 0.1),
    paint(0.25, 0.27, 0.3),
  ],
  walls: [
    paint(0.76, 0.66, 0.54),
    paint(0.66, 0.4, 0.32),
    paint(0.72, 0.72, 0.7),
    paint(0.82, 0.76, 0.62),
    paint(0.56, 0.6, 0.66),
    paint(0.6, 0.5, 0.44),
    paint(0.85, 0.82, 0.78),
  ],
  leaves: [paint(0.24, 0.45, 0.17), paint(0.33, 0.52, 0.2), paint(0.2, 0.4, 0.22), paint(0.42, 0.52, 0.18)],
} as const;

const single = {
  black: paint(0.07, 0.07, 0.08),
  white: paint(0.95, 0.95, 0.94),
  grey: paint(0.5, 0.52, 0.54),
  darkGrey: paint(0.22, 0.23, 0.25),
  shoe: paint(0.16, 0.12, 0.1),
  eye: paint(0.05, 0.05, 0.06),
  bark: paint(0.36, 0.26, 0.18),
  asphalt: paint(0.29, 0.3, 0.32),
  paving: paint(0.68, 0.66, 0.62),
  kerb: paint(0.8, 0.79, 0.76),
  oil: paint(0.055, 0.05, 0.06),
  water: paint(0.27, 0.52, 0.82),
  hydrant: paint(0.85, 0.13, 0.1),
  hydrantCap: paint(0.95, 0.8, 0.2),
  scooter: paint(0.1, 0.72, 0.5),
  trashCan: paint(0.16, 0.34, 0.24),
  trashRim: paint(0.78, 0.8, 0.8),
  bottleGreen: paint(0.08, 0.5, 0.2),
  bottleBrown: paint(0.5, 0.26, 0.07),
  label: paint(0.95, 0.92, 0.8),
  basketball: paint(0.93, 0.42, 0.1),
  tennis: paint(0.82, 0.95, 0.2),
  crate: paint(0.74, 0.53, 0.31),
  tape: paint(0.9, 0.8, 0.6),
  dog: paint(0.97, 0.8, 0.12),
  glass: paint(0.16, 0.24, 0.32),
  headlight: lamp(1, 1, 0.88),
  taillight: lamp(0.85, 0.08, 0.06),
  signalBody: paint(0.13, 0.14, 0.15),
  signalRim: paint(0.95, 0.78, 0.15),
  lampOff: paint(0.16, 0.16, 0.17),
  lampRed: lamp(1, 0.1, 0.06),
  lampAmber: lamp(1, 0.68, 0.05),
  lampDimAmber: lamp(0.48, 0.32, 0.05),
  lampGreen: lamp(0.1, 0.95, 0.35),
  lampWalk: lamp(0.93, 1, 0.97),
} as const;

type Group = keyof typeof groups;
type Single = keyof typeof single;
export type PaintName = Single | Group;

/** A vertex's own paint, or the one that byte 0 to 3 of the instance's paint names. */
export type VertexPaint = Single | 'own0' | 'own1' | 'own2' | 'own3';

const ordered: Paint[] = [];
const places = new Map<string, number>();
for (const [name, members] of Object.entries(groups)) {
  places.set(name, ordered.length);
  ordered.push(...members);
}
for (const [name, value] of Object.entries(single)) {
  places.set(name, ordered.length);
  ordered.push(value);
}
const firstOwn = 124;
if (ordered.length > firstOwn) throw new RangeError(`${ordered.length} paints: allowed are ${firstOwn}`);

/** A paint's place in the palette; for a group, that of its first member. */
export function paintPlace(name: PaintName): number {
  return places.get(name)!;
}

export function groupSize(name: Group): number {
  return groups[name].length;
}

export function vertexPaintPlace(name: VertexPaint): number {
  return name.startsWith('own') ? firstOwn + Number(name.slice(3)) : paintPlace(name as Single);
}

/** Four palette entries in one word. */
export function packPaints(first: number, second = 0, third = 0, fourth = 0): number {
  return (first | (second << 8) | (third << 16) | (fourth << 24)) >>> 0;
}

/** The palette as the shaders read it, a word each: red in the lowest byte, green, blue, 1 if it shines. [paint] */
export function paletteWords(): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(128);
  for (const [place, { rgb, shines }] of ordered.entries()) {
    const [red, green, blue] = rgb.map((share) => Math.round(share * 255)) as [number, number, number];
    words[place] = packPaints(red, green, blue, shines ? 1 : 0);
  }
  return words;
}

/**
 * What lies on the ground has its pattern in the fourth byte of its paint. It is also its layer: a higher one hides a lower.
 */
export const groundPatterns = { sidewalk: 1, road: 2, zebra: 3, oil: 4, water: 5, shadow: 6 } as const;

/** `const PAINT_x` for every paint, the patterns of the ground, and the sizes of the groups that shaders draw from. */
export function paintConstants(): string {
  const sizes = {
    CLOTHES: 'clothes',
    TROUSERS: 'trousers',
    SKINS: 'skin',
    HAIRS: 'hair',
    CARS: 'cars',
  } as const;
  return [
    ...[...places].map(([name, place]) => `const PAINT_${name} = ${place}u;`),
    ...Object.entries(groundPatterns).map(([name, place]) => `const ${name.toUpperCase()} = ${place}u;`),
    ...Object.entries(sizes).map(([name, group]) => `const ${name} = ${groups[group].length}u;`),
    '',
  ].join('\n');
}
