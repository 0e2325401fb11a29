/**
 * How many bytes a value takes as JSON, without its escapes: for budgets of answers whose rows others can make many and long.
 * Makes no text of it.
 */
export function answerBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 3;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 2;
  if (Array.isArray(value)) for (const one of value) bytes += answerBytes(one);
  else for (const key in value) bytes += key.length + 3 + answerBytes((value as Record<string, unknown>)[key]);
  return bytes;
}
