// The latency of a run from its name on the command line.
import { inputFault } from '../input/jsonFault.ts';
import { type LatencyModel, maximumLatencySeconds } from './latencyModel.ts';
import { fixedLatency, lognormalLatency, noLatency } from './models.ts';
import { standInLatency, standInLatencyName } from './standInLatency.ts';
import { measuredLatency, tokensLatency } from './thoughtLatency.ts';
import { traceLatency } from './traceLatency.ts';

/** What can be named, for messages and help. */
export const latencyForms =
  'none, fixed:<s>, measured, tokens:<s per token>,<s>, lognormal:<median>,<sigma>, stand-in or trace:<file>';

const largestSigma = 10;

/** A plain decimal number from 0 to `largest`, or NaN. */
function parseNumber(text: string | undefined, largest: number): number {
  const value = /^\s*(\d+\.?\d*|\.\d+)\s*$/.test(text ?? '') ? Number(text) : Number.NaN;
  return value <= largest ? value : Number.NaN;
}

/**
 * Reads `none`, `fixed:<s>`, `measured`, `tokens:<s per token>,<s>`, `lognormal:<median>,<sigma>`,
 * `stand-in` or `trace:<file>`.
 *
 * @throws UsageError for anything else, a negative number or one beyond an hour, and a faulty trace file.
 * @example parseLatency('fixed:3').draw(episode, 1) // 300
 */
export function parseLatency(text: string): LatencyModel {
  const trimmed = text.trim();
  const colon = trimmed.indexOf(':');
  const kind = colon < 0 ? trimmed : trimmed.slice(0, colon);
  const rest = colon < 0 ? undefined : trimmed.slice(colon + 1);
  const found = JSON.stringify(text);
  if (kind === 'none' && rest === undefined) return noLatency;
  if (trimmed === standInLatencyName) return standInLatency;
  if (kind === 'trace' && rest !== undefined) return traceLatency(rest);
  if (trimmed === measuredLatency.name) return measuredLatency;
  if (kind === 'tokens') {
    const [perTokenText, constantText, ...more] = (rest ?? '').split(',');
    const perToken = parseNumber(perTokenText, maximumLatencySeconds);
    const constant = parseNumber(constantText, maximumLatencySeconds);
    if (!Number.isNaN(perToken + constant) && more.length === 0) return tokensLatency(perToken, constant);
    throw inputFault(
      '--latency',
      found,
      `tokens:<s per token>,<s> with 0 to ${maximumLatencySeconds} seconds each`,
    );
  }
  if (kind === 'fixed') {
    const seconds = parseNumber(rest, maximumLatencySeconds);
    if (!Number.isNaN(seconds)) return fixedLatency(seconds);
    throw inputFault('--latency', found, `fixed:<s> with 0 to ${maximumLatencySeconds} seconds`);
  }
  if (kind === 'lognormal') {
    const [medianText, sigmaText, ...more] = (rest ?? '').split(',');
    const median = parseNumber(medianText, maximumLatencySeconds);
    const sigma = parseNumber(sigmaText, largestSigma);
    if (!Number.isNaN(median + sigma) && more.length === 0) return lognormalLatency(median, sigma);
    const allowed = `a median of 0 to ${maximumLatencySeconds} seconds and a sigma of 0 to ${largestSigma}`;
    throw inputFault('--latency', found, `lognormal:<median>,<sigma> with ${allowed}`);
  }
  throw inputFault('--latency', found, latencyForms);
}
