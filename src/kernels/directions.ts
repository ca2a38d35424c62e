// Headings and unit vectors. A heading is whole tenths of a degree, a unit vector two Q14 numbers; both come from one table
// that host, shaders and reference share, so that no sine is ever computed where it could decide something.

export const headingCount = 3600;
const one = 16384;

/** 3600 pairs (x, y): `round(16384 cos)`, `round(16384 sin)` of each tenth of a degree. */
export function directionTable(): Int16Array {
  const table = new Int16Array(headingCount * 2);
  for (let heading = 0; heading < headingCount; heading++) {
    const radians = (heading * Math.PI) / 1800;
    table[heading * 2] = Math.round(one * Math.cos(radians));
    table[heading * 2 + 1] = Math.round(one * Math.sin(radians));
  }
  return table;
}

/** Packs a Q14 vector into one u32, x in the low half. */
export function packDirection(x: number, y: number): number {
  return ((x & 0xffff) | (y << 16)) >>> 0;
}

/** The Q14 unit vector along (dx, dy), packed; dx = dy = 0 gives (1, 0). Uses only exactly rounded operations. */
export function packedDirectionAlong(dx: number, dy: number): number {
  const length = Math.sqrt(dx * dx + dy * dy);
  if (length === 0) return packDirection(one, 0);
  return packDirection(Math.round((one * dx) / length), Math.round((one * dy) / length));
}

/**
 * The table heading nearest to (dx, dy), in tenths of a degree: the one the vector lies least to the side of, the lowest
 * on a tie. (The largest dot product would not do: rounding makes the table's vectors differ in length, and about the
 * axes several headings share their long component.) dx = dy = 0 gives 0.
 */
export function headingAlong(dx: number, dy: number, table: Int16Array): number {
  let best = 0;
  let bestSide = Number.POSITIVE_INFINITY;
  for (let heading = 0; heading < headingCount; heading++) {
    const x = table[heading * 2]!;
    const y = table[heading * 2 + 1]!;
    if (dx * x + dy * y <= 0) continue;
    const side = Math.abs(dx * y - dy * x);
    if (side < bestSide) {
      bestSide = side;
      best = heading;
    }
  }
  return best;
}
