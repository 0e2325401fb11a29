import type * as z from 'zod/mini';
import { listTitles, type Viewer } from '#features/calendar/public.ts';
import { eventIdOf } from '#features/calendar/rules/event-view.ts';
import { isoOf } from '#features/connections/public.ts';
import type { ConsoleMirror } from '#features/sync/public.ts';
import { listMirrorsById } from '#features/sync/public.ts';
import type { MirrorId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { mirrorRowShape } from './contract.ts';
import { placeOf } from './place-of.ts';
import { listOrigins } from './store/find-rows.ts';

type Row = z.output<typeof mirrorRowShape>;
type Origin = { recId?: string; title: string | null; recurring: boolean; startMs: number | null; allDay: boolean };

/** The rows of these mirrors, in their order. */
export async function readMirrors(
  db: Database,
  userId: UserId,
  viewer: Viewer,
  ids: MirrorId[],
  nowMs: number,
): Promise<Row[]> {
  const [mirrors, origins] = await Promise.all([listMirrorsById(db, userId, ids), listOrigins(db, userId, ids, nowMs)]);
  const byId = new Map(mirrors.map((mirror) => [mirror.id, mirror]));
  // an event that is not expanded, because it is far away, has a name all the same
  const items = await listTitles(
    db,
    userId,
    mirrors.map((mirror) => mirror.originItemId),
    nowMs,
  );
  return ids.flatMap((id) => {
    const mirror = byId.get(id);
    return mirror === undefined ? [] : [rowOf(mirror, origins.get(id) ?? items.get(mirror.originItemId), viewer)];
  });
}

function rowOf(mirror: ConsoleMirror, origin: Origin | undefined, viewer: Viewer): Row {
  const startMs = origin?.startMs ?? null;
  const local =
    startMs === null ? null : Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(viewer.ownerZone);
  const face = viewer.faces.get(mirror.targetCalendarId);
  return {
    id: mirror.id,
    event_id: mirror.originItemId,
    origin_event_id: eventIdOf(mirror.originItemId, origin?.recId ?? mirror.recId),
    date: local?.toPlainDate().toString() ?? null,
    time: local === null || origin?.allDay === true ? null : local.toPlainTime().toString({ smallestUnit: 'minute' }),
    starts_at: isoOf(startMs),
    recurring: origin?.recurring ?? false,
    title: origin?.title ?? 'Untitled',
    shown_as: mirror.shownAs ?? '',
    origin: placeOf(viewer, mirror.originCalendarId),
    target: placeOf(viewer, mirror.targetCalendarId),
    status: mirror.state === 'deleting' ? 'pending' : mirror.state,
    planned_at: isoOf(mirror.plannedMs) ?? '',
    last_sync: isoOf(mirror.appliedMs),
    applied: mirror.applied,
    verified_at: isoOf(mirror.verifiedMs),
    attempts: mirror.attempts,
    next_attempt_at: isoOf(mirror.nextAttemptMs),
    reason: mirror.reason,
    error: mirror.errorMessage,
    open_url: mirror.ref === null ? null : (face?.openUrl(mirror.ref, '') ?? null),
    is_mirror: true,
  };
}
