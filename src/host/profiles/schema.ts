// The shape of a profile: a named set of rules in physical units, one key per rule, none missing, none unknown. Every
// message completes the sentence "allowed is ...".
import { z } from 'zod';
import { ticksPerSecond } from '../../kernels/units.ts';
import { type Field, profileFields, units } from './fields.ts';

type FieldValue<Description> = Description extends { readonly unit: 'flag' } ? boolean : number;
type GroupName = keyof typeof profileFields;

/** The rules of a profile, grouped as in the file: `rules.signals.walkSeconds`. */
export type ProfileRules = {
  [Group in GroupName]: {
    [Key in keyof (typeof profileFields)[Group]]: FieldValue<(typeof profileFields)[Group][Key]>;
  };
};

/** A checked profile file. */
export interface Profile {
  format: 'rtsafe-profile';
  version: 1;
  name: string;
  description: string;
  rules: ProfileRules;
}

function numberText(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function fieldSchema(description: Field): z.ZodType {
  if (description.unit === 'flag') return z.boolean({ error: 'true or false' });
  const { unit, minimum, maximum } = description;
  const error = `${units[unit].words} from ${numberText(minimum)} to ${numberText(maximum)}`;
  const range = z.number({ error }).min(minimum, { error }).max(maximum, { error });
  if (unit === 'count' || unit === 'wholeCm') return range.int({ error });
  return unit === 'seconds' ? range.multipleOf(1 / ticksPerSecond, { error }) : range;
}

function exactObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const keys = Object.keys(shape).map((key) => `"${key}"`);
  return z.strictObject(shape, { error: `an object with the keys ${keys.join(', ')}` });
}

const groups = Object.entries(profileFields).map(([group, fields]) => [
  group,
  exactObject(
    Object.fromEntries(Object.entries(fields).map(([key, description]) => [key, fieldSchema(description)])),
  ),
]);

function namePattern() {
  const error = 'a name of 1 to 64 letters, digits and hyphens';
  return z.string({ error }).regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/, { error });
}

/** Checks a profile that was read from JSON. */
export const profileSchema = exactObject({
  format: z.literal('rtsafe-profile', { error: '"rtsafe-profile"' }),
  version: z.literal(1, { error: '1' }),
  name: namePattern(),
  description: z.string({ error: 'a text' }),
  rules: exactObject(Object.fromEntries(groups)),
}).superRefine((profile, context) => {
  const { intimateCm, personalCm, socialCm } = (profile as unknown as Profile).rules.proxemics;
  if (intimateCm > personalCm || personalCm > socialCm) {
    const message = 'intimateCm at most personalCm, and that at most socialCm';
    context.addIssue({ code: 'custom', path: ['rules', 'proxemics'], message });
  }
}) as unknown as z.ZodType<Profile>;
