// The options of the policy `openai`, checked. All of them but how much is asked at once decide what is answered, and are
// kept in config.json; the key never is.
import { publishedRig } from '../../../kernels/camera/rig.ts';
import { markersFit, projectMarkers } from '../../images/markers.ts';
import type { PictureSettings } from '../../images/pictures.ts';
import { parseImageSize } from '../../input/imageSize.ts';
import { describeJson, inputFault } from '../../input/jsonFault.ts';
import { optionFlag } from '../../input/optionFlag.ts';
import { parseJson } from '../../input/readTextFile.ts';
import { type TimingNote, timingNotes } from '../../prompt/prompt.ts';

/** As the command line gives them. */
export interface OpenaiOptions {
  readonly baseUrl?: string;
  readonly model?: string;
  readonly apiKeyEnv?: string;
  readonly reasoningEffort?: string;
  readonly temperature?: string;
  readonly maxTokens?: string;
  readonly maxTokensField?: string;
  readonly imageDetail?: string;
  readonly cameras?: string;
  readonly imageSize?: string;
  readonly earlierFrames?: string;
  readonly extraBody?: string;
  readonly timingNote?: string;
  readonly requestTimeout?: string;
  readonly retries?: string;
  readonly inFlight?: string;
  readonly warmUp?: string;
}

export const defaultOpenaiOptions = {
  baseUrl: 'https://api.openai.com/v1',
  apiKeyEnv: 'OPENAI_API_KEY',
  imageDetail: 'auto',
  cameras: 'front',
  imageSize: '720x640',
  earlierFrames: '7',
  timingNote: 'same',
  requestTimeout: '120',
  retries: '2',
  inFlight: '16',
  warmUp: '1',
} as const satisfies OpenaiOptions;

/** All of them. */
export const openaiOptionNames = [
  'baseUrl',
  'model',
  'apiKeyEnv',
  'reasoningEffort',
  'temperature',
  'maxTokens',
  'maxTokensField',
  'cameras',
  'imageSize',
  'earlierFrames',
  'imageDetail',
  'extraBody',
  'timingNote',
  'requestTimeout',
  'retries',
  'inFlight',
  'warmUp',
] as const satisfies readonly (keyof OpenaiOptions)[];

export const maxTokensFields = ['max_tokens', 'max_completion_tokens'] as const;
/** No pictures; the view ahead; two more beside it. */
export const cameraChoices = ['none', 'front', 'front,left,right'] as const;
export const imageDetails = ['auto', 'low', 'high'] as const;

/** Members of the request that decide the answer. */
export interface RequestSettings {
  readonly model: string;
  readonly reasoningEffort?: string;
  readonly temperature?: number;
  readonly maxTokens?: { readonly field: (typeof maxTokensFields)[number]; readonly count: number };
  readonly imageDetail: (typeof imageDetails)[number];
  /** Members beside the request's own. */
  readonly extraBody: Readonly<Record<string, unknown>>;
}

export interface OpenaiSettings {
  readonly request: RequestSettings;
  /** Absent: text alone. */
  readonly pictures: PictureSettings | undefined;
  readonly timingNote: TimingNote;
  readonly baseUrl: string;
  /** Empty where the endpoint needs none. */
  readonly apiKey: string;
  readonly apiKeyEnv: string;
  readonly timeoutSeconds: number;
  readonly retries: number;
  readonly inFlight: number;
  readonly warmUp: number;
}

function parseNumber(
  option: string,
  text: string,
  smallest: number,
  largest: number,
  whole: boolean,
): number {
  const value = /^\s*(\d+\.?\d*|\.\d+)\s*$/.test(text) ? Number(text) : Number.NaN;
  if (value >= smallest && value <= largest && (!whole || Number.isInteger(value))) return value;
  const kind = whole ? 'a whole number' : 'a number';
  throw inputFault(option, JSON.stringify(text), `${kind} from ${smallest} to ${largest}`);
}

function parseName<const Name extends string>(option: string, text: string, allowed: readonly Name[]): Name {
  const name = allowed.find((candidate) => candidate === text.trim());
  if (name !== undefined) return name;
  throw inputFault(option, JSON.stringify(text), `one of ${allowed.join(', ')}`);
}

/** The longest action, 4 m walked on oil, takes 4 s: frames at 0.5, 1, ... 3.5 s. */
const mostEarlierFrames = 7;

/** @throws UsageError also for pictures in which the seven markers do not fit (RT-SAFE protocol §5). */
function parsePictures(
  options: Readonly<Record<'cameras' | 'imageSize' | 'earlierFrames', string>>,
): PictureSettings | undefined {
  const cameras = parseName('--cameras', options.cameras.replaceAll(/\s/g, ''), cameraChoices);
  const size = parseImageSize('--image-size', options.imageSize);
  const rig = { ...publishedRig, ...size };
  if (!markersFit(rig, projectMarkers(rig, { x: 0, y: 0, heading: 0 }))) {
    const allowed = 'a size in which the seven markers fit apart from each other, as 720x640 or 360x320';
    throw inputFault('--image-size', JSON.stringify(options.imageSize), allowed);
  }
  const earlierFrames = parseNumber('--earlier-frames', options.earlierFrames, 0, mostEarlierFrames, true);
  if (cameras === 'none') return undefined;
  return { ...size, markers: true, sides: cameras !== 'front', earlierFrames };
}

function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const allowed = 'an http or https URL without user, password and query, as http://127.0.0.1:8000/v1';
  // What is wrong may hold a password or a key: it is not repeated.
  if (url !== undefined && (url.username !== '' || url.password !== '')) {
    throw inputFault('--base-url', 'a URL with a user or password', allowed);
  }
  if (url !== undefined && (url.search !== '' || url.hash !== '')) {
    throw inputFault('--base-url', 'a URL with a query or fragment', allowed);
  }
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw inputFault('--base-url', JSON.stringify(text), allowed);
  }
  return url.href.replace(/[/?#]+$/, '');
}

/** Members of the request that have an option of their own, or that no option changes. */
const reservedMembers = [
  'model',
  'messages',
  'stream',
  'reasoning_effort',
  'temperature',
  ...maxTokensFields,
];

function parseExtraBody(text: string): Record<string, unknown> {
  const source = '--extra-body';
  const members = parseJson(text, source);
  if (typeof members !== 'object' || members === null || Array.isArray(members))
    throw inputFault(source, describeJson(members), 'a JSON object, as {"top_p": 1}');
  const reserved = reservedMembers.find((name) => Object.hasOwn(members, name));
  if (reserved !== undefined) {
    const allowed = `any but ${reservedMembers.join(', ')}, which have options of their own or are fixed`;
    throw inputFault(source, `the member "${reserved}"`, allowed);
  }
  return { ...members };
}

function parseReasoningEffort(text: string): string {
  const effort = text.trim();
  if (effort !== '') return effort;
  throw inputFault('--reasoning-effort', JSON.stringify(text), 'a level that the model knows, as low');
}

/** @throws UsageError for an option that does nothing without another, or beside it. */
function refuseIdleOptions({ cameras, maxTokens, ...given }: OpenaiOptions): void {
  if (given.maxTokensField !== undefined && maxTokens === undefined)
    throw inputFault('--max-tokens-field', 'no --max-tokens', 'both or neither');
  if (cameras?.trim() !== 'none') return;
  const ofPictures = ['imageSize', 'earlierFrames', 'imageDetail'] as const;
  const idle = ofPictures.find((name) => given[name] !== undefined);
  if (idle !== undefined)
    throw inputFault(optionFlag(idle), '--cameras none', 'a camera, or no option of pictures');
}

function keyFrom(environment: NodeJS.ProcessEnv, name: string, baseUrl: string): string {
  const key = environment[name]?.trim() ?? '';
  if (key === '' && baseUrl === defaultOpenaiOptions.baseUrl) {
    throw inputFault('--policy openai', `no key in the environment variable ${name}`, 'a key there');
  }
  return key;
}

/**
 * Checks the options; the key is read from the environment.
 *
 * @throws UsageError for the first that is wrong, in one line.
 */
export function readOpenaiSettings(given: OpenaiOptions, environment: NodeJS.ProcessEnv): OpenaiSettings {
  const options = { ...defaultOpenaiOptions, ...given };
  const model = options.model?.trim() ?? '';
  if (model === '') throw inputFault('--policy openai', 'no --model', 'the name of a model, with --model');
  const baseUrl = parseBaseUrl(options.baseUrl);
  const { reasoningEffort } = options;
  const field =
    options.maxTokensField ?? (reasoningEffort === undefined ? 'max_tokens' : 'max_completion_tokens');
  const maxTokensField = parseName('--max-tokens-field', field, maxTokensFields);
  const settings: OpenaiSettings = {
    request: {
      model,
      ...(reasoningEffort === undefined ? {} : { reasoningEffort: parseReasoningEffort(reasoningEffort) }),
      ...(options.temperature === undefined
        ? {}
        : { temperature: parseNumber('--temperature', options.temperature, 0, 2, false) }),
      ...(options.maxTokens === undefined
        ? {}
        : {
            maxTokens: {
              field: maxTokensField,
              count: parseNumber('--max-tokens', options.maxTokens, 1, 1_000_000, true),
            },
          }),
      imageDetail: parseName('--image-detail', options.imageDetail, imageDetails),
      extraBody: options.extraBody === undefined ? {} : parseExtraBody(options.extraBody),
    },
    pictures: parsePictures(options),
    timingNote: parseName('--timing-note', options.timingNote, timingNotes),
    baseUrl,
    apiKeyEnv: options.apiKeyEnv,
    apiKey: keyFrom(environment, options.apiKeyEnv, baseUrl),
    timeoutSeconds: parseNumber('--request-timeout', options.requestTimeout, 0.1, 300, false),
    retries: parseNumber('--retries', options.retries, 0, 20, true),
    inFlight: parseNumber('--in-flight', options.inFlight, 1, 4096, true),
    warmUp: parseNumber('--warm-up', options.warmUp, 0, 1000, true),
  };
  refuseIdleOptions(given);
  return settings;
}
