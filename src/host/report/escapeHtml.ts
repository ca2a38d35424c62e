// Text from records, scenes and options on its way into HTML.

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** @example escapeHtml('<script>') // '&lt;script&gt;' */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
}

/** JSON for a script element: no `<` is left that could end it, nor a separator that JavaScript takes for a line's end. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[<>\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
