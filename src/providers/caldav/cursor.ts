import type { TagState } from './calendar-tag.ts';

/**
 * Where a pull left off: a sync token with what is known of the calendar's ctag under it, or for servers without
 * sync-collection the ctag with the moments it was first seen and last fully listed under. Opaque to everybody else.
 */
export type Cursor =
  | { kind: 'token'; token: string; tag?: TagState | undefined }
  | { kind: 'ctag'; ctag: string; firstSeenMs: number; listedAtMs: number };

/** Characters of the longest sync token or ctag; those of all known servers have some 100. */
const longestToken = 2_000;

/** A sync token or ctag as the server gave it. Null where it gave none, or one that is too long to be kept and sent. */
export function tokenOf(text: string | undefined): string | null {
  return text === undefined || text.length > longestToken ? null : text.trim() || null;
}

export function encodeCursor(cursor: Cursor): string {
  if (cursor.kind === 'ctag') return `c:${cursor.firstSeenMs}:${cursor.listedAtMs}:${cursor.ctag}`;
  const { token, tag } = cursor;
  if (tag === undefined) return `t:${token}`;
  if (tag === 'useless') return `u:${token}`;
  return `g:${tag.firstSeenMs}:${tag.provenMs ?? ''}:${tag.ctag.length}:${tag.ctag}${token}`;
}

/** Two tokens and some numbers. */
const longestCursor = 2 * longestToken + 100;

/** Null for anything this version cannot read: listing everything is always right. */
export function decodeCursor(text: string): Cursor | null {
  if (text.length > longestCursor) return null;
  if (text.startsWith('t:') && text.length > 2) return { kind: 'token', token: text.slice(2) };
  if (text.startsWith('u:') && text.length > 2) return { kind: 'token', token: text.slice(2), tag: 'useless' };
  return readTagged(text) ?? readCtag(text);
}

function readTagged(text: string): Cursor | null {
  const parts = /^g:(\d{1,16}):(\d{0,16}):(\d{1,6}):/.exec(text);
  if (parts === null) return null;
  const [head, firstSeen, proven, length] = parts;
  const end = head.length + Number(length);
  if (end >= text.length) return null;
  const provenMs = proven === '' ? null : Number(proven);
  const tag = { ctag: text.slice(head.length, end), firstSeenMs: Number(firstSeen), provenMs };
  return { kind: 'token', token: text.slice(end), tag };
}

function readCtag(text: string): Cursor | null {
  const parts = /^c:(\d{1,16}):(\d{1,16}):([\s\S]+)$/.exec(text);
  if (parts?.[3] === undefined) return null;
  return { kind: 'ctag', ctag: parts[3], firstSeenMs: Number(parts[1]), listedAtMs: Number(parts[2]) };
}
