// Reads the record layouts out of shaders/common/layout.wgsl, so that host and shader share one declaration. Every scalar
// there is 4 bytes wide, so a member's place is the number of words before it. (A test holds this against wgsl_reflect.)

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

const scalarTypes = new Set(["u32", "i32", "f32"]);

/**
 * The layout of struct `name` in WGSL text that holds only 4-byte scalars, arrays of fixed length and such structs.
 *
 * @example structLayout(layoutSource, "Rules").word("walkTicks")
 */
export function structLayout(source: string, name: string): StructLayout {
  const text = source.replace(/\/\/[^\n]*/g, "");
  const body = new RegExp(`struct\\s+${name}\\s*\\{([^}]*)\\}`).exec(text)?.[1];
  if (body === undefined) throw new RangeError(`no struct ${name} in the WGSL source`);
  const members: Member[] = [];
  let word = 0;
  for (const declaration of body.matchAll(/(\w+)\s*:\s*(array\s*<\s*(\w+)\s*,\s*(\d+)\s*>|\w+)/g)) {
    const memberName = declaration[1] ?? "";
    const type = declaration[3] ?? declaration[2] ?? "";
    const count = declaration[4] === undefined ? 1 : Number(declaration[4]);
    const words = count * (scalarTypes.has(type) ? 1 : structLayout(source, type).words);
    members.push({ name: memberName, word, words, signed: type === "i32" });
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

/** WGSL constants for a record addressed by words: `PREFIX_WORDS`, and `PREFIX_member` for each member's first word. */
export function wordConstants(prefix: string, layout: StructLayout): string {
  const lines = layout.members.map(({ name, word }) => `const ${prefix}_${name} = ${word}u;`);
  return [`const ${prefix}_WORDS = ${layout.words}u;`, ...lines].join('\n');
}
