// The policy of a run from its name on the command line.
import { inputFault } from '../input/jsonFault.ts';
import { forwardPolicy, randomPolicy, waitPolicy } from './baselines.ts';
import { expertPolicy } from './expert/expertPolicy.ts';
import { greedyPolicy } from './greedy.ts';
import { onnxForm, onnxPolicy, onnxPrefix } from './onnx/onnxPolicy.ts';
import { openaiPolicy } from './openai/openaiPolicy.ts';
import { type OpenaiOptions, readOpenaiSettings } from './openai/settings.ts';
import type { Policy } from './policy.ts';
import { safetyPolicy } from './safety.ts';
import { standInForm, standInPolicy, standInPrefix } from './standIn.ts';
import { tracePolicy } from './tracePolicy.ts';

const namedPolicies = [randomPolicy, waitPolicy, forwardPolicy, greedyPolicy, safetyPolicy, expertPolicy];

/** What can be named, for messages and help. */
const plainForms = [...namedPolicies.map(({ name }) => name), standInForm];
export const policyForms = `${plainForms.join(', ')}, openai, ${onnxForm} or trace:<DIR>`;

/** An option that names policies, for messages. */
export interface PolicyOption {
  readonly name: string;
  /** What it takes. */
  readonly forms: string;
}

const policyOption: PolicyOption = { name: '--policy', forms: policyForms };

/** An option for what needs neither an endpoint nor a recorded run. */
export function plainPolicyOption(name: string): PolicyOption {
  return { name, forms: `${plainForms.join(', ')} or ${onnxForm}` };
}

/**
 * Reads a name: `random`, `wait`, `forward`, `greedy`, `safety`, `expert`, `stand-in:<model>`, `openai`, `onnx:<FILE>` or
 * `trace:<DIR>`.
 * `openai:<model>` is `openai` with that model.
 *
 * @throws UsageError for anything else and for a faulty run folder or option.
 * @example const policy = parsePolicy('greedy');
 */
export function parsePolicy(text: string, options: OpenaiOptions = {}, option = policyOption): Policy {
  const name = text.trim();
  if (name === 'openai') return openaiPolicy(readOpenaiSettings(options, process.env));
  if (name.startsWith('openai:')) {
    const model = name.slice('openai:'.length);
    return openaiPolicy(readOpenaiSettings({ ...options, model }, process.env));
  }
  if (name.startsWith(onnxPrefix)) return onnxPolicy(name.slice(onnxPrefix.length), option.name);
  if (name.startsWith('trace:')) return tracePolicy(name.slice('trace:'.length), option.name);
  if (name.startsWith(standInPrefix)) return standInPolicy(name, option.name);
  const policy = namedPolicies.find((candidate) => candidate.name === name);
  if (policy !== undefined) return policy;
  throw inputFault(option.name, JSON.stringify(text), option.forms);
}
