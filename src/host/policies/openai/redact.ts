// Keeps the key out of everything that is written or printed: an endpoint may well repeat it.

/** @example redact('no such key: sk-1', 'sk-1') // 'no such key: [key]' */
export function redact(text: string, key: string): string {
  return key === '' ? text : text.replaceAll(key, '[key]');
}
