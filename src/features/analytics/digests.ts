import { demandFlag, findHost, isFlagOn } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import { dayMs, weekdayOf } from '#kernel/time/civil.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { digestMail } from './mail.ts';
import { getDashboard } from './panels/panels.ts';
import { dateOf, dayOf, isoWeekOf, startOf } from './rules/period.ts';
import { deleteDigest, hasDigest, insertDigest, listDigests } from './store/digest-rows.ts';

/** Whether somebody asked for the mail about each week. */
export async function getDigest(
  { db }: Pick<App, 'db'>,
  { userId }: { userId: UserId },
): Promise<{ weekly: boolean; available: boolean }> {
  const [weekly, available] = await Promise.all([hasDigest(db, userId), isFlagOn(db, 'weekly-digest', userId)]);
  return { weekly, available };
}

/** Asks for a mail about each week, or for none any more. */
export async function setDigest(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: { userId: UserId },
  { weekly }: { weekly: boolean },
): Promise<{ weekly: boolean; available: boolean }> {
  if (weekly) await demandFlag(db, 'weekly-digest', userId);
  if (weekly) await insertDigest(db, userId, clock.nowMs());
  else await deleteDigest(db, userId);
  return getDigest({ db }, { userId });
}

const pageRows = 200;
/** In the morning of Monday, where they live; who is found later in that day gets it then. */
const fromHour = 7;

/** Sends the mail about last week to subscribers; the outbox accepts one for each person and week. */
export async function sendDigests(app: App, signal: AbortSignal): Promise<void> {
  for (let after: UserId | null = null; ; ) {
    const page: UserId[] = await listDigests(app.db, after, pageRows);
    for (const userId of page) {
      signal.throwIfAborted();
      await sendDigest(app, userId);
    }
    after = page.at(-1) ?? null;
    if (page.length < pageRows) return;
  }
}

async function sendDigest(app: App, userId: UserId): Promise<void> {
  const host = await findHost(app.db, userId);
  if (host === null || !(await isFlagOn(app.db, 'weekly-digest', userId))) return;
  const zone = loadZone(host.zone) ?? utc;
  const nowMs = app.clock.nowMs();
  const today = dayOf(zone, nowMs);
  if (weekdayOf(today) !== 0 || zone.toLocal(nowMs) - today * dayMs < fromHour * 3_600_000) return;
  const monday = today - 7;
  const asked = { from: dateOf(monday), to: dateOf(today) };
  const { data } = await getDashboard(app, { userId }, asked);
  const mail = digestMail({
    userId,
    to: host.email,
    locale: host.locale,
    week: isoWeekOf(monday),
    from: asked.from,
    lastDay: dateOf(today - 1),
    data,
    url: `${app.config.publicUrl}/dashboard`,
    expiresAtMs: startOf(zone, today + 2),
  });
  await inTransaction(app.db, (tx) => app.mail.send(tx, mail));
}
