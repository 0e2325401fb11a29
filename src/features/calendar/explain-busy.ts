import type * as z from 'zod/mini';
import { loadOwnerZone } from '#features/accounts/public.ts';
import { listHoldRules } from '#features/availability/public.ts';
import { holdRankIn } from '#features/availability/rules/hold-rules.ts';
import { type Calendar, faceOf, isoOf, listCalendars, listConnections } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Core, Provenance, RecId } from '#kernel/event.ts';
import type { ItemId } from '#kernel/ids.ts';
import { findOccurrence } from '#kernel/recurrence/find-occurrence.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { calendarContract } from './contract.ts';
import { listShown } from './list-shown.ts';
import { busyClassOf, busyReasonOf } from './rules/busy-class.ts';
import { eventIdOf } from './rules/event-view.ts';
import { readEventId } from './rules/read-event-id.ts';
import { findBody } from './store/items.ts';
import { listPending } from './store/pending-spans.ts';

type Answer = z.output<(typeof calendarContract)['explainBusy']['output']>;

/** One instance with what decides its class. */
interface Asked {
  itemId: ItemId;
  recId: RecId | '';
  calendarId: string;
  startMs: number;
  endMs: number;
  allDay: boolean;
  provenance: Provenance;
  core: Core;
}

const mostEvents = 50;
const rank = { busy: 0, soft: 1, free: 2, ignore: 3 };

/** Explains the busy time at an instant, or the busy class of one event, with the deciding rule. */
export async function explainBusy(
  app: App,
  actor: Actor,
  query: { at?: string | undefined; event_id?: string | undefined },
): Promise<Answer> {
  if ((query.at === undefined) === (query.event_id === undefined))
    throw new AppError('invalid', 'ASK_ONE', 'Send either at or event_id.');
  const [calendars, connections, rules] = await Promise.all([
    listCalendars(app.db, actor.userId),
    listConnections(app.db, actor.userId),
    listHoldRules(app.db, actor.userId),
  ]);
  const calendarOf = new Map<string, (typeof calendars)[number]>(calendars.map((one) => [one.id, one]));
  const atMs = query.at === undefined ? null : Temporal.Instant.from(query.at).epochMilliseconds;
  const asked =
    atMs === null
      ? await findEvent(app, actor, query.event_id ?? '', calendarOf)
      : await listAt(app, actor, calendars, atMs);
  const pending = atMs === null ? [] : await listPending(app.db, actor.userId, { fromMs: atMs, toMs: atMs + 1 });
  const judged = [
    ...asked.map((one) => {
      const { allDay, provenance, startMs, endMs } = one;
      const holdRank = holdRankIn(rules, one.calendarId, one.itemId)(one.core);
      const instance = { allDay, provenance, lengthMs: endMs - startMs, holdRank };
      const judgement = { class: busyClassOf(one.core, instance), reason: busyReasonOf(one.core, instance) };
      return { ...one, title: one.core.title, judgement };
    }),
    ...pending.map((one) => ({
      ...one,
      judgement: { class: one.class, reason: one.class === 'soft' ? ('hold' as const) : ('busy' as const) },
    })),
  ];
  const events = judged
    .map((one) => {
      const calendar = calendarOf.get(one.calendarId);
      const connection = connections.find((other) => other.id === calendar?.connectionId);
      return {
        event_id: eventIdOf(one.itemId, one.recId),
        item_id: one.itemId,
        title: one.title ?? 'Untitled',
        calendar_id: one.calendarId,
        calendar_name: calendar?.name ?? '',
        account: connection?.label ?? '',
        provider: connection === undefined ? 'caldav' : faceOf(connection).word,
        color: calendar?.color ?? '#8e8e93',
        start_time: isoOf(one.startMs) ?? '',
        end_time: isoOf(one.endMs) ?? '',
        all_day: one.allDay,
        ...(calendar?.counts === false
          ? { class: 'ignore' as const, reason: 'calendar-left-out' as const }
          : one.judgement),
      };
    })
    .toSorted((one, other) => rank[one.class] - rank[other.class]);
  return { at: isoOf(atMs), busy: events.some((event) => event.class === 'busy'), events };
}

/** Everything that overlaps an instant, on calendars that are not looked at too: they count all the same. */
async function listAt(app: App, actor: Actor, calendars: Calendar[], atMs: number): Promise<Asked[]> {
  const range = { fromMs: atMs, toMs: atMs + 1, limit: mostEvents };
  const { shown } = await listShown(app, actor.userId, calendars, await loadOwnerZone(app.db, actor.userId), range);
  return shown.flatMap((one) => (one.core === null ? [] : [{ ...one, core: one.core }]));
}

async function findEvent(
  app: App,
  actor: Actor,
  eventId: string,
  calendarOf: ReadonlyMap<string, { zone: string }>,
): Promise<Asked[]> {
  const { itemId, recId } = readEventId(eventId);
  const [item, ownerZone] = await Promise.all([
    findBody(app.db, actor.userId, itemId),
    loadOwnerZone(app.db, actor.userId),
  ]);
  if (item === null) throw new AppError('not-found', 'NOT_FOUND', 'Event not found.');
  const zone = calendarOf.get(item.calendarId)?.zone ?? ownerZone;
  const found = findOccurrence(item.body, recId, zone, ownerZone);
  if (found === null) throw new AppError('not-found', 'NOT_FOUND', "This event doesn't happen on that date.");
  return [{ ...found, itemId: item.id, calendarId: item.calendarId, provenance: item.own ? 'own' : 'foreign' }];
}
