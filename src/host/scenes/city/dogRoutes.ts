// The zig-zags robot dogs run across a sidewalk: 10 per sidewalk, from the roadway to the facades and back.
import { pointBeside } from '../geometry.ts';
import type { Point, Scene } from '../schema.ts';
import { type DrawStream, drawStream, sceneryPurpose } from './drawStream.ts';
import { slotCount, walkerPitchCm } from './slots.ts';
import type { Sidewalk, Streets } from './streets.ts';

const routesPerSidewalk = 10;
const attemptsPerSidewalk = 100;
const fewestNodes = 2;
const mostNodes = 6;
/** The far and the near line are this far from the sidewalk's middle. */
const lineOffsetCm = 400;

/**
 * One zig-zag as nodes `2 * slot + line`: the line changes at each node, the slot by -1, 0 or 1, and no node comes
 * twice. It ends early where no new node is left.
 */
function drawZigZag(draw: DrawStream, slots: number): number[] {
  const nodeCount = fewestNodes + draw.below(mostNodes - fewestNodes + 1);
  let slot = draw.below(slots);
  let line = draw.below(2);
  const nodes = [2 * slot + line];
  while (nodes.length < nodeCount) {
    line = 1 - line;
    const open = [slot - 1, slot, slot + 1].filter(
      (next) => next >= 0 && next < slots && !nodes.includes(2 * next + line),
    );
    if (open.length === 0) break;
    slot = draw.pick(open);
    nodes.push(2 * slot + line);
  }
  return nodes;
}

function drawSidewalkRoutes(sidewalk: Sidewalk, draw: DrawStream): Point[][] {
  const slots = slotCount(sidewalk, walkerPitchCm);
  if (slots === 0) return [];
  const known = new Set<string>();
  const routes: Point[][] = [];
  for (let attempt = 0; attempt < attemptsPerSidewalk; attempt++) {
    if (routes.length === routesPerSidewalk) break;
    const nodes = drawZigZag(draw, slots);
    if (nodes.length < fewestNodes || known.has(nodes.join())) continue;
    known.add(nodes.join());
    routes.push(
      nodes.map((node) => {
        const along = ((node >> 1) + 1) * walkerPitchCm;
        return pointBeside(sidewalk, along, (node & 1) === 0 ? lineOffsetCm : -lineOffsetCm);
      }),
    );
  }
  return routes;
}

/** The dog routes of each sidewalk: [sidewalk][route][node]. */
export function drawDogRoutes(scene: Scene, streets: Streets): Point[][][] {
  return streets.sidewalks.map((sidewalk, index) =>
    drawSidewalkRoutes(sidewalk, drawStream(scene.scenerySeed, sceneryPurpose.dogRoutes, index)),
  );
}
