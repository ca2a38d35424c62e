// The policy of a run from its name on the command line.
import { inputFault } from '../input/jsonFault.ts';
import { forwardPolicy, randomPolicy, waitPolicy } from './baselines.ts';
import { greedyPolicy } from './greedy.ts';
import type { Policy } from './policy.ts';
import { tracePolicy } from './tracePolicy.ts';

const namedPolicies = [randomPolicy, waitPolicy, forwardPolicy, greedyPolicy];

/** What can be named, for messages and help. */
export const policyForms = `${namedPolicies.map(({ name }) => name).join(', ')} or trace:<DIR>`;

/**
 * Reads `random`, `wait`, `forward`, `greedy` or `trace:<DIR>`.
 *
 * @throws UsageError for anything else and for a faulty run folder.
 * @example const policy = parsePolicy('greedy');
 */
export function parsePolicy(text: string): Policy {
  const name = text.trim();
  if (name.startsWith('trace:')) return tracePolicy(name.slice('trace:'.length));
  const policy = namedPolicies.find((candidate) => candidate.name === name);
  if (policy !== undefined) return policy;
  throw inputFault('--policy', JSON.stringify(text), policyForms);
}
