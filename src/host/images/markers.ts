// The numbered markers on the agent's latest picture (RT-SAFE protocol §3 and §5): where each of the seven moves would end.
import { type CameraRig, type Pose, type Projected, projectPoint } from '../../kernels/camera/rig.ts';
import { directionTable } from '../../kernels/directions.ts';
import { mulQ14 } from '../../kernels/fixedPoint.ts';
import { unitsPerCm } from '../../kernels/units.ts';
import { moves } from '../episodes/actions.ts';

export interface Marker extends Projected {
  /** 1 to 7. */
  readonly number: number;
  /** Where the move ends, units. */
  readonly worldX: number;
  readonly worldY: number;
}

const directions = directionTable();

/** Pixels; RT-SAFE protocol §5. */
export function markerRadius(imageHeight: number): number {
  return Math.min(30, Math.max(12, Math.floor(imageHeight / 40)));
}

/**
 * The markers of a pose: exact destinations, projected.
 *
 * @example projectMarkers(publishedRig, { x: 0, y: 0, heading: 0 })[0] // 1 m ahead
 */
export function projectMarkers(rig: CameraRig, pose: Pose): Marker[] {
  return moves.flatMap(({ distanceCm, turn }, place) => {
    const heading = (((pose.heading + turn) % 3600) + 3600) % 3600;
    const distance = distanceCm * unitsPerCm;
    const worldX = pose.x + mulQ14(distance, directions[heading * 2]!);
    const worldY = pose.y + mulQ14(distance, directions[heading * 2 + 1]!);
    const projected = projectPoint(rig, pose, worldX, worldY, 0);
    return projected ? [{ ...projected, number: place + 1, worldX, worldY }] : [];
  });
}

/** Do all seven lie inside the picture, whole, and apart? The published run is refused where not. */
export function markersFit(rig: CameraRig, markers: readonly Marker[]): boolean {
  const radius = markerRadius(rig.height);
  const places = new Set(markers.map(({ x, y }) => `${Math.round(x)},${Math.round(y)}`));
  return (
    places.size === moves.length &&
    markers.every(
      ({ x, y }) => x >= radius && y >= radius && x <= rig.width - radius && y <= rig.height - radius,
    )
  );
}

/** Digits 1 to 7, five by seven, a row a number. */
const digits: readonly (readonly number[])[] = [
  [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
  [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
  [0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110],
  [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
  [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
  [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
  [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
];

const digitColumns = 5;
const digitRows = 7;
const discColour = [250, 250, 250] as const;
const rimColour = [20, 20, 20] as const;
const digitColour = [190, 0, 30] as const;

/** Share of a pixel that a disc of `radius` covers, from the distance of the pixel's middle. */
function coverage(distance: number, radius: number): number {
  return Math.min(1, Math.max(0, radius - distance + 0.5));
}

/**
 * Draws discs with digits on an RGBA picture, in place. A disc's middle is its marker's pixel to the fraction.
 *
 * @param image [row, column, red green blue alpha]
 */
export function drawMarkers(
  image: Uint8Array,
  { width, height }: Pick<CameraRig, 'width' | 'height'>,
  markers: readonly Marker[],
): void {
  const radius = markerRadius(height);
  const blend = (at: number, colour: readonly number[], share: number) => {
    for (const [channel, value] of colour.entries())
      image[at + channel] = Math.round(image[at + channel]! * (1 - share) + value * share);
  };
  // Far ones first, so that nearer ones lie over them.
  for (const { x, y, number } of [...markers].sort((a, b) => b.depth - a.depth)) {
    const cell = (radius * 1.3) / digitRows;
    for (let row = Math.max(0, Math.floor(y - radius - 1)); row < Math.min(height, y + radius + 1); row++) {
      for (
        let column = Math.max(0, Math.floor(x - radius - 1));
        column < Math.min(width, x + radius + 1);
        column++
      ) {
        const [dx, dy] = [column + 0.5 - x, row + 0.5 - y];
        const distance = Math.hypot(dx, dy);
        const at = (row * width + column) * 4;
        blend(at, rimColour, coverage(distance, radius));
        blend(at, discColour, coverage(distance, radius - Math.max(1, radius / 8)));
        const digitColumn = Math.floor(dx / cell + digitColumns / 2);
        const digitRow = Math.floor(dy / cell + digitRows / 2);
        const isInside =
          digitColumn >= 0 && digitColumn < digitColumns && digitRow >= 0 && digitRow < digitRows;
        if (isInside && (digits[number - 1]![digitRow]! >> (digitColumns - 1 - digitColumn)) & 1)
          blend(at, digitColour, 1);
      }
    }
  }
}
