// The round loop shared by running and verifying: free environments take the next episode of a queue while the others go
// on, all that await a decision get one, and one `advance` carries every environment to its next. An episode never sees
// which environment it got or what runs beside it.
import type { FrameWatch, ResetRequest, Simulator } from './simulator.ts';

/** The values of `status` in shaders/common/layout.wgsl that an environment can stand still with. */
const statusAwaiting = 1;
const statusDone = 5;

/** What fills one environment: an episode on its way. */
export interface Occupant {
  /** What the environment starts from. */
  readonly start: Omit<ResetRequest, 'env'>;
}

/** An occupied environment, and the decision it is to take next. */
export interface Seat<Episode extends Occupant> {
  readonly env: number;
  readonly episode: Episode;
  action: number;
  latencyCentiseconds: number;
}

/** Where episodes come from, who decides, and who keeps the books. */
export interface BatchDirector<Episode extends Occupant> {
  /** Looks at environments in the middle of their actions; absent where nobody does. */
  readonly watch?: FrameWatch | undefined;
  /** The next episode for an environment, undefined when there is none left. */
  next(env: number): Episode | undefined;
  /** Called once when the episode's environment stands in its initial state. False abandons the episode. */
  started(seat: Seat<Episode>): boolean;
  /**
   * Fills in action and latency of every seat, or hands it to `later` with a promise that settles when they are filled
   * in: then the other environments go on meanwhile. The list is reused: keep no hold of it.
   */
  decide(
    seats: readonly Seat<Episode>[],
    later: (seat: Seat<Episode>, answer: Promise<void>) => void,
  ): void | Promise<void>;
  /** Called when a decision has ended. False abandons the episode. */
  decided(seat: Seat<Episode>): boolean;
  /** Called when the episode is over. */
  finished(seat: Seat<Episode>): void;
  /** Called after every round, once all seats are up to date, and when the run is to stop while all seats wait. */
  roundEnded(): void;
}

/** The seats whose answer is on its way, and those whose answer is there. */
class Answers<Seated> {
  #waiting = 0;
  #answered: Seated[] = [];
  #failure: { readonly error: unknown } | undefined;
  #wake = () => {};

  /** True while a seat waits for its answer, or its answer for the next round. */
  get areExpected(): boolean {
    return this.#waiting > 0 || this.#answered.length > 0;
  }

  expect(seat: Seated, answer: Promise<void>): void {
    this.#waiting++;
    const settle = () => {
      this.#waiting--;
      this.#wake();
    };
    answer.then(
      () => {
        this.#answered.push(seat);
        settle();
      },
      (error: unknown) => {
        this.#failure ??= { error };
        settle();
      },
    );
  }

  /** Settles with the next answer, or with `wake`. */
  async next(): Promise<void> {
    if (this.#answered.length > 0 || this.#failure !== undefined) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#wake();
  }

  /** The seats answered since the last call. @throws what the first answer that failed failed with. */
  take(): Seated[] {
    if (this.#failure !== undefined) throw this.#failure.error;
    const taken = this.#answered;
    this.#answered = [];
    return taken;
  }
}

/**
 * Runs until the queue is empty and every episode is over. `signal` ends the wait for answers: what is to
 * be said then is the director's to say, in `roundEnded`.
 *
 * @throws what the simulator, the director, or an answer throws; the signal's reason.
 */
export async function runBatch<Episode extends Occupant>(
  simulator: Simulator,
  director: BatchDirector<Episode>,
  signal?: AbortSignal,
): Promise<void> {
  const answers = new Answers<Seat<Episode>>();
  signal?.addEventListener('abort', () => answers.wake(), { once: true });
  const isLater = new Set<Seat<Episode>>();
  const later = (seat: Seat<Episode>, answer: Promise<void>) => {
    isLater.add(seat);
    answers.expect(seat, answer);
  };
  const free = Array.from({ length: simulator.envCount }, (_, place) => simulator.envCount - 1 - place);
  let fresh: Seat<Episode>[] = [];
  let deciding: Seat<Episode>[] = [];
  let awaiting: Seat<Episode>[] = [];
  let queueIsEmpty = false;

  const fillFreeEnvironments = () => {
    const requests: ResetRequest[] = [];
    while (!queueIsEmpty && free.length > 0) {
      const episode = director.next(free.at(-1)!);
      if (episode === undefined) {
        queueIsEmpty = true;
        break;
      }
      const env = free.pop()!;
      requests.push({ env, ...episode.start });
      fresh.push({ env, episode, action: 0, latencyCentiseconds: 0 });
    }
    if (requests.length > 0) simulator.reset(requests);
  };

  const settle = (seat: Seat<Episode>, goesOn: boolean) => {
    const status = simulator.summary.get(seat.env, 'status');
    if (goesOn && status === statusAwaiting) {
      awaiting.push(seat);
      return;
    }
    if (goesOn && status !== statusDone) {
      throw new Error(`environment ${seat.env} has status ${status} after an advance`);
    }
    if (goesOn) director.finished(seat);
    free.push(seat.env);
  };

  for (;;) {
    fillFreeEnvironments();
    if (fresh.length === 0 && deciding.length === 0) {
      if (!answers.areExpected) return;
      if (!signal?.aborted) await answers.next();
      if (signal?.aborted) {
        director.roundEnded();
        throw signal.reason;
      }
    }
    deciding.push(...answers.take());
    if (fresh.length === 0 && deciding.length === 0) continue;
    for (const seat of deciding) simulator.decide(seat.env, seat.action, seat.latencyCentiseconds);
    await simulator.advance(director.watch);
    awaiting = [];
    for (const seat of deciding) settle(seat, director.decided(seat));
    for (const seat of fresh) settle(seat, director.started(seat));
    fresh = [];
    director.roundEnded();
    isLater.clear();
    if (awaiting.length > 0) await director.decide(awaiting, later);
    deciding = isLater.size === 0 ? awaiting : awaiting.filter((seat) => !isLater.has(seat));
  }
}
