// The options of the policy `openai`, for every command that plays episodes.
import type { Command } from 'commander';
import {
  cameraChoices,
  defaultOpenaiOptions,
  imageDetails,
  maxTokensFields,
} from '../policies/openai/settings.ts';
import { timingNotes } from '../prompt/prompt.ts';

/** Adds them under a heading of their own; none has a default here, so that nothing is set that was not named. */
export function addOpenaiOptions(command: Command): Command {
  const defaults = defaultOpenaiOptions;
  return command
    .optionsGroup('Policy openai, any OpenAI-compatible chat endpoint:')
    .option('--base-url <url>', `the endpoint, up to /v1 (default: ${defaults.baseUrl})`)
    .option('--model <name>', 'the model, as the endpoint calls it')
    .option('--api-key-env <name>', `environment variable with the key (default: ${defaults.apiKeyEnv})`)
    .option('--reasoning-effort <level>', 'as the endpoint takes it: low, medium, high, ...')
    .option('--temperature <number>', '0 to 2 (default: the endpoint decides)')
    .option('--max-tokens <count>', 'longest reply (default: the endpoint decides)')
    .option(
      '--max-tokens-field <name>',
      `with --max-tokens: ${maxTokensFields.join(' or ')} (default: the latter with --reasoning-effort)`,
    )
    .option('--cameras <list>', `${cameraChoices.join('; ')} (default: ${defaults.cameras})`)
    .option('--image-size <size>', `of a picture, in pixels (default: ${defaults.imageSize})`)
    .option(
      '--earlier-frames <count>',
      `pictures of the last action, one every 0.5 s, so many at most (default: ${defaults.earlierFrames}, all)`,
    )
    .option('--keep-prompts', 'write what the model was told and shown to the run folder')
    .option('--image-detail <detail>', `${imageDetails.join(', ')} (default: ${defaults.imageDetail})`)
    .option('--extra-body <json>', 'more members for the request, as {"top_p": 1, "seed": 0}')
    .option(
      '--timing-note <kind>',
      `${timingNotes.join(' or ')}: one text for both modes, or one that tells the mode, as published (default: ${defaults.timingNote})`,
    )
    .option('--request-timeout <s>', `seconds for one attempt (default: ${defaults.requestTimeout})`)
    .option(
      '--retries <count>',
      `attempts after the first; their time is charged (default: ${defaults.retries})`,
    )
    .option('--in-flight <count>', `requests at once (default: ${defaults.inFlight})`)
    .option('--warm-up <count>', `calls before the run, not charged (default: ${defaults.warmUp})`);
}
