// What all episodes of a run share: the compiled maps and profiles, and for each episode what it starts from.
import type { WorldRoute, WorldTables } from '../../kernels/world.ts';
import { classBits, difficulties } from '../episodes/difficulties.ts';
import { episodeSeed } from '../episodes/episodeSeed.ts';
import { type EpisodeKey, type RunPlan, routeName } from '../episodes/plan.ts';
import { compileRules } from '../profiles/compile.ts';
import type { Profile } from '../profiles/schema.ts';
import { buildCity, type City } from '../scenes/city.ts';
import { compileWorld } from '../scenes/compile.ts';
import type { Scene } from '../scenes/schema.ts';
import type { ResetRequest } from './simulator.ts';

export interface RunWorld {
  readonly cities: readonly City[];
  readonly world: WorldTables;
  /** [profile], in the plan's order. */
  readonly rules: readonly Int32Array[];
  route(key: EpisodeKey): WorldRoute;
  start(key: EpisodeKey): Omit<ResetRequest, 'env'>;
}

/**
 * Compiles scenes and profiles for a plan that uses them.
 *
 * @throws UsageError for a scene that cannot be compiled.
 */
export function buildRunWorld(
  plan: RunPlan,
  scenes: readonly Scene[],
  profiles: readonly Profile[],
): RunWorld {
  const cities = scenes.map((scene) => buildCity(scene));
  const world = compileWorld(cities);
  const routePlaces = new Map(world.routeList.map(({ map, id }, place) => [routeName(map, id), place]));
  const profilePlaces = new Map(profiles.map(({ name }, place) => [name, place]));
  const { maxDecisions: decisionCap, without } = plan.axes;

  const routePlace = (key: EpisodeKey): number => routePlaces.get(routeName(key.map, key.route))!;
  const route = (key: EpisodeKey): WorldRoute => world.routeList[routePlace(key)]!;
  return {
    cities,
    world,
    rules: profiles.map((profile) => compileRules(profile)),
    route,
    start(key) {
      const { percent, speedChoices } = difficulties[key.difficulty];
      const budget = route(key).maxDecisions;
      return {
        route: routePlace(key),
        rules: profilePlaces.get(key.profile)!,
        mode: key.mode,
        seed: episodeSeed(key.seed, key.map, key.route),
        maxDecisions: decisionCap === null ? budget : Math.min(budget, decisionCap),
        percent,
        speedChoices,
        classes: classBits(key.difficulty, without),
      };
    },
  };
}
