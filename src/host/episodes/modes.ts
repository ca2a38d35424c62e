// Does the world go on while the policy thinks?

export const modes = ['static', 'realtime'] as const;
export type Mode = (typeof modes)[number];
