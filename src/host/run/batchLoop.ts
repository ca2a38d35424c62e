// The round loop shared by running and verifying: free environments take the next episode of a queue while the others go
// on, all that await a decision get one, and one `advance` carries every environment to its next. An episode never sees
// which environment it got or what runs beside it.
import type { ResetRequest, Simulator } from './simulator.ts';

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
  /** The next episode, undefined when there is none left. */
  next(): Episode | undefined;
  /** Called once when the episode's environment stands in its initial state. False abandons the episode. */
  started(seat: Seat<Episode>): boolean;
  /** Fills in action and latency of every seat. The list is reused: keep no hold of it. */
  decide(seats: readonly Seat<Episode>[]): void | Promise<void>;
  /** Called when a decision has ended. False abandons the episode. */
  decided(seat: Seat<Episode>): boolean;
  /** Called when the episode is over. */
  finished(seat: Seat<Episode>): void;
  /** Called after every round, once all seats are up to date. */
  roundEnded(): void;
}

/**
 * Runs until the queue is empty and every episode is over.
 *
 * @throws what the simulator, or the director, throws.
 */
export async function runBatch<Episode extends Occupant>(
  simulator: Simulator,
  director: BatchDirector<Episode>,
): Promise<void> {
  const free = Array.from({ length: simulator.envCount }, (_, place) => simulator.envCount - 1 - place);
  let fresh: Seat<Episode>[] = [];
  let deciding: Seat<Episode>[] = [];
  let awaiting: Seat<Episode>[] = [];
  let queueIsEmpty = false;

  const fillFreeEnvironments = () => {
    const requests: ResetRequest[] = [];
    while (!queueIsEmpty && free.length > 0) {
      const episode = director.next();
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
    if (fresh.length === 0 && deciding.length === 0) return;
    for (const seat of deciding) simulator.decide(seat.env, seat.action, seat.latencyCentiseconds);
    await simulator.advance();
    awaiting = [];
    for (const seat of deciding) settle(seat, director.decided(seat));
    for (const seat of fresh) settle(seat, director.started(seat));
    fresh = [];
    director.roundEnded();
    if (awaiting.length > 0) await director.decide(awaiting);
    deciding = awaiting;
  }
}
