import type * as z from 'zod/mini';
import { findItem, listTitles } from '#features/calendar/public.ts';
import { faceOf, listCalendars, listConnections } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { ItemId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { mirroredToShape, mirrorOfShape } from './contract.ts';
import { seriesCoverage } from './coverage/coverage.ts';
import { findByBlock, listBlocksOf, listMirrorsOf } from './store/console.ts';

export interface EventMirrors {
  origin: z.output<typeof mirrorOfShape> | null;
  mirrors: z.output<typeof mirroredToShape>[];
}

/** The blocks that stand for an event, or for one date of a series, with their state, or, of a block, the event it stands for. */
export async function readEventMirrors(app: App, actor: Actor, itemId: string, recId?: string): Promise<EventMirrors> {
  const item = await findItem(app.db, actor.userId, itemId);
  if (item === null) throw new AppError('not-found', 'NOT_FOUND', 'Event not found.');
  const [calendars, connections] = await Promise.all([
    listCalendars(app.db, actor.userId),
    listConnections(app.db, actor.userId),
  ]);
  const calendarOf = (id: string) => calendars.find((calendar) => calendar.id === id);
  if (item.provenance === 'own') {
    const row = await findByBlock(app.db, actor.userId, item);
    if (row === null) return { origin: null, mirrors: [] };
    const titles = await listTitles(app.db, actor.userId, [row.originItemId], app.clock.nowMs());
    const origin = {
      event_id: row.originItemId,
      title: titles.get(row.originItemId)?.title ?? 'Untitled',
      calendar_id: row.originCalendarId,
      calendar_name: calendarOf(row.originCalendarId)?.name ?? '',
    };
    return { origin, mirrors: [] };
  }
  const rows =
    recId === undefined || recId === ''
      ? await listMirrorsOf(app.db, actor.userId, item.id)
      : await listMirrorsOfDate(app, actor, item.id, recId);
  return {
    origin: null,
    mirrors: rows.map((row) => {
      const calendar = calendarOf(row.targetCalendarId);
      const connection = connections.find((one) => one.id === calendar?.connectionId);
      return {
        mirror_id: row.id,
        calendar_id: row.targetCalendarId,
        calendar_name: calendar?.name ?? '',
        provider: connection === undefined ? 'caldav' : faceOf(connection).word,
        status: row.state === 'deleting' ? ('pending' as const) : row.state,
        reason: row.errorMessage ?? row.reason,
      };
    }),
  };
}

/** In each target the block of the date itself counts, else that of its series if it includes the date. */
async function listMirrorsOfDate(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: Actor,
  itemId: ItemId,
  recId: string,
) {
  const [rows, covers] = await Promise.all([
    listBlocksOf(db, userId, itemId, ['', recId]),
    seriesCoverage(db, userId, [{ itemId, recId }], clock.nowMs()),
  ]);
  const own = new Set(rows.filter((row) => row.recId === recId).map((row) => row.targetCalendarId));
  return rows.filter(
    (row) => row.recId === recId || (!own.has(row.targetCalendarId) && covers({ itemId, recId }, row.targetCalendarId)),
  );
}
