// From physical units to the integers of `struct Rules`.
import { type StructLayout, structLayout } from '../../kernels/layout.ts';
import { layoutSource } from '../shaderFiles.ts';
import { type Field, fieldToInteger, profileFields } from './fields.ts';
import type { Profile } from './schema.ts';

let rulesLayout: StructLayout | undefined;

/**
 * A profile as one record of `struct Rules`, [member] in layout order: lengths in units of 1/16 cm, durations in ticks of
 * 0.1 s, speeds in units per tick, accelerations in units per tick per tick; spares are 0.
 *
 * @example compileRules(loadProfile('rt-safe'))[structLayout(layoutSource(), 'Rules').word('walkTicks')] // 720
 */
export function compileRules(profile: Profile): Int32Array {
  rulesLayout ??= structLayout(layoutSource(), 'Rules');
  const words = new Int32Array(rulesLayout.words);
  for (const [group, fields] of Object.entries(profileFields)) {
    const values = profile.rules[group as keyof Profile['rules']] as Record<string, number | boolean>;
    for (const [key, description] of Object.entries(fields) as [string, Field][]) {
      words[rulesLayout.word(description.member)] = fieldToInteger(description, values[key]!);
    }
  }
  return words;
}
