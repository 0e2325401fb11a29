import type { Calendar, World } from './world.ts';

export type SyncPosition =
  | { kind: 'from'; revision: number }
  | { kind: 'invalid' }
  /** The server does not know the token and does not say so. */
  | { kind: 'restart'; tombstones: boolean }
  | { kind: 'nothing' };

const URL_PREFIX = 'http://emulator.invalid/ns/sync/';

/** Names a position in a calendar's log, in the form the server in question uses. */
export function formatToken(world: World, calendar: Calendar, revision: number): string {
  const name = `${calendar.incarnation}-${revision}`;
  if (world.quirks.tokens === 'url') return URL_PREFIX + name;
  if (world.quirks.tokens === 'data') return `data:,${name}`;
  if (world.quirks.tokens === 'bare') return name;
  // Seconds of the last change: what happened in that same second is sent again.
  return String(Math.floor((calendar.loggedAtMs[revision - 1] ?? 0) / 1000));
}

export function readToken(world: World, calendar: Calendar, token: string): SyncPosition {
  const { quirks } = world;
  if (quirks.tokens === 'seconds') {
    if (!/^\d+$/.test(token)) return invalid(world);
    const first = calendar.loggedAtMs.findIndex((atMs) => Math.floor(atMs / 1000) >= Number(token));
    return { kind: 'from', revision: first === -1 ? calendar.log.length : first };
  }
  const match = /(?:^|\/|,)(\d+)-(\d+)$/.exec(token);
  if (!match) return invalid(world);
  const [incarnation, revision] = [Number(match[1]), Number(match[2])];
  if (incarnation !== calendar.incarnation) {
    return quirks.tokenOfRecreated === 'empty' ? { kind: 'nothing' } : { kind: 'invalid' };
  }
  if (revision < calendar.oldestToken || revision > calendar.log.length) return invalid(world);
  return { kind: 'from', revision };
}

function invalid(world: World): SyncPosition {
  if (world.quirks.invalidToken === 'lists-everything') return { kind: 'restart', tombstones: false };
  if (world.quirks.invalidToken === 'lists-everything-with-tombstones') return { kind: 'restart', tombstones: true };
  return { kind: 'invalid' };
}
