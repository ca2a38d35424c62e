// What the prompt worker is given and gives back.

import type { RenderedImage } from '../../images/pictures.ts';
import type { Observation } from '../../prompt/observation.ts';
import type { Prompt, TimingNote } from '../../prompt/prompt.ts';

export interface PromptTask {
  readonly observation: Observation;
  readonly timing: TimingNote;
  /** Pixels on shared memory, so that they are not copied. */
  readonly images: readonly RenderedImage[];
  /** Where to keep what was written; see `AgentView`. */
  readonly keepAt?: string | undefined;
}

export interface BuiltPrompt extends Prompt {
  /** `data:image/png;base64,...`, in the order of the images. */
  readonly imageUrls: readonly string[];
  /** Wall time of building it; keeping it is not counted. */
  readonly seconds: number;
}
