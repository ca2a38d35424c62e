// How an option is written on the command line.

/** @example optionFlag('maxDecisions') // '--max-decisions' */
export function optionFlag(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
