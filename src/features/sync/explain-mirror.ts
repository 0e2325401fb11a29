import type * as z from 'zod/mini';
import { findBody, listTitles } from '#features/calendar/public.ts';
import { eventIdOf } from '#features/calendar/rules/event-view.ts';
import { readEventId } from '#features/calendar/rules/read-event-id.ts';
import type { Calendar } from '#features/connections/public.ts';
import { faceOf, isoOf } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import { isSeries, type RecId } from '#kernel/event.ts';
import { findOccurrence } from '#kernel/recurrence/find-occurrence.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inSlices } from '#platform/in-slices.ts';
import type { syncContract } from './contract.ts';
import { explainTarget } from './explain-target.ts';
import { loadWorld, pairsOf } from './load-world.ts';
import { originOf, originUidOf } from './plan-items.ts';
import { planBlocks } from './rules/desired.ts';
import { nextInstance } from './rules/next-instance.ts';
import { findByBlock, listBlocksOf } from './store/console.ts';

type Answer = z.output<(typeof syncContract)['explainMirror']['output']>;

const verdicts = ['failed', 'on-its-way', 'copied', 'not-copied'];
const rank = ({ verdict, pair }: { verdict: string; pair: unknown }) =>
  verdicts.indexOf(verdict) + (pair === null ? verdicts.length : 0);

/** Explains, for an event and one or each target calendar, whether a block exists there and why. */
export async function explainMirror(
  app: App,
  actor: Actor,
  query: { event_id: string; calendar_id?: string | undefined },
): Promise<Answer> {
  const asked = readEventId(query.event_id);
  const nowMs = app.clock.nowMs();
  const [item, world] = await Promise.all([
    findBody(app.db, actor.userId, asked.itemId),
    loadWorld(app.db, actor.userId, nowMs),
  ]);
  if (item === null) throw new AppError('not-found', 'NOT_FOUND', 'Event not found.');
  const calendars = [...world.calendars.values()];
  const targets = calendars.filter((one) =>
    query.calendar_id === undefined ? one.id !== item.calendarId && !one.removed : one.id === query.calendar_id,
  );
  if (query.calendar_id !== undefined && targets.length === 0)
    throw new AppError('not-found', 'NOT_FOUND', 'Calendar not found.');
  const origin = originOf(world, item, originUidOf(item));
  const recId: RecId | '' = asked.recId === '' ? nextInstance(origin, nowMs) : asked.recId;
  const [rows, writer] = await Promise.all([
    listBlocksOf(app.db, actor.userId, item.id, ['', recId]),
    item.own ? findByBlock(app.db, actor.userId, item) : null,
  ]);
  const titles = await listTitles(app.db, actor.userId, [writer?.originItemId ?? item.id], nowMs);
  const pairs = pairsOf(world);
  const place = (calendar: Calendar) => {
    const connection = world.connections.get(calendar.connectionId);
    return {
      calendar_id: calendar.id,
      calendar_name: calendar.name,
      provider: connection === undefined ? 'caldav' : faceOf(connection).word,
      account: connection?.label ?? '',
      color: calendar.color,
    };
  };
  const explained = [];
  for (const calendar of targets) {
    const pair = pairs.find(item.calendarId, calendar.id);
    const answer = explainTarget({
      world,
      pair,
      desired: pair === null ? null : await inSlices(planBlocks(origin, pair, nowMs)),
      origin,
      recId,
      target: calendar,
      rows: rows.filter((row) => row.targetCalendarId === calendar.id),
      writtenFor:
        writer === null
          ? null
          : { itemId: writer.originItemId, title: titles.get(writer.originItemId)?.title ?? 'Untitled' },
    });
    explained.push({ calendar, pair, ...answer });
  }
  // calendars that the person mirrors to come first, calendars with nothing to report last
  explained.sort((one, other) => rank(one) - rank(other));
  const instance = findOccurrence(item.body, recId, origin.calendarZone, origin.ownerZone);
  return {
    event: {
      event_id: eventIdOf(item.id, recId),
      item_id: item.id,
      title: instance?.core.title ?? titles.get(item.id)?.title ?? 'Untitled',
      calendar_id: item.calendarId,
      calendar_name: world.calendars.get(item.calendarId)?.name ?? '',
      start_time: isoOf(instance?.startMs ?? null),
      end_time: isoOf(instance?.endMs ?? null),
      all_day: instance?.allDay ?? false,
      recurring: isSeries(item.body) || item.body.kind === 'instances',
    },
    targets: explained.map(({ calendar, verdict, reasons, mirror_id }) => ({
      ...place(calendar),
      verdict,
      reasons,
      mirror_id,
    })),
  };
}
