// How numbers of report.json are written for people. A number on the page names its place in report.json and its form, so
// that each can be looked up there.

export const numberForms = {
  whole: (value: number) => String(value),
  one: (value: number) => value.toFixed(1),
  two: (value: number) => value.toFixed(2),
  four: (value: number) => value.toFixed(4),
  three: (value: number) => value.toFixed(3),
  percent: (value: number) => `${(100 * value).toFixed(1)} %`,
  /** Of a difference of shares. */
  points: (value: number) => `${(100 * value).toFixed(1)} points`,
  /** Percent or points where the unit stands beside it. */
  bare: (value: number) => (100 * value).toFixed(1),
  /** Up to three digits that count. */
  short: (value: number) => String(Number(value.toPrecision(3))),
} as const;
export type NumberForm = keyof typeof numberForms;

/** The form of the bounds of an estimate that has a form: its unit is said once. */
export function boundForm(form: NumberForm): NumberForm {
  return form === 'percent' || form === 'points' ? 'bare' : form;
}

/** What stands for a number that there is not: never a zero. */
export const noNumber = '–';

export function numberText(value: number | null | undefined, form: NumberForm): string {
  return value === null || value === undefined ? noNumber : numberForms[form](value);
}

/** The value at a path such as `conditions.0.summary.spl`. */
export function valueAt(root: unknown, path: string): unknown {
  let at = root;
  for (const key of path.split('.')) at = (at as Record<string, unknown> | null | undefined)?.[key];
  return at;
}
