// What the call worker is given and gives back.

import type { Reply } from '../../records/replyRecord.ts';
import type { ConnectionFault } from './connectionFault.ts';
import type { BuiltPrompt } from './promptTask.ts';
import type { OpenaiSettings } from './settings.ts';

export type CallSettings = Pick<
  OpenaiSettings,
  'request' | 'baseUrl' | 'apiKey' | 'timeoutSeconds' | 'retries'
>;

export interface CallWorkerData {
  readonly settings: CallSettings;
  /** Any message on the broadcast channel of this name ends all calls. */
  readonly stopChannel: string;
}

export type PromptParts = Pick<BuiltPrompt, 'system' | 'user' | 'imageUrls'>;

/** `rehearse` loads what the thread needs and runs it in, without a call. */
export type CallTask = PromptParts | 'rehearse';

export interface CallResult {
  /** Code of the action; 0 for none. */
  readonly action: number;
  /** Wall time from the first attempt to the action. */
  readonly seconds: number;
  /** Of these, those before the attempt that brought the reply. */
  readonly lostSeconds: number;
  readonly reply: Omit<Reply, 'seconds'>;
  /** With which the endpoint refused the last attempt; its words are the reply's text. */
  readonly status?: number;
  /** Why the last attempt found no connection. */
  readonly connection?: ConnectionFault;
}
