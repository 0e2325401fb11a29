import { timingSafeEqual } from 'node:crypto';
import { AppError } from '#kernel/errors.ts';
import type { ChannelId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import { channelWorkWanted, readingWanted } from './events.ts';
import { channelIdIn } from './rules/channel-secret.ts';
import type { NoticedChannel } from './store/channels.ts';
import { findChannels, forgetChannels, renewSoon, touchChannels } from './store/channels.ts';
import { hastenCalendars } from './store/pulls.ts';

/** What a provider says: a calendar changed (or notices of it were lost), or something of the channel itself. */
export interface Notice {
  /** As given when the channel was opened: our name of it, a dot, and the secret. */
  secret: string;
  says: 'changed' | 'renew' | 'removed';
}

/** Beyond this a calendar that changes all the time (often because we write to it) is read at a steady beat. */
const readings = { action: 'reading a calendar on notice', burst: 20, periodSeconds: 40 };
const steadyMs = 2_000;
/** Graph allows one renewal in ten minutes, and asks for more. */
const renewalMs = 600_000;

/**
 * Keeps what notices ask for and answers: stored and enqueued, nothing is done yet. A notice is a hint to look; what
 * does not prove itself is dropped without a word. Gives the number of those that did.
 */
export async function takeNotices(app: App, notices: readonly Notice[]): Promise<number> {
  const asked = new Map(
    notices.flatMap((notice) => {
      const id = channelIdIn(notice.secret);
      return id === null ? [] : [[id, notice] as const];
    }),
  );
  const known = await findChannels(app.db, [...asked.keys()]);
  const proved = known.flatMap((channel) => {
    const notice = asked.get(channel.id);
    return notice !== undefined && timingSafeEqual(hashToken(notice.secret), channel.secretHash)
      ? { channel, notice }
      : [];
  });
  const dropped = notices.length - proved.length;
  if (dropped > 0) app.log.debug({ dropped }, 'notices that prove nothing');
  if (proved.length === 0) return 0;
  const nowMs = app.clock.nowMs();
  const ids = (says: Notice['says']): ChannelId[] =>
    proved.flatMap(({ channel, notice }) => (notice.says === says ? channel.id : []));
  const paced = await pace(
    app,
    proved.map(({ channel }) => channel),
  );
  await inTransaction(app.db, async (tx) => {
    await touchChannels(
      tx,
      proved.map(({ channel }) => channel.id),
      nowMs,
    );
    await renewSoon(tx, ids('renew'), nowMs - renewalMs);
    await forgetChannels(tx, ids('removed'));
    await hastenCalendars(tx, paced.later, nowMs + steadyMs);
    for (const calendarId of paced.now) await app.news.announce(tx, readingWanted, { calendarId });
    for (const { channel, notice } of proved) {
      if (notice.says !== 'changed')
        await app.news.announce(tx, channelWorkWanted, { connectionId: channel.connectionId });
    }
  });
  return proved.length;
}

async function pace(app: App, channels: NoticedChannel[]) {
  const calendarIds = [...new Set(channels.map((channel) => channel.calendarId))];
  const now: typeof calendarIds = [];
  const later: typeof calendarIds = [];
  for (const calendarId of calendarIds) {
    try {
      await takeAllowance(app.db, readings, calendarId);
      now.push(calendarId);
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'limited') throw error;
      later.push(calendarId);
    }
  }
  return { now, later };
}
