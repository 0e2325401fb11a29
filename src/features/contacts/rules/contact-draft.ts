/** A contact as somebody writes or brings it. */
export interface ContactDraft {
  address: string;
  name: string | null;
  phone: string | null;
  company: string | null;
  tags: readonly string[];
  note: string | null;
}

/** One line, at most so many signs; null where nothing is left. */
export function trimLine(text: string | null | undefined, most: number): string | null {
  // a sign has at most two code units
  const line = (text ?? '')
    .trimStart()
    .slice(0, 2 * most)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .toWellFormed();
  return line === '' ? null : [...line].slice(0, most).join('').trim();
}

/** Tags of one contact that are looked at, the repeated and the empty ones included. */
export const mostTagsRead = 200;

/** Once each whatever their case, in their order. */
export function trimTags(tags: readonly string[], longest: number, most: number): string[] {
  const once = new Map<string, string>();
  for (const tag of tags.slice(0, mostTagsRead)) {
    if (once.size === most) break;
    const name = trimLine(tag, longest);
    if (name !== null && !once.has(name.toLowerCase())) once.set(name.toLowerCase(), name);
  }
  return [...once.values()];
}
