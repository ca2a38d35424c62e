// The body of a chat request.
import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsNonStreaming,
} from 'openai/resources/chat/completions';
import type { BuiltPrompt } from './promptTask.ts';
import type { RequestSettings } from './settings.ts';

/** The text first, then the pictures, oldest first. Without pictures the content is plain text, which every server takes. */
export function requestBody(
  settings: RequestSettings,
  { system, user, imageUrls }: Pick<BuiltPrompt, 'system' | 'user' | 'imageUrls'>,
): ChatCompletionCreateParamsNonStreaming {
  const { model, reasoningEffort, temperature, maxTokens, imageDetail, extraBody } = settings;
  const images: ChatCompletionContentPart[] = imageUrls.map((url) => ({
    type: 'image_url',
    image_url: { url, detail: imageDetail },
  }));
  const content = images.length === 0 ? user : [{ type: 'text' as const, text: user }, ...images];
  return {
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content },
    ],
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { [maxTokens.field]: maxTokens.count }),
    ...extraBody,
  } as ChatCompletionCreateParamsNonStreaming;
}
