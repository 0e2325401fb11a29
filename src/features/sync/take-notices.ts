import { timingSafeEqual } from 'node:crypto';
import { newsOf } from '#kernel/announcement.ts';
import type { ChannelId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowances } from '#platform/limits.ts';
import { channelWorkWanted, readingOf } from './events.ts';
import { channelIdIn } from './rules/channel-secret.ts';
import type { NoticedChannel } from './store/channels.ts';
import { findChannels, forgetChannels, renewSoon, touchChannels } from './store/channels.ts';
import { hastenCalendars, steadyMs } from './store/pulls.ts';

/** A provider's notice: a calendar changed, notices were lost, or the channel itself has news. */
export interface Notice {
  /** As given when the channel was opened: our name of it, a dot, and the secret. */
  secret: string;
  says: 'changed' | 'renew' | 'removed';
}

/**
 * Limit after which a busy calendar (often one that we write to) is read at a steady pace. One more is allowed each
 * second. A change soon after a hundred of our own first blocks therefore waits no longer.
 */
const readings = { action: 'reading a calendar on notice', burst: 20, periodSeconds: 20 };
/** Graph allows one renewal in ten minutes, and asks for more. */
const renewalMs = 600_000;

/** Notices that came while others were being stored, and the callers that wait for them. */
interface Gathered {
  notices: Notice[];
  stored: Promise<void>;
}

const gathering = new WeakMap<App['db'], Gathered>();
const storing = new WeakMap<App['db'], Promise<void>>();

/**
 * Keeps what notices ask for: when this resolves it is stored and enqueued, nothing is done yet. One transaction at a
 * time and process; what comes meanwhile shares the next one. Each block that we write comes back as a notice, hundreds
 * a second while calendars are mirrored for the first time: one transaction each kept Graph waiting for more than 3 s,
 * and it tells such a receiver of nothing before ten minutes have gone by.
 */
export function takeNotices(app: App, notices: readonly Notice[]): Promise<void> {
  const open = gathering.get(app.db);
  if (open !== undefined) {
    open.notices.push(...notices);
    return open.stored;
  }
  const next: Notice[] = [...notices];
  const before = storing.get(app.db) ?? Promise.resolve();
  const stored = before
    .catch(() => undefined)
    .then(() => {
      gathering.delete(app.db);
      return storeNotices(app, next);
    });
  gathering.set(app.db, { notices: next, stored });
  storing.set(app.db, stored);
  return stored;
}

/** A notice is a hint to look; what does not prove itself is dropped without a word. */
async function storeNotices(app: App, notices: readonly Notice[]): Promise<void> {
  const named = notices.map((notice) => ({ notice, id: channelIdIn(notice.secret) }));
  const ids = new Set(named.flatMap(({ id }) => id ?? []));
  const known = new Map((await findChannels(app.db, [...ids])).map((channel) => [channel.id, channel]));
  const proved = named.flatMap(({ notice, id }) => {
    const channel = id === null ? undefined : known.get(id);
    if (channel === undefined || !timingSafeEqual(hashToken(notice.secret), channel.secretHash)) return [];
    return { channel, notice };
  });
  const dropped = notices.length - proved.length;
  if (dropped > 0) app.log.debug({ dropped }, 'notices that prove nothing');
  if (proved.length === 0) return;
  const channels = [...new Set(proved.map(({ channel }) => channel))];
  const nowMs = app.clock.nowMs();
  const saying = (what: Notice['says']) =>
    proved.flatMap(({ channel, notice: { says } }) => (says === what ? channel : []));
  const [ageing, removed] = [saying('renew'), saying('removed')];
  const calendarIds = [...new Set(channels.map(({ calendarId }) => calendarId))].toSorted();
  const now = await takeAllowances(app.db, readings, calendarIds);
  await inTransaction(app.db, async (tx) => {
    await touchChannels(tx, idsOf(channels), nowMs);
    await renewSoon(tx, idsOf(ageing), nowMs - renewalMs);
    await forgetChannels(tx, idsOf(removed));
    const later = calendarIds.filter((calendarId) => !now.has(calendarId));
    await hastenCalendars(tx, later, nowMs + steadyMs);
    const accounts = new Set([...ageing, ...removed].map((channel) => channel.connectionId));
    await app.news.announceAll(tx, [
      ...readingOf(now),
      ...[...accounts].map((connectionId) => newsOf(channelWorkWanted, { connectionId })),
    ]);
  });
}

const idsOf = (channels: NoticedChannel[]): ChannelId[] => channels.map(({ id }) => id);
