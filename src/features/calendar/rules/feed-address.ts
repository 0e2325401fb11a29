/** Where the token of a published feed lies sealed. */
export const tokenPlace = (feedId: string) => ({ table: 'calendar.published_feeds', row: feedId, column: 'token' });

export const feedPath = (token: string) => `/feeds/${token}.ics`;

/** The token in the last part of a feed's address, or null where it cannot be one. */
export function tokenOf(file: string): string | null {
  return /^([A-Za-z0-9_-]{43})\.ics$/.exec(file)?.[1] ?? null;
}
