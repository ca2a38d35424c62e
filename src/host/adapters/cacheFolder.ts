// Where this program keeps what it unpacks, per user.
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** $XDG_CACHE_HOME/rtsafe, or ~/.cache/rtsafe. A relative XDG_CACHE_HOME is ignored, as its specification asks. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const base = environment.XDG_CACHE_HOME;
  return join(base && isAbsolute(base) ? base : join(homedir(), '.cache'), 'rtsafe');
}
