// The integer arithmetic of the rules (docs/rules.md, section 1) for TypeScript: whole numbers in, whole numbers out, the
// same bits as the kernels. For loops that run often, vectors are two arguments.

/** floor(a * b / 16384) for any i32 `a` and |b| <= 16384. */
export function mulQ14(a: number, b: number): number {
  return ((a >> 14) * b + (((a & 16383) * b) >> 14)) | 0;
}

/** The x half of a packed Q14 direction. */
export function packedX(direction: number): number {
  return (direction << 16) >> 16;
}

/** The y half of a packed Q14 direction. */
export function packedY(direction: number): number {
  return direction >> 16;
}

/** Whether (dx, dy) is at most `radius` long; false for a negative radius. */
export function within(dx: number, dy: number, radius: number): boolean {
  if (dx > radius || dx < -radius || dy > radius || dy < -radius) return false;
  return dx * dx + dy * dy <= radius * radius;
}

/** Floor of the square root of a whole number below 2^52, for which a double's square root is exact enough. */
export function wholeRoot(value: number): number {
  return Math.floor(Math.sqrt(value));
}
