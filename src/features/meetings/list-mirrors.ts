import type * as z from 'zod/mini';
import { loadOwnerZone } from '#features/accounts/public.ts';
import { findByTitle, listTitles } from '#features/calendar/public.ts';
import { faceOf, isoOf, listCalendars, listConnections } from '#features/connections/public.ts';
import type { ConsoleMirror, MirrorFilter } from '#features/sync/public.ts';
import { countConsoleMirrors, listConsoleMirrors } from '#features/sync/public.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { meetingsContract, mirrorRowShape } from './contract.ts';

type Row = z.output<typeof mirrorRowShape>;
type Answer = z.output<(typeof meetingsContract)['listMeetings']['output']>;

const pageRows = 50;
const statuses = ['created', 'pending', 'failed', 'skipped'] as const;

/** A page of the console: mirrors with origin and target, trouble first; a constant number of queries. */
export async function listMirrors(
  app: App,
  actor: Actor,
  query: { status?: MirrorFilter['status']; search?: string | undefined; page?: string | undefined },
): Promise<Answer> {
  const { db } = app;
  const words = query.search?.trim() ?? '';
  const calendars = await listCalendars(db, actor.userId);
  const calendarIds = calendars.map((calendar) => calendar.id);
  const itemIds = words === '' ? undefined : await findByTitle(db, calendarIds, words, 1_000);
  const filter: MirrorFilter = { status: query.status, itemIds };
  const offset = (Number(query.page ?? 1) - 1) * pageRows;
  const [mirrors, matching, byStatus, connections, zone] = await Promise.all([
    listConsoleMirrors(db, actor.userId, filter, { offset, limit: pageRows }),
    countConsoleMirrors(db, actor.userId, filter),
    Promise.all(statuses.map((status) => countConsoleMirrors(db, actor.userId, { itemIds, status }))),
    listConnections(db, actor.userId),
    loadOwnerZone(db, actor.userId),
  ]);
  const titles = await listTitles(
    db,
    actor.userId,
    mirrors.map((mirror) => mirror.originItemId),
    app.clock.nowMs(),
  );
  const placeOf = (calendarId: string): Row['origin'] => {
    const calendar = calendars.find((one) => one.id === calendarId);
    const connection = connections.find((one) => one.id === calendar?.connectionId);
    return {
      provider: connection === undefined ? 'caldav' : faceOf(connection).word,
      account: connection?.label ?? '',
      subcalendar: calendar?.name ?? '',
      color: calendar?.color ?? '#8e8e93',
    };
  };
  const [created = 0, pending = 0, failed = 0, skipped = 0] = byStatus;
  return {
    mirrors: mirrors.map((mirror) => rowOf(mirror, titles.get(mirror.originItemId), placeOf, zone)),
    counts: { total: created + pending + failed, created, pending, failed, skipped },
    pages: Math.max(1, Math.ceil(matching / pageRows)),
  };
}

function rowOf(
  mirror: ConsoleMirror,
  origin: { title: string | null; recurring: boolean; startMs: number | null; allDay: boolean } | undefined,
  placeOf: (calendarId: string) => Row['origin'],
  zone: string,
): Row {
  const startMs = origin?.startMs ?? null;
  const local = startMs === null ? null : Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(zone);
  return {
    id: mirror.id,
    event_id: mirror.originItemId,
    origin_event_id: mirror.originItemId,
    date: local?.toPlainDate().toString() ?? null,
    time: local === null || origin?.allDay === true ? null : local.toPlainTime().toString({ smallestUnit: 'minute' }),
    starts_at: isoOf(startMs),
    recurring: origin?.recurring ?? false,
    title: origin?.title ?? 'Untitled',
    shown_as: mirror.shownAs ?? '',
    origin: placeOf(mirror.originCalendarId),
    target: placeOf(mirror.targetCalendarId),
    status: mirror.state === 'deleting' ? 'pending' : mirror.state,
    last_sync: isoOf(mirror.appliedMs),
    verified_at: isoOf(mirror.verifiedMs),
    attempts: mirror.attempts,
    next_attempt_at: isoOf(mirror.nextAttemptMs),
    reason: mirror.reason,
    error: mirror.errorMessage,
    is_mirror: true,
  };
}
