// The state hash: an order-free sum over the words of the state and of all actors (docs/rules.md, section 9).
import { pcg } from '../../src/kernels/random.ts';
import type { Environment } from './environment.ts';
import { actorFields, envStateLayout, envStateWords } from './records.ts';

/** Words before this one are fixed for the episode, or the hash itself. */
const firstWord = envStateLayout.word('status');
const actorKeys = 65536;

/** The u32 hash of an environment that stands still. */
export function stateHash(env: Environment): number {
  let sum = 0;
  const words = envStateWords(env.state);
  for (let word = firstWord; word < words.length; word++) sum = add(sum, words[word]!, word);
  env.actors.forEach((actor, slot) => {
    actorFields.forEach((field, index) => {
      sum = add(sum, actor[field] >>> 0, actorKeys + actorFields.length * slot + index);
    });
  });
  return sum;
}

function add(sum: number, word: number, key: number): number {
  return (sum + pcg((word + pcg(key)) >>> 0)) >>> 0;
}
