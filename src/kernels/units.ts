// The one scale of the project: positions are whole numbers of units, time is whole ticks (docs/rules.md, section 1).

export const unitsPerCm = 16;
export const ticksPerSecond = 10;
export const centisecondsPerTick = 10;

/** Rounds centimetres to units. */
export function toUnits(centimetres: number): number {
  return Math.round(centimetres * unitsPerCm);
}
