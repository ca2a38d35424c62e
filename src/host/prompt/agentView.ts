// What an agent knows beside its pose: the last decisions, and pictures where something renders them.
import type { PastDecision } from './observation.ts';

/** Pixels of one picture. */
export interface RenderedImage {
  readonly width: number;
  readonly height: number;
  /** [row, column, red green blue alpha] */
  readonly data: Uint8Array;
}

/** `earlier`: during the last action; `left`, `right`: context beside the view; `latest`: the view, with markers. */
export const imageKinds = ['earlier', 'left', 'right', 'latest'] as const;
export type ImageKind = (typeof imageKinds)[number];

export interface AgentImage extends RenderedImage {
  readonly kind: ImageKind;
}

/** What a policy wants to be shown. */
export interface PictureSettings {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** The numbered destinations of the seven moves, on the latest picture. */
  readonly markers: boolean;
  /** Two more cameras, turned to the left and to the right. */
  readonly sides: boolean;
  /** Most frames of the last action, the latest of them; 0: none. */
  readonly earlierFrames: number;
}

/** Renders what the agents of environments see. Pixels lie on memory that threads share. */
export interface ImageSource {
  /** This moment's view, without markers, in the order of the environments; also in the middle of an action. */
  frames(envs: readonly number[]): Promise<readonly RenderedImage[]>;
  /** What agents that are to decide see: left and right where wanted, then the latest. [env][image] */
  views(envs: readonly number[]): Promise<readonly (readonly AgentImage[])[]>;
  close(): Promise<void>;
}

/** Reads the state vectors of environments that are to decide. */
export interface StateSource {
  /** [env][field], in the order of the environments. */
  states(envs: readonly number[]): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

export type OpenState = () => Promise<StateSource>;
export type OpenImages = (settings: PictureSettings) => Promise<ImageSource>;

export interface AgentView {
  readonly speedCmS: number;
  /** Oldest first. */
  readonly past: readonly PastDecision[];
  /** Oldest first, the latest view last; none where nothing renders. */
  readonly images: readonly AgentImage[];
  /** [field] of the state vector, for a policy that reads it. */
  readonly state?: Float32Array | undefined;
  /** Where the prompt and its pictures are to be kept: a path to which `.txt` and, say, `-1-latest.png` are added. */
  readonly keepAt?: string;
}
