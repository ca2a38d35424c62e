// How long WALK and clearance must last on a map (RT-SAFE protocol §7, auto-calibration).

const walkingSpeedMetresPerSecond = 2;
const clearanceSpeedMetresPerSecond = 1.067;
/** Model latency 40 s, one action 10 s, buffer 5 s, detecting the phase 10 s. */
const walkBudgetSeconds = 40 + 10 + 5 + 10;
const shortestWalkSeconds = 7;
const shortestClearanceSeconds = 5;

/**
 * WALK and clearance for the longest crosswalk of a map, in metres. The bundled profiles hold the result for 14 m, which
 * is the longest on all released maps.
 *
 * @example calibrateSignals(14) // { walkSeconds: 72, clearanceSeconds: 14 }
 */
export function calibrateSignals(longestCrosswalkMetres: number) {
  const walk = Math.ceil(longestCrosswalkMetres / walkingSpeedMetresPerSecond + walkBudgetSeconds);
  const clearance = Math.ceil(longestCrosswalkMetres / clearanceSpeedMetresPerSecond);
  return {
    walkSeconds: Math.max(shortestWalkSeconds, walk),
    clearanceSeconds: Math.max(shortestClearanceSeconds, clearance),
  };
}
