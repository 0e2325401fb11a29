import { randomUUIDv7 } from 'node:crypto';
import { listReaders, loadOwnerZone } from '#features/accounts/public.ts';
import { listNews, listQuestions, listShrunkPanels, listStale } from '#features/booking/public.ts';
import { listViewSpans } from '#features/calendar/public.ts';
import { isoOf, listCalendars, listConnections } from '#features/connections/public.ts';
import { listShown } from '#features/edits/public.ts';
import { countFailed, listOpenBreakers, listTroubles } from '#features/sync/public.ts';
import { listReceivedInvitations } from '#features/teams/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { inboxTopic } from './events.ts';
import { pushJob } from './pushes.ts';
import { type Blocking, bundleConflicts, calendarsOf, type Fact, findConflictingPairs, subjectOf } from './rules.ts';
import { countUnread, insertPushes, markNotices, updateNotices } from './store.ts';

/** More pushes at once have one cause. The bell lists them all. */
const mostPushed = 5;

/** Brings a user's notices in line with the current facts. Idempotent. */
export async function refreshNotices(app: Pick<App, 'db' | 'clock' | 'feed' | 'jobs'>, userId: UserId): Promise<void> {
  const facts = await listNoticeFacts(app, userId);
  await inTransaction(app.db, async (tx) => {
    const rows = facts.map((fact) => ({ ...fact, id: randomUUIDv7() }));
    const { changed, news } = await updateNotices(tx, userId, rows);
    if (changed) await app.feed.publish(tx, userId, inboxTopic);
    if (news.length === 0) return;
    for (const id of await insertPushes(tx, userId, news.slice(0, mostPushed)))
      await app.jobs.send(pushJob, { id }, { tx, key: id });
  });
}

/** Marks notices as read or unread, in every window of the person. */
export function changeNotices(
  app: Pick<App, 'db' | 'feed'>,
  actor: Actor,
  wish: { ids?: string[] | undefined; read: boolean },
): Promise<{ unread: number }> {
  return inTransaction(app.db, async (tx) => {
    if (await markNotices(tx, actor.userId, wish)) await app.feed.publish(tx, actor.userId, inboxTopic);
    return { unread: await countUnread(tx, actor.userId) };
  });
}

/** Later conflicts are often settled in time. */
const daysAhead = 7;
const mostEvents = 2_000;
/** Failures in a row before a calendar gets a notice. */
const failuresBorne = 3;
/** Bookings and cancellations are news for a week, or until their start. */
const newsMs = 7 * 86_400_000;
const mostNews = 50;

/** All current facts about which a user gets notices, by the user's preferences. */
async function listNoticeFacts(app: Pick<App, 'db' | 'clock'>, userId: UserId): Promise<Fact[]> {
  const readers = await listReaders(app.db, [userId], 'syncErrors');
  const [syncing, edits, bookings, news, stale, conflicts, invitations, panels] = await Promise.all([
    readers.length > 0 ? listSyncFacts(app, userId) : [],
    listEditFacts(app, userId),
    listBookingFacts(app, userId),
    listNewsFacts(app, userId),
    listStaleFacts(app, userId),
    listConflicts(app, userId),
    listInvitationFacts(app, userId),
    listPanelFacts(app, userId),
  ]);
  return [...syncing, ...edits, ...bookings, ...news, ...stale, ...conflicts, ...invitations, ...panels];
}

/** Open team invitations of a user. */
async function listInvitationFacts({ db }: Pick<App, 'db'>, userId: UserId): Promise<Fact[]> {
  const received = await listReceivedInvitations(db, userId);
  return received.map(({ id, team, invited_by: inviter }) => ({
    kind: 'invitation',
    subject: id,
    details: { team, ...(inviter === null ? {} : { inviter }) },
  }));
}

/** Collective event types that lost a host. */
async function listPanelFacts({ db }: Pick<App, 'db'>, userId: UserId): Promise<Fact[]> {
  const panels = await listShrunkPanels(db, userId);
  return panels.map(({ id, title, team, missing }) => ({
    kind: 'panel',
    subject: `${id} ${missing}`,
    details: { title, team, count: missing },
  }));
}

/** Requests that wait for an answer, and recent bookings and cancellations. */
async function listNewsFacts({ db, clock }: Pick<App, 'db' | 'clock'>, userId: UserId): Promise<Fact[]> {
  const nowMs = clock.nowMs();
  const news = await listNews(db, userId, { nowMs, sinceMs: nowMs - newsMs, limit: mostNews });
  return news.map(({ id, kind, title, name, startMs }): Fact => {
    const startTime = Temporal.Instant.fromEpochMilliseconds(startMs).toString();
    return { kind, subject: id, details: { title, guest: name, booking_id: id, start_time: startTime } };
  });
}

/** Edits that failed. The user may have left the screen before the failure was known. */
async function listEditFacts({ db, clock }: Pick<App, 'db' | 'clock'>, userId: UserId): Promise<Fact[]> {
  const edits = await listShown(db, userId, clock.nowMs());
  return edits
    .filter(({ state }) => state === 'failed' || state === 'conflict')
    .map((edit): Fact => ({ kind: 'edit', subject: edit.id, details: { title: edit.title, reason: edit.message } }));
}

/** Open questions about bookings. */
async function listBookingFacts(app: Pick<App, 'db' | 'clock'>, userId: UserId): Promise<Fact[]> {
  const questions = await listQuestions(app, userId);
  return questions.map((question) => ({
    kind: `booking-${question.kind}`,
    subject: question.question_id,
    details: { title: question.title, question },
  }));
}

/** Calendars that bookings depend on and that were not read for longer than their person allows. */
async function listStaleFacts(app: Pick<App, 'db' | 'clock'>, userId: UserId): Promise<Fact[]> {
  const stale = await listStale(app, userId);
  return stale.map(({ id, name, lastSyncedMs, blocks }) => ({
    kind: 'stale',
    subject: id,
    details: { calendar: name, since: isoOf(lastSyncedMs), blocks },
  }));
}

/** Troubles of syncing, and failures that should not wait an hour. */
async function listSyncFacts({ db }: Pick<App, 'db'>, userId: UserId): Promise<Fact[]> {
  const [connections, calendars, troubles, breakers, failed] = await Promise.all([
    listConnections(db, userId),
    listCalendars(db, userId),
    listTroubles(db, userId),
    listOpenBreakers(db, userId),
    countFailed(db, userId),
  ]);
  const nameOf = (id: string) => calendars.find((calendar) => calendar.id === id)?.name ?? '?';
  const leftAlone = new Set(
    connections.filter(({ status }) => status !== 'active' && status !== 'error').map(({ id }) => id),
  );
  const stopped = connections.filter(({ id }) =>
    troubles.some((trouble) => trouble.kind === 'stopped' && trouble.subject === id),
  );
  return [
    ...connections
      .filter(({ status }) => status === 'needs-reconnect')
      .map(
        (one): Fact => ({
          kind: 'reconnect',
          subject: one.id,
          details: { account: one.label, reason: one.statusMessage },
        }),
      ),
    ...stopped.map((one): Fact => ({ kind: 'stopped', subject: one.id, details: { account: one.label } })),
    ...calendars
      .filter((one) => !one.removed && one.failures >= failuresBorne && !leftAlone.has(one.connectionId))
      .filter((one) => stopped.every(({ id }) => id !== one.connectionId))
      .map(
        (one): Fact => ({
          kind: 'calendar',
          subject: one.id,
          details: { calendar: one.name, reason: one.errorMessage },
        }),
      ),
    ...breakers.map(
      ({ source, target, deletes }): Fact => ({
        kind: 'breaker',
        subject: `${source} ${target}`,
        details: { source: nameOf(source), target: nameOf(target), count: deletes },
      }),
    ),
    ...(failed > 0 ? [{ kind: 'mirrors', subject: 'failed', details: { count: failed } } satisfies Fact] : []),
  ];
}

async function listConflicts({ db, clock }: Pick<App, 'db' | 'clock'>, userId: UserId): Promise<Fact[]> {
  const fromMs = clock.nowMs();
  const range = { fromMs, toMs: fromMs + daysAhead * 86_400_000, limit: mostEvents };
  const [calendars, zone] = await Promise.all([listCalendars(db, userId), loadOwnerZone(db, userId)]);
  const shown = calendars.filter((one) => one.visible && !one.removed);
  const { shown: spans } = await listViewSpans(
    db,
    userId,
    shown.map(({ id }) => id),
    range,
  );
  const blocking = spans
    .filter((span) => span.class === 'busy' && span.provenance === 'foreign')
    .map(
      (span): Blocking => ({
        itemId: span.itemId,
        eventId: span.recId === '' ? span.itemId : `${span.itemId}_${span.recId}`,
        calendarId: span.calendarId,
        title: span.core?.title ?? 'Untitled',
        startMs: span.startMs,
        endMs: span.endMs,
      }),
    );
  const shapeOf = (event: Blocking) => ({
    event_id: event.eventId,
    title: event.title,
    calendar: shown.find(({ id }) => id === event.calendarId)?.name ?? '?',
    start_time: isoOf(event.startMs) ?? '',
    end_time: isoOf(event.endMs) ?? '',
    day: Temporal.Instant.fromEpochMilliseconds(event.startMs).toZonedDateTimeISO(zone).toPlainDate().toString(),
  });
  return bundleConflicts(findConflictingPairs(blocking)).flatMap((pairs): Fact[] => {
    const [pair] = pairs;
    if (pair === undefined) return [];
    const [one, other] = pair;
    const events = [shapeOf(one), shapeOf(other)];
    if (pairs.length === 1) return [{ kind: 'conflict', subject: subjectOf(one, other), details: { events } }];
    return [{ kind: 'conflict', subject: calendarsOf(pair), details: { count: pairs.length, events } }];
  });
}
