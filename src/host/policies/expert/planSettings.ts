// What a plan avoids, and how far and how hard it looks.

/** In ticks of a plan's time: so long a way round, or a wait, is worth it. */
export const planCosts = {
  contact: 900,
  hazard: 400,
  violation: 3000,
  vehicle: 30_000,
  /** Entering a crossing that cannot be finished while WALK lasts. */
  lateEntry: 600,
  /** A move outside the corridor of the edge, where others can stop the agent. */
  offRoute: 60,
} as const;

export const planLimits = {
  /** Nodes whose actions are tried out. */
  expansions: 120,
  /** Decisions a plan may hold. */
  depth: 64,
  /** Ticks beyond the present thought that a plan reaches, or so many decisions if that is longer. */
  horizonTicks: 250,
  horizonDecisions: 4,
  /** Ticks that walkers are foreseen at most. */
  forecastTicks: 1500,
  /** Walkers are foreseen that can be where the agent is within so many decisions, and all within so many moves. */
  sightDecisions: 4,
  sightMoves: 7,
} as const;
