// The size of pictures, as options give it.
import { inputFault } from './jsonFault.ts';

const smallestSide = 16;
/** Pictures are drawn at twice the size at most, and the camera's have sides of 4,095 pixels at most. */
const largestSide = 2047;

/**
 * @throws UsageError for anything else than WIDTHxHEIGHT.
 * @example parseImageSize('--image-size', '720x640') // { width: 720, height: 640 }
 */
export function parseImageSize(option: string, text: string): { width: number; height: number } {
  const [, width, height] = /^(\d{1,4})x(\d{1,4})$/.exec(text.trim()) ?? [];
  const sides = [Number(width), Number(height)] as const;
  if (!sides.every((side) => side >= smallestSide && side <= largestSide)) {
    const allowed = `WIDTHxHEIGHT, each from ${smallestSide} to ${largestSide}, as 720x640`;
    throw inputFault(option, JSON.stringify(text), allowed);
  }
  return { width: sides[0], height: sides[1] };
}
