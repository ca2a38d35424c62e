// The CPU reference simulator behind the interface of the batch simulator, so that runs are tested without a GPU.
import type { OpenSimulator } from '../../../src/host/run/executeRun.ts';
import type { RunWorld } from '../../../src/host/run/runWorld.ts';
import type { ResetRequest, Simulator } from '../../../src/host/run/simulator.ts';
import { EnvironmentsView } from '../../../src/kernels/environmentsView.ts';
import { actorWords } from '../../../src/kernels/world.ts';
import { ReferenceEpisode } from '../../reference/episode.ts';
import { layoutOf, type Rules } from '../../reference/records.ts';

function rulesByName(words: Int32Array): Rules {
  return Object.fromEntries(
    layoutOf('Rules').members.map(({ name, word }) => [name, words[word]]),
  ) as unknown as Rules;
}

/** Puts an episode's state where a readback of the batch would. */
export function writeEpisode(view: EnvironmentsView, env: number, episode: ReferenceEpisode): void {
  const words = episode.stateWords();
  const stateWords = view.stateLayout.words;
  view.states.set(words.subarray(0, stateWords), env * stateWords);
  for (let slot = 0; slot < episode.actors.length; slot++) {
    const actor = words.subarray(stateWords + slot * actorWords, stateWords + (slot + 1) * actorWords);
    const first = view.firstHalf(env, slot);
    view.actors.set(actor.subarray(0, 4), first);
    view.actors.set(actor.subarray(4), first + view.halfDistance);
  }
}

export class ReferenceSimulator implements Simulator {
  readonly envCount: number;
  readonly #world: RunWorld['world'];
  readonly #rules: readonly Rules[];
  readonly #episodes: (ReferenceEpisode | undefined)[];
  #resets: ResetRequest[] = [];
  #decisions: [env: number, action: number, latencyCentiseconds: number][] = [];
  rounds = 0;

  constructor({ world, rules }: RunWorld, envCount: number) {
    this.envCount = envCount;
    this.#world = world;
    this.#rules = rules.map(rulesByName);
    this.#episodes = new Array<ReferenceEpisode | undefined>(envCount);
  }

  readonly summary = {
    get: (env: number, member: string): number => this.#member(env, member) as number,
    getArray: (env: number, member: string): number[] => this.#member(env, member) as number[],
  };

  /** The episode that an environment plays. */
  episode(env: number): ReferenceEpisode {
    return this.#episodes[env]!;
  }

  #member(env: number, member: string): unknown {
    const state = this.#episodes[env]!.state as unknown as Record<string, unknown>;
    if (!(member in state)) throw new RangeError(`no member ${member}`);
    return state[member];
  }

  reset(requests: readonly ResetRequest[]): void {
    this.#resets.push(...requests);
  }

  decide(env: number, action: number, latencyCentiseconds: number): void {
    this.#decisions.push([env, action, latencyCentiseconds]);
  }

  async readEnvironments(): Promise<EnvironmentsView> {
    await Promise.resolve();
    const slots = Math.max(...this.#episodes.map((episode) => episode?.actors.length ?? 0));
    const view = new EnvironmentsView(layoutOf('EnvState'), this.envCount, slots, 1);
    for (const [env, episode] of this.#episodes.entries()) {
      if (episode !== undefined) writeEpisode(view, env, episode);
    }
    return view;
  }

  async advance(): Promise<void> {
    this.rounds++;
    for (const request of this.#resets) {
      const mode = request.mode === 'realtime' ? 1 : 0;
      this.#episodes[request.env] = new ReferenceEpisode(this.#world, this.#rules[request.rules]!, {
        ...request,
        mode,
      });
    }
    for (const [env, action, latency] of this.#decisions) this.#episodes[env]!.decide(action, latency);
    this.#resets = [];
    this.#decisions = [];
    await Promise.resolve();
  }
}

/** In place of `simulatorOn`. */
export const openReference: OpenSimulator = (runWorld, environments) =>
  Promise.resolve({
    simulator: new ReferenceSimulator(runWorld, environments),
    adapter: { description: 'CPU reference' },
    close: () => Promise.resolve(),
  });
