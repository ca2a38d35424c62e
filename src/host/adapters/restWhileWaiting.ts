// Dawn for Node asks its driver for news in every turn of the event loop for as long as a GPU promise is open, which keeps
// a core busy. On a driver that runs on the CPU that core is half of a small machine, so the event loop is put to sleep
// for a moment in each turn instead.

/** Longest sleep in one turn, in ms: below what anything else in the process would notice. */
const restMilliseconds = 0.3;
const sleeper = new Int32Array(new SharedArrayBuffer(4));
let openPromises = 0;
let isResting = false;

function rest(): void {
  if (openPromises === 0) {
    isResting = false;
    return;
  }
  Atomics.wait(sleeper, 0, 0, restMilliseconds);
  setImmediate(rest);
}

/** Rests in each turn of the event loop until `promise` settles. */
export function restWhileWaiting(promise: Promise<unknown>): void {
  openPromises++;
  const settle = () => {
    openPromises--;
  };
  promise.then(settle, settle);
  if (isResting) return;
  isResting = true;
  setImmediate(rest);
}
