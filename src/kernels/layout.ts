// Reads the record layouts out of shaders/common/layout.wgsl, so that host and shader share one declaration. Every scalar
// there is 4 bytes wide, so a member's place is the number of words before it. (A test holds this against wgsl_reflect.)
// From the same layouts comes the WGSL that reads and writes records four words at a time.

/** One member of a record: its first word, how many words it takes, and how to read one. */
export interface Member {
  readonly name: string;
  readonly word: number;
  readonly words: number;
  readonly signed: boolean;
}

/** The layout of one WGSL struct, in 4-byte words. */
export interface StructLayout {
  readonly name: string;
  readonly words: number;
  readonly members: readonly Member[];
  /** First word of a member. Throws RangeError for a name the struct does not have. */
  word(member: string): number;
}

const scalarTypes = new Set(['u32', 'i32', 'f32']);

/**
 * The layout of struct `name` in WGSL text that holds only 4-byte scalars, arrays of fixed length and such structs.
 *
 * @example structLayout(layoutSource, "Rules").word("walkTicks")
 */
export function structLayout(source: string, name: string): StructLayout {
  const text = source.replace(/\/\/[^\n]*/g, '');
  const body = new RegExp(`struct\\s+${name}\\s*\\{([^}]*)\\}`).exec(text)?.[1];
  if (body === undefined) throw new RangeError(`no struct ${name} in the WGSL source`);
  const members: Member[] = [];
  let word = 0;
  for (const declaration of body.matchAll(/(\w+)\s*:\s*(array\s*<\s*(\w+)\s*,\s*(\d+)\s*>|\w+)/g)) {
    const memberName = declaration[1] ?? '';
    const type = declaration[3] ?? declaration[2] ?? '';
    const count = declaration[4] === undefined ? 1 : Number(declaration[4]);
    const words = count * (scalarTypes.has(type) ? 1 : structLayout(source, type).words);
    members.push({ name: memberName, word, words, signed: type === 'i32' });
    word += words;
  }
  const words = new Map(members.map((member) => [member.name, member.word]));
  return {
    name,
    words: word,
    members,
    word(member) {
      const found = words.get(member);
      if (found === undefined) throw new RangeError(`struct ${name} has no member ${member}`);
      return found;
    },
  };
}

const lanes = ['x', 'y', 'z', 'w'] as const;

/**
 * WGSL that reads a record from an array<vec4u>: `fn readX(index: u32) -> X`.
 *
 * @example recordReader(structLayout(source, 'Shape'), 'shapes')
 */
export function recordReader(layout: StructLayout, buffer: string): string {
  const vectors = Array.from(
    { length: layout.words / 4 },
    (_, vector) => `  let w${vector} = ${buffer}[base + ${vector}u];`,
  );
  const values = layout.members.map(({ word, signed }) => {
    const text = `w${word >> 2}.${lanes[word & 3]}`;
    return signed ? `bitcast<i32>(${text})` : text;
  });
  return `
fn read${layout.name}(index: u32) -> ${layout.name} {
  let base = index * ${layout.words / 4}u;
${vectors.join('\n')}
  return ${layout.name}(${values.join(', ')});
}
`;
}

/**
 * Rewrites every `variable.member` of WGSL text to a word of one of two arrays: `variableI` holds the signed members,
 * `variableU` the others. A record kept that way is filled and emptied by a loop, which is one load in the compiled
 * code where a struct would need one per member: drivers on a CPU compile in time that grows with the square of that.
 */
export function addressByWord(text: string, variable: string, layout: StructLayout): string {
  const places = new Map(layout.members.map((member) => [member.name, member]));
  return text.replace(
    new RegExp(`\\b${variable}\\.(\\w+)(\\[)?`, 'g'),
    (found, name: string, bracket: string | undefined) => {
      const member = places.get(name);
      if (member === undefined) throw new RangeError(`${found}: struct ${layout.name} has no such member`);
      const array = `${variable}${member.signed ? 'I' : 'U'}[${member.word}`;
      return bracket === undefined ? `${array}]` : `${array} + `;
    },
  );
}

/** For each word of a record up to `words`, is it signed? As WGSL: a constant bit set, `array<u32, n>`. */
export function signedWords(layout: StructLayout, words: number): string {
  const bits = new Uint32Array(Math.ceil(words / 32));
  for (const { word, signed } of layout.members)
    if (signed && word < words) bits[word >> 5]! |= 1 << (word & 31);
  return `array<u32, ${bits.length}>(${[...bits].map((value) => `${value >>> 0}u`).join(', ')})`;
}
