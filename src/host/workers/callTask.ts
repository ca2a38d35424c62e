// What the call worker is given and gives back.
import type { OpenaiSettings } from '../policies/openai/settings.ts';
import type { Reply } from '../records/replyRecord.ts';
import type { BuiltPrompt } from './promptTask.ts';

export type CallWorkerData = Pick<
  OpenaiSettings,
  'request' | 'baseUrl' | 'apiKey' | 'timeoutSeconds' | 'retries'
>;

/** `check` only loads the thread. */
export type CallTask = Pick<BuiltPrompt, 'system' | 'user' | 'imageUrls'> | 'check';

/** The endpoint refuses everything: the key is wrong, or there is no such model. */
export interface Refusal {
  readonly status: number;
  /** Without the key. */
  readonly message: string;
}

export interface CallResult {
  /** Code of the action; 0 for none. */
  readonly action: number;
  /** Wall time from the first attempt to the action. */
  readonly seconds: number;
  /** Of these, those before the attempt that brought the reply. */
  readonly lostSeconds: number;
  readonly reply: Omit<Reply, 'seconds'>;
  readonly refusal?: Refusal;
}
