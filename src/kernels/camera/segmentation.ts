// What a segmentation id means: the class in the low byte, above it which of its class (an actor's slot in its
// environment, or the thing's place in its city's list).

export const segmentationClasses = {
  sky: 0,
  ground: 1,
  road: 2,
  sidewalk: 3,
  zebra: 4,
  kerb: 5,
  building: 6,
  tree: 7,
  hydrant: 8,
  scooter: 9,
  trashCan: 10,
  bottle: 11,
  oil: 12,
  water: 13,
  ball: 14,
  crate: 15,
  falling: 16,
  person: 17,
  dog: 18,
  car: 19,
  signal: 20,
} as const;

export type SegmentationClass = keyof typeof segmentationClasses;

export function segmentationId(name: SegmentationClass, index: number): number {
  return (segmentationClasses[name] | (index << 8)) >>> 0;
}

export function segmentationClassOf(id: number): SegmentationClass {
  const found = Object.entries(segmentationClasses).find(([, value]) => value === (id & 255));
  return (found?.[0] ?? 'sky') as SegmentationClass;
}

/** `const CLASS_x` for the shaders. */
export function classConstants(): string {
  return Object.entries(segmentationClasses)
    .map(([name, value]) => `const CLASS_${name} = ${value}u;\n`)
    .join('');
}
