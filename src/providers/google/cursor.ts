/** Where a pull left off. All calls of one sync must ask for pages of the same size, so it is kept with the token. */
export interface Cursor {
  syncToken: string;
  pageSize: number;
}

export function encodeCursor({ syncToken, pageSize }: Cursor): string {
  return `s:${pageSize}:${syncToken}`;
}

/** Null for anything this version cannot read: listing everything is always right. */
export function decodeCursor(text: string): Cursor | null {
  const parts = /^s:(\d{1,4}):([\s\S]+)$/.exec(text);
  return parts?.[2] === undefined ? null : { pageSize: Number(parts[1]), syncToken: parts[2] };
}
