// Worker: writes the prompt of one decision and encodes its pictures.
import { encode } from 'fast-png';
import type { RenderedImage } from '../prompt/agentView.ts';
import { buildPrompt } from '../prompt/prompt.ts';
import type { BuiltPrompt, PromptTask } from './promptTask.ts';

/** As the published campaign wrote its pictures (RT-SAFE protocol §16). */
const compressionLevel = 3;

function pngUrl({ width, height, rgb }: RenderedImage): string {
  const png = encode(
    { width, height, data: rgb, channels: 3, depth: 8 },
    { zlib: { level: compressionLevel } },
  );
  return `data:image/png;base64,${Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString('base64')}`;
}

export default function buildTask({ observation, timing, images }: PromptTask): BuiltPrompt {
  const start = performance.now();
  const prompt = buildPrompt(observation, timing);
  const imageUrls = images.map(pngUrl);
  return { ...prompt, imageUrls, seconds: (performance.now() - start) / 1000 };
}
