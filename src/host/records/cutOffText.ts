// What a user is told of an episode that was being written when the process ended.
import { counted } from '../counted.ts';

/** @example cutOffText('runs/a/episodes.jsonl', 7) // '...: the last episode was cut off while it was written: 7 bytes dropped' */
export function cutOffText(path: string, bytes: number): string {
  return `${path}: the last episode was cut off while it was written: ${counted(bytes, 'byte')} dropped`;
}
