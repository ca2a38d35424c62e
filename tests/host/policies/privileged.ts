// Policies with privileged state on small hand-made worlds, played on the CPU reference.
import type { Policy, PolicyRequest, PrivilegedState } from '../../../src/host/policies/policy.ts';
import { EnvironmentsView } from '../../../src/kernels/environmentsView.ts';
import type { ReferenceEpisode } from '../../reference/episode.ts';
import { layoutOf, type ResetRequest, type Rules } from '../../reference/records.ts';
import { buildTinyWorld, plainRules, type TinyWorld, tinyEpisode } from '../../reference/tinyWorld.ts';
import { writeEpisode } from '../run/referenceSimulator.ts';

export const realtime = 1;

function rulesWords(rules: Rules): Int32Array {
  const layout = layoutOf('Rules');
  const words = new Int32Array(layout.words);
  for (const [name, value] of Object.entries(rules)) words[layout.word(name)] = value;
  return words;
}

/** One episode and what a policy sees of it. */
export class PrivilegedEpisode {
  readonly reference: ReferenceEpisode;
  readonly latencyCentiseconds: number;
  readonly #world: PrivilegedState['world'];
  readonly #rules: Int32Array;
  readonly #identity = { map: 'tiny', route: 1, seed: 0, difficulty: 'hard', mode: 'realtime' } as const;

  constructor(
    world: TinyWorld,
    rules: Partial<Rules> = {},
    request: Partial<ResetRequest> = {},
    latencyCentiseconds = 300,
  ) {
    this.reference = tinyEpisode(world, rules, { mode: realtime, maxDecisions: 150, ...request });
    this.#world = buildTinyWorld(world);
    this.#rules = rulesWords({ ...plainRules, ...rules });
    this.latencyCentiseconds = latencyCentiseconds;
  }

  /** As `readEnvironments` would give it, the episode being number `env` of a batch of `envs`. */
  state(env = 0, envs = 1, laneBlock = 1): PrivilegedState {
    const { actors } = this.reference;
    const view = new EnvironmentsView(layoutOf('EnvState'), envs, actors.length, laneBlock);
    writeEpisode(view, env, this.reference);
    return {
      env,
      environments: view,
      world: this.#world,
      rules: this.#rules,
      latencyCentiseconds: () => this.latencyCentiseconds,
    };
  }

  request(): PolicyRequest {
    const { state, environment } = this.reference;
    const { x, y, heading, subgoal, decisions, clockCentiseconds } = state;
    const { edges, end } = environment.route;
    const goal = edges[subgoal]?.start ?? end;
    const start = edges[subgoal - 1]!.start;
    return {
      episode: this.#identity,
      decision: decisions + 1,
      clockCentiseconds,
      x,
      y,
      heading,
      subgoalX: goal.x,
      subgoalY: goal.y,
      isFinalSubgoal: subgoal === edges.length,
      edgeStartX: start.x,
      edgeStartY: start.y,
      state: this.state(),
    };
  }

  /** Plays to the end, or up to a number of decisions; returns the actions. */
  async play(policy: Policy, most = 150): Promise<number[]> {
    const actions: number[] = [];
    while (!this.reference.isDone && actions.length < most) {
      // oxlint-disable-next-line no-await-in-loop -- a decision follows from the one before
      const [decision] = await policy.decide([this.request()]);
      actions.push(decision!.action);
      this.reference.decide(decision!.action, this.latencyCentiseconds);
    }
    return actions;
  }

  /** Contacts and incidents of all kinds, hazards and violations so far. */
  get unsafeEvents(): number {
    const { contacts, incidents, hazards, violations } = this.reference.state;
    return [...contacts, ...incidents, ...hazards, ...violations].reduce((sum, count) => sum + count, 0);
  }
}
