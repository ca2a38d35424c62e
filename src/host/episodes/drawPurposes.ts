// Purposes of the random draws that the host makes for an episode. Those of the simulated world are small numbers
// (docs/rules.md, section 1); these start at 100, so that no policy or latency is ever tied to the world's own draws.

export const drawPurposes = {
  latency: 101,
  randomPolicy: 102,
  standIn: 110,
  bootstrap: 111,
} as const;
