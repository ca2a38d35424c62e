// The progress bar of a run, on stderr, with rate and time left. Silent when stderr is not a terminal.
import { SingleBar } from 'cli-progress';
import { percentile } from '../metrics/percentile.ts';
import type { RunProgress } from '../run/executeRun.ts';

/** The median is that of the latest requests. */
const latestRequests = 1000;

const secondsPerMinute = 60;

function durationText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '-';
  if (seconds < secondsPerMinute) return `${Math.ceil(seconds)} s`;
  return `${Math.floor(seconds / secondsPerMinute)} min ${Math.ceil(seconds % secondsPerMinute)} s`;
}

/** With a decimal while it is small: a model may take seconds for a decision. */
function rateText(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond));
}

/** How fast work went lately: over the last quarter of the time so far, since a run is slower at its end. */
export class RecentRate {
  #samples: { readonly seconds: number; readonly work: number }[] = [{ seconds: 0, work: 0 }];

  /** Takes the work done after so many seconds, and gives the work per second; 0 while there is no saying. */
  update(seconds: number, work: number): number {
    this.#samples.push({ seconds, work });
    while (this.#samples.length > 2 && this.#samples[1]!.seconds < 0.75 * seconds) this.#samples.shift();
    const from = this.#samples[0]!;
    return seconds > from.seconds ? Math.max(0, (work - from.work) / (seconds - from.seconds)) : 0;
  }
}

/** `what` names what is counted: "episodes". */
export function progressBar(what: string): RunProgress {
  const bar = new SingleBar({
    format: `{bar} {done}/{total} ${what}  {pace} ${what}/s  {rate} decisions/s  {left} left{thinking}`,
    stream: process.stderr,
    clearOnComplete: true,
    noTTYOutput: false,
  });
  let total = 0;
  let episodes = 0;
  let decisions = 0;
  let earlier = 0;
  let underway = 0;
  let startTime = 0;
  let recent = new RecentRate();
  let tokens = 0;
  const requestSeconds: number[] = [];
  const thinking = () => {
    if (requestSeconds.length === 0) return '';
    const median = percentile(
      requestSeconds.toSorted((first, second) => first - second),
      50,
    );
    return `  ${tokens} tokens  median ${median.toFixed(2)} s`;
  };
  const payload = () => {
    const seconds = (performance.now() - startTime) / 1000;
    const perSecond = recent.update(seconds, episodes + underway);
    return {
      done: earlier + episodes,
      rate: rateText(seconds > 0 ? decisions / seconds : 0),
      pace: perSecond.toPrecision(2),
      left: durationText((total - earlier - episodes - underway) / perSecond),
      thinking: thinking(),
    };
  };
  return {
    start(planned, done) {
      total = planned;
      earlier = done;
      episodes = 0;
      decisions = 0;
      underway = 0;
      startTime = performance.now();
      recent = new RecentRate();
      bar.start(planned, done, { done, pace: '-', rate: 0, left: '-', thinking: '' });
    },
    advance(moreEpisodes, moreDecisions, nowUnderway = 0) {
      episodes += moreEpisodes;
      decisions += moreDecisions;
      underway = nowUnderway;
      bar.update(earlier + episodes + underway, payload());
    },
    thought({ seconds, reply }) {
      tokens += (reply.tokens.prompt ?? 0) + (reply.tokens.completion ?? 0);
      requestSeconds.push(seconds);
      if (requestSeconds.length > latestRequests) requestSeconds.shift();
    },
    note(line) {
      process.stderr.write(`rtsafe: ${line}\n`);
    },
    stop() {
      bar.stop();
    },
  };
}
