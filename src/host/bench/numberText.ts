// How the benchmark writes numbers.
import type { Spread } from './spread.ts';

/** Three digits and a letter: 21.3 M. */
export function shortNumber(value: number): string {
  for (const [size, letter] of [
    [1e9, ' G'],
    [1e6, ' M'],
    [1e3, ' k'],
  ] as const) {
    if (value >= size) return `${(value / size).toPrecision(3)}${letter}`;
  }
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

export function mebibytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

export function kibibytes(bytes: number): string {
  return (bytes / 1024).toFixed(bytes < 1024 ? 2 : 1);
}

export function twoDigits(value: number): string {
  return value.toFixed(2);
}

export function threeDigits(value: number): string {
  return value.toFixed(3);
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** `21.3 M (20.9 M .. 21.6 M)` */
export function spreadText({ median, lowest, highest }: Spread, show: (value: number) => string): string {
  return `${show(median)} (${show(lowest)} .. ${show(highest)})`;
}
