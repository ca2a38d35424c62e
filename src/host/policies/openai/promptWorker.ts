// Worker: writes the prompt of one decision and encodes its pictures.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { encodePng } from '../../images/encodePng.ts';
import { buildPrompt } from '../../prompt/prompt.ts';
import type { BuiltPrompt, PromptTask } from './promptTask.ts';

export default function buildTask({ observation, timing, images, keepAt }: PromptTask): BuiltPrompt {
  const start = performance.now();
  const prompt = buildPrompt(observation, timing);
  const pictures = images.map((image) => encodePng(image));
  const imageUrls = pictures.map((png) => `data:image/png;base64,${png.toString('base64')}`);
  const seconds = (performance.now() - start) / 1000;
  if (keepAt !== undefined) {
    mkdirSync(dirname(keepAt), { recursive: true });
    writeFileSync(`${keepAt}.txt`, `${prompt.system}\n\n---\n\n${prompt.user}\n`);
    for (const [place, png] of pictures.entries()) {
      writeFileSync(`${keepAt}-${place + 1}-${observation.images[place]}.png`, png);
    }
  }
  return { ...prompt, imageUrls, seconds };
}
