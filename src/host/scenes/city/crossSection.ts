// The cross-section every RT-SAFE road has, in cm from its centreline (RT-SAFE protocol §1 and the release's city
// generator).

/** Kerb: the roadway is this far to each side. */
export const roadHalfWidthCm = 500;
/** Line of the sidewalk's middle; also how far zebras and sidewalk ends are set back from a junction centre. */
export const sidewalkOffsetCm = 700;
export const sidewalkHalfWidthCm = 200;
/** Half the painted width of a zebra. */
export const crosswalkHalfWidthCm = 210;
/** Street furniture just on the road side of the kerb. */
export const nearFurnitureOffsetCm = 460;
/** Trees, beyond the sidewalk. */
export const treeOffsetCm = 940;
/** Facades. Nothing is built nearer to any road. */
export const facadeOffsetCm = 1_100;
