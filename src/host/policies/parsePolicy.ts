// The policy of a run from its name on the command line.
import { inputFault } from '../input/jsonFault.ts';
import { forwardPolicy, randomPolicy, waitPolicy } from './baselines.ts';
import { expertPolicy } from './expert/expertPolicy.ts';
import { greedyPolicy } from './greedy.ts';
import { openaiPolicy } from './openai/openaiPolicy.ts';
import { type OpenaiOptions, readOpenaiSettings } from './openai/settings.ts';
import type { Policy } from './policy.ts';
import { safetyPolicy } from './safety.ts';
import { standInForm, standInPolicy, standInPrefix } from './standIn.ts';
import { tracePolicy } from './tracePolicy.ts';

const namedPolicies = [randomPolicy, waitPolicy, forwardPolicy, greedyPolicy, safetyPolicy, expertPolicy];

/** What can be named, for messages and help. */
export const policyForms = `${namedPolicies.map(({ name }) => name).join(', ')}, ${standInForm}, openai or trace:<DIR>`;

/**
 * Reads a name: `random`, `wait`, `forward`, `greedy`, `safety`, `expert`, `stand-in:<model>`, `openai` or `trace:<DIR>`.
 * `openai:<model>` is `openai` with that model.
 *
 * @throws UsageError for anything else and for a faulty run folder or option.
 * @example const policy = parsePolicy('greedy');
 */
export function parsePolicy(text: string, options: OpenaiOptions = {}): Policy {
  const name = text.trim();
  if (name === 'openai') return openaiPolicy(readOpenaiSettings(options, process.env));
  if (name.startsWith('openai:')) {
    const model = name.slice('openai:'.length);
    return openaiPolicy(readOpenaiSettings({ ...options, model }, process.env));
  }
  if (name.startsWith('trace:')) return tracePolicy(name.slice('trace:'.length));
  if (name.startsWith(standInPrefix)) return standInPolicy(name);
  const policy = namedPolicies.find((candidate) => candidate.name === name);
  if (policy !== undefined) return policy;
  throw inputFault('--policy', JSON.stringify(text), policyForms);
}
