// Runs the native program on scenarios, in a folder of its own that is removed.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RunError } from '../../errors.ts';
import type { NativeProgram } from './buildNative.ts';
import { decodeResult, encodeScenarios, type Scenarios, type WalkersAfter } from './scenarioFile.ts';

const run = promisify(execFile);

/**
 * How the native program steps walkers that are far from the agent: tick by tick, or from look to look at once (up to 5
 * ticks), which no rule can tell.
 */
export const nativeSteppings = ['tickwise', 'periodwise'] as const;
export type NativeStepping = (typeof nativeSteppings)[number];

export interface NativeDuration {
  /** How often the scenarios were run. */
  readonly runs: number;
  /** Of all runs; reading and writing files is not in it. */
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Scenarios in a file, so that they can be run again and again. */
export class NativeScenarios {
  readonly #scenarios: Scenarios;
  readonly #folder: string;

  constructor(scenarios: Scenarios) {
    this.#scenarios = scenarios;
    this.#folder = mkdtempSync(join(tmpdir(), 'rtsafe-native-'));
    writeFileSync(join(this.#folder, 'scenarios'), encodeScenarios(scenarios));
  }

  /**
   * Runs the scenarios until `leastSeconds` have passed, once at least.
   *
   * @throws RunError when the program fails.
   */
  async run(
    { path }: NativeProgram,
    stepping: NativeStepping,
    threads: number,
    leastSeconds: number,
  ): Promise<NativeDuration & { readonly after: readonly WalkersAfter[] }> {
    const result = join(this.#folder, 'result');
    const input = [join(this.#folder, 'scenarios'), result, `${threads}`, `${leastSeconds}`, stepping];
    try {
      const duration = JSON.parse((await run(path, input)).stdout) as NativeDuration;
      const bytes = readFileSync(result);
      const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
      return { ...duration, after: decodeResult(words, this.#scenarios) };
    } catch (error) {
      throw new RunError(`bench: the native yardstick failed: ${(error as Error).message.trim()}`);
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
