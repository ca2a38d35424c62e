// config.json: everything needed to run a run again, and what it was run with. `plan`, `scenes`, `profiles` and
// `simulator` decide the episodes; `sessions` only tell how they were computed.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { actorClassNames, difficultyNames } from '../episodes/difficulties.ts';
import { modes } from '../episodes/modes.ts';
import { canonicalJson } from '../scenes/hash.ts';

const text = z.string({ error: 'a text' }).min(1, { error: 'a text that is not empty' });
const count = z.int({ error: 'a whole number' }).min(0, { error: 'a whole number from 0' });
const hash = z.string({ error: '64 hex digits' }).regex(/^[0-9a-f]{64}$/, { error: '64 hex digits' });

function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item, { error: 'a list' }).min(1, { error: 'a list with at least one entry' });
}

const planSchema = z.object({
  profiles: listOf(text),
  policies: listOf(text),
  latencies: listOf(text),
  difficulties: listOf(z.enum(difficultyNames, { error: `one of ${difficultyNames.join(', ')}` })),
  modes: listOf(z.enum(modes, { error: `one of ${modes.join(', ')}` })),
  seeds: listOf(count.max(0xffffffff, { error: 'a seed up to 4294967295' })),
  routes: listOf(z.object({ map: text, route: count })),
  maxDecisions: count.nullable(),
  without: z.array(z.enum(actorClassNames, { error: `one of ${actorClassNames.join(', ')}` })),
});

/** `content` is the whole scene or profile where it did not come with the package. */
const namedContent = z.object({
  name: text,
  source: text,
  hash,
  content: z.unknown().optional(),
});

const sessionSchema = z.object({
  startedAt: text,
  node: text,
  platform: text,
  adapter: z.record(z.string(), z.string()),
  environments: count,
});

export const runConfigSchema = z.object({
  format: z.literal('rtsafe-run', { error: '"rtsafe-run"' }),
  version: z.literal(1, { error: '1' }),
  /** `shaders` is the SHA-256 over all WGSL files. */
  simulator: z.object({ rtsafe: text, webgpu: text, shaders: hash }),
  plan: planSchema,
  scenes: listOf(namedContent),
  profiles: listOf(namedContent),
  /** What a `trace:` policy or latency replays. */
  replayed: z.array(z.object({ name: text, hash })),
  /** What decides the answers of policies beside their names: never a key. */
  policySettings: z.array(z.object({ name: text, settings: z.record(z.string(), z.unknown()) })).optional(),
  /** The part of the plan that this folder holds, where a run is split. */
  shard: z.object({ index: count, of: count }).optional(),
  sessions: z.array(sessionSchema),
});

export type RunConfig = z.infer<typeof runConfigSchema>;
export type RunSession = z.infer<typeof sessionSchema>;

/** What decides a run's episodes, part by part. The WebGPU package does not change results. */
function decidingParts(config: RunConfig): Map<string, unknown> {
  const parts = new Map<string, unknown>(
    Object.entries(config.plan).map(([name, value]) => [`plan.${name}`, value]),
  );
  for (const list of ['scenes', 'profiles'] as const) {
    parts.set(
      `${list}.hash`,
      config[list].map((entry) => ({ name: entry.name, hash: entry.hash })),
    );
  }
  parts.set('replayed', config.replayed);
  for (const { name, settings } of config.policySettings ?? []) {
    for (const setting of Object.keys(settings).toSorted())
      parts.set(`the setting ${setting} of ${name}`, settings[setting]);
  }
  parts.set('simulator.rtsafe', config.simulator.rtsafe);
  parts.set('simulator.shaders', config.simulator.shaders);
  return parts;
}

/**
 * 16 hex digits that two runs share when the same version computes the same plan from the same scenes and profiles,
 * whole or in shards. Every line of episodes.jsonl carries it.
 */
export function runIdentity(config: RunConfig): string {
  const parts = canonicalJson([...decidingParts(config)]);
  return createHash('sha256').update(parts).digest('hex').slice(0, 16);
}

export interface ConfigDifference {
  readonly part: string;
  readonly found: unknown;
  readonly wanted: unknown;
}

/** The first part in which two runs differ, their shards apart. */
export function findRunDifference(recorded: RunConfig, wanted: RunConfig): ConfigDifference | undefined {
  const [recordedParts, wantedParts] = [decidingParts(recorded), decidingParts(wanted)];
  for (const part of new Set([...recordedParts.keys(), ...wantedParts.keys()])) {
    const [found, value] = [recordedParts.get(part), wantedParts.get(part)];
    if (canonicalJson(found) !== canonicalJson(value)) return { part, found, wanted: value };
  }
  return undefined;
}

/** The first part in which two folders differ, undefined when one continues the other. */
export function findDifference(recorded: RunConfig, wanted: RunConfig): ConfigDifference | undefined {
  const difference = findRunDifference(recorded, wanted);
  if (difference !== undefined) return difference;
  const [found, other] = [recorded.shard, wanted.shard];
  if (found?.index === other?.index && found?.of === other?.of) return undefined;
  return { part: 'shard', found, wanted: other };
}
