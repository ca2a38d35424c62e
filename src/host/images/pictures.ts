// Pictures that agents are shown, and what renders them.

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

export type OpenImages = (settings: PictureSettings) => Promise<ImageSource>;
