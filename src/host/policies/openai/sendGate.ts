// Lets the calls of a thread set out one after the other: while one is made up and sent, the clocks of the others do not
// run yet. Otherwise a burst of calls would be charged for the processor time of each other.
import { Slots } from '../../workers/slots.ts';

/** Longest that a call may keep the gate, in ms: it may have been held up before it was sent. */
const longestHold = 250;

export class SendGate {
  readonly #gate = new Slots(1);
  #sent = () => {};

  /** To be called when a request is on its way. */
  readonly sent = (): void => this.#sent();

  /** Starts `call` when it is its turn; the next may start once this one's request is on its way, or it is over. */
  async start<Result>(call: () => Promise<Result>): Promise<Result> {
    const { promise: result } = await this.#gate.run(async () => {
      const promise = call();
      await new Promise<void>((resolve) => {
        this.#sent = resolve;
        promise.then(
          () => resolve(),
          () => resolve(),
        );
        setTimeout(resolve, longestHold).unref();
      });
      return { promise };
    });
    return result;
  }
}
