// Worker: calls a chat endpoint; many calls wait in one thread.
import { workerData } from 'piscina';
import { createChatCall } from '../policies/openai/chatCall.ts';
import type { CallWorkerData } from './callTask.ts';

export default createChatCall(workerData as CallWorkerData);
