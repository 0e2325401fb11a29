/**
 * Where a pull left off: a sync token, or for servers without sync-collection the ctag with the moments it was first
 * seen and last fully listed under. Opaque to everybody else.
 */
export type Cursor =
  | { kind: 'token'; token: string }
  | { kind: 'ctag'; ctag: string; firstSeenMs: number; listedAtMs: number };

export function encodeCursor(cursor: Cursor): string {
  return cursor.kind === 'token' ? `t:${cursor.token}` : `c:${cursor.firstSeenMs}:${cursor.listedAtMs}:${cursor.ctag}`;
}

/** Null for anything this version cannot read: listing everything is always right. */
export function decodeCursor(text: string): Cursor | null {
  if (text.startsWith('t:') && text.length > 2) return { kind: 'token', token: text.slice(2) };
  const parts = /^c:(\d{1,16}):(\d{1,16}):([\s\S]+)$/.exec(text);
  if (parts?.[3] === undefined) return null;
  return { kind: 'ctag', ctag: parts[3], firstSeenMs: Number(parts[1]), listedAtMs: Number(parts[2]) };
}
