import type { EventBody } from '#kernel/event.ts';
import { sha256 } from '#kernel/sha256.ts';

/**
 * Canonical JSON: keys sorted, undefined members left out, no white space, so that equal values give equal text.
 * Source: RFC 8785, for the plain JSON of the event model (strings, finite numbers, booleans, null, lists, objects).
 */
export function canonicalJson(value: unknown): string {
  return print(value, null);
}

/** Whether two values are the same JSON, whatever the order of their members. */
export function equalJson(a: unknown, b: unknown): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b);
}

function print(value: unknown, unseen: string | null): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) {
    let list = '[';
    for (let i = 0; i < value.length; i += 1) list += (i === 0 ? '' : ',') + print(value[i] ?? null, unseen);
    return `${list}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>;
    let object = '';
    for (const key of sortedKeys(members)) {
      const member = members[key];
      if (member === undefined || key === unseen) continue;
      object += `${object === '' ? '' : ','}${JSON.stringify(key)}:${print(member, unseen)}`;
    }
    return `{${object}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** By UTF-16 unit, as `sort` does; by hand, because most objects here have a handful of members (1 us less an event). */
function sortedKeys(members: Record<string, unknown>): string[] {
  const keys = Object.keys(members);
  if (keys.length > 12) return keys.sort();
  for (let i = 1; i < keys.length; i += 1) {
    const key = keys[i] as string;
    let j = i - 1;
    while (j >= 0 && (keys[j] as string) > key) {
      keys[j + 1] = keys[j] as string;
      j -= 1;
    }
    keys[j + 1] = key;
  }
  return keys;
}

/**
 * Names the content of an event: equal bodies give equal hashes whatever the order of their members; anything that
 * could change a mirror changes it. Reminders cannot, and are left out. 64 hex digits.
 *
 * To compare what should stand with what a provider gives back, hash `normaliseBody` of what should stand.
 */
export function contentHash(body: EventBody): string {
  return sha256(print(body, 'reminders'));
}

/** `contentHash` of a body whose canonical JSON is known: nearly always that is the text to hash. */
export function contentHashOf(body: EventBody, bodyText: string): string {
  return bodyText.includes('"reminders":') ? contentHash(body) : sha256(bodyText);
}
