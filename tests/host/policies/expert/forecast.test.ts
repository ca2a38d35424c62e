// The forecast against what the reference makes of the same walkers, tick by tick, on the bundled maps.
import { beforeAll, describe, expect, test } from 'vitest';
import { benchRunOptions, makeWorkload, type Workload } from '../../../../src/host/bench/workload.ts';
import { Forecast } from '../../../../src/host/policies/expert/forecast.ts';
import { planningRules } from '../../../../src/host/policies/expert/planningRules.ts';
import { routeMapOf } from '../../../../src/host/policies/expert/routeMap.ts';
import { type Environment, statuses } from '../../../reference/environment.ts';
import { layoutOf } from '../../../reference/records.ts';
import { tick } from '../../../reference/tick.ts';
import { ReferenceSimulator } from '../../run/referenceSimulator.ts';

/** Walkers within 60 m of the agent are seen. */
const reach = 60 * 1600;
const walkingSpeed = 160;

let workload: Workload;
beforeAll(async () => {
  workload = await makeWorkload(36, benchRunOptions);
});

interface Scene {
  readonly environment: Environment;
  readonly forecast: Forecast;
  /** Places in `environment.walkers` of the forecast's walkers. */
  readonly seen: readonly number[];
}

/** The beginning of an episode, its world some ticks past a look; with the agent out of everybody's way, or in it. */
async function foresee(
  place: number,
  changes: { readonly humanContactCm?: number; readonly inTheWayOf?: number },
  thoughtTicks: number,
  ticks: number,
): Promise<Scene> {
  const { runWorld, starts } = workload;
  const start = starts[place]!;
  const rules = Int32Array.from(runWorld.rules[start.rules]!);
  if (changes.humanContactCm !== undefined) {
    rules[layoutOf('Rules').word('humanContact')] = 16 * changes.humanContactCm;
  }
  const simulator = new ReferenceSimulator({ ...runWorld, rules: [rules] }, 1);
  simulator.reset([{ ...start, env: 0 }]);
  await simulator.advance();
  const { environment, state } = simulator.episode(0);
  state.worldTick = 3;
  if (changes.inTheWayOf !== undefined) {
    const walker = environment.walkers[changes.inTheWayOf]!;
    const { axis } = environment.route.segments[walker.link]!;
    state.x = walker.x + ((2200 * axis.x) >> 14);
    state.y = walker.y + ((2200 * axis.y) >> 14);
  }
  const { x, y, worldTick } = state;
  const forecast = new Forecast();
  forecast.run(
    {
      env: 0,
      environments: await simulator.readEnvironments(),
      world: runWorld.world,
      rules,
      latencyCentiseconds: () => 10 * thoughtTicks,
    },
    routeMapOf(runWorld.world, start.route),
    planningRules(rules),
    { x, y, worldTick },
    reach,
    thoughtTicks,
    ticks,
  );
  const seen = environment.walkers.flatMap((walker, index) => {
    const isNear = Math.abs(walker.x - x) <= reach && Math.abs(walker.y - y) <= reach;
    return walker.status !== 0 && isNear ? [index] : [];
  });
  Object.assign(state, { status: statuses.planning, decisions: 2 });
  return { environment, forecast, seen };
}

/** Where the forecast and the reference have the walkers at a tick, leaving out what those beyond sight may have held up. */
function places(
  { environment, forecast, seen }: Scene,
  at: number,
  passed: number,
): { foreseen: number[]; actual: number[] } {
  const { state, walkers } = environment;
  const sure = reach - 2 * walkingSpeed * passed - 4000;
  const foreseen: number[] = [];
  const actual: number[] = [];
  for (const [place, index] of seen.entries()) {
    const walker = walkers[index]!;
    if (Math.abs(walker.x - state.x) > sure || Math.abs(walker.y - state.y) > sure) continue;
    const entry = place * forecast.stride + at;
    foreseen.push(index, forecast.x[entry]!, forecast.y[entry]!);
    actual.push(index, walker.x, walker.y);
  }
  return { foreseen, actual };
}

describe.each([0, 9, 20, 35])('route %i', (place) => {
  test('walkers that meet nobody but each other, over 25 s', async () => {
    const [thought, ticks] = [30, 220];
    const scene = await foresee(place, { humanContactCm: 0 }, thought, ticks);
    expect(scene.forecast.count).toBe(scene.seen.length);
    for (let passed = 1; passed <= thought + ticks; passed++) {
      tick(scene.environment);
      if (passed < thought) continue;
      const { foreseen, actual } = places(scene, passed - thought, passed);
      expect(foreseen).toEqual(actual);
      if (passed === thought) expect(actual.length).toBeGreaterThan(30);
    }
  });

  test('a walker that presses against the agent through a thought, and then passes', async () => {
    for (const thought of [20, 75, 110]) {
      // oxlint-disable-next-line no-await-in-loop -- scenes are small
      const scene = await foresee(place, { inTheWayOf: 0 }, thought, 10);
      for (let passed = 0; passed < thought; passed++) tick(scene.environment);
      const { foreseen, actual } = places(scene, 0, thought);
      expect(foreseen).toEqual(actual);
      const touching = scene.seen.map((index) => (scene.environment.walkers[index]!.status >> 1) & 1);
      expect([...scene.forecast.touches.subarray(0, touching.length)]).toEqual(touching);
      if (thought === 75) expect(touching).toContain(1);
    }
  });
});
