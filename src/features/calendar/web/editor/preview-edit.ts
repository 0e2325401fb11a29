import { loadZone, utc } from '#kernel/time/zones.ts';
import type { CalendarRow, EventRow } from '../grid-event.ts';
import type { EventTimes } from '../wall-clock.ts';
import type { EditScope } from './edit-shapes.ts';
import { type EventChanges, type EventDraft, localMs, whenOf } from './event-draft.ts';

/** The expected result of an edit, shown until the server answers. */
export interface EditPreview {
  replaces: string[];
  events: EventRow[];
}

/** Previews a new event. For a series, only the first instance is shown until the server answers. */
export function previewCreate(draft: EventDraft, calendar: CalendarRow, id: string): EditPreview {
  const { description, location, meetingLink, guests } = draft;
  const row: EventRow = {
    ...blank,
    ...timesOfWhen(draft),
    event_id: id,
    item_id: id,
    calendar_id: calendar.id,
    title: draft.title.trim(),
    class: draft.busy === 'tentative' ? 'soft' : draft.busy,
    tentative: draft.busy === 'tentative',
    private: draft.private,
    recurring: draft.repeat !== null,
    attendees: guests.map((guest) => guest.name ?? guest.email),
    // the server recognizes colleagues, so the preview assumes clients
    audience: guests.length === 0 ? 'personal' : 'client',
    description,
    location,
    meeting_link: meetingLink.trim() === '' ? null : meetingLink.trim(),
    provider: calendar.provider,
    calendar_badge: calendar.badge,
  };
  return { replaces: [], events: [row] };
}

/** The rows that an edit of one of them reaches. */
export function rowsInScope(rows: readonly EventRow[], target: EventRow, scope: EditScope): EventRow[] {
  const ofItem = rows.filter((row) => row.item_id === target.item_id);
  if (scope === 'all') return ofItem;
  if (scope === 'following') return ofItem.filter((row) => row.start_time >= target.start_time);
  return ofItem.filter((row) => row.event_id === target.event_id);
}

/** Rows that go. */
export function previewDelete(rows: readonly EventRow[], target: EventRow, scope: EditScope): EditPreview {
  return { replaces: rowsInScope(rows, target, scope).map((row) => row.event_id), events: [] };
}

/** An invitation as it looks once it is answered. */
export function previewAnswer(
  rows: readonly EventRow[],
  target: EventRow,
  scope: 'this' | 'all',
  answer: 'accepted' | 'tentative' | 'declined',
): EditPreview {
  const reached = rowsInScope(rows, target, scope).filter((row) => row.answer !== undefined);
  return {
    replaces: reached.map((row) => row.event_id),
    events: reached.map((row) => ({
      ...row,
      unanswered: undefined,
      answer,
      declined: answer === 'declined',
      tentative: answer === 'tentative',
      class: answer === 'declined' ? 'ignore' : row.class === 'ignore' ? 'busy' : row.class,
    })),
  };
}

/**
 * Rows that are changed: the target stands at `times`, the others of its series are shifted as far as it, on the clock
 * of the event's zone.
 */
export function previewChange(
  rows: readonly EventRow[],
  target: EventRow,
  scope: EditScope,
  { times, changes = {} }: { times?: EventTimes | undefined; changes?: EventChanges },
): EditPreview {
  const reached = rowsInScope(rows, target, scope);
  const zone = loadZone(target.zone ?? 'UTC') ?? utc;
  const wallOf = (iso: string) => zone.toLocal(msOf(iso));
  return {
    replaces: reached.map((row) => row.event_id),
    events: reached.map((row) => {
      const next = { ...row, ...looksOf(changes) };
      if (times === undefined) return next;
      if (row.event_id === target.event_id) return { ...next, ...timesOf(times) };
      if (times.allDay !== undefined || row.all_day) return next;
      const shift = wallOf(row.start_time) - wallOf(target.start_time);
      const startMs = zone.toInstant(zone.toLocal(times.startMs) + shift);
      return { ...next, ...timesOf({ startMs, endMs: startMs + times.endMs - times.startMs, allDay: undefined }) };
    }),
  };
}

/** The times of a form as a grid has them. */
export function eventTimesOf(draft: EventDraft): EventTimes {
  const when = whenOf(draft);
  const zone = loadZone(draft.zone) ?? utc;
  const at = (text: string) => zone.toInstant(localMs(text) ?? 0);
  return {
    startMs: at(when.start),
    endMs: at(when.end),
    allDay: when.kind === 'all-day' ? { firstDay: when.start, endDay: when.end } : undefined,
  };
}

const timesOfWhen = (draft: EventDraft) => ({
  ...timesOf(eventTimesOf(draft)),
  zone: draft.allDay ? null : draft.zone,
});

function timesOf({ startMs, endMs, allDay }: EventTimes) {
  return {
    start_time: isoOf(startMs),
    end_time: isoOf(endMs),
    all_day: allDay !== undefined,
    start_date: allDay?.firstDay ?? null,
    end_date: allDay?.endDay ?? null,
  };
}

/** The effect of changed fields on a row. */
function looksOf(changes: EventChanges): Partial<EventRow> {
  const { title, description, location, meeting_link, attendees, busy } = changes;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(location === undefined ? {} : { location }),
    ...(meeting_link === undefined ? {} : { meeting_link }),
    ...(attendees === undefined ? {} : { attendees: attendees.map((guest) => guest.name ?? guest.email) }),
    ...(busy === undefined ? {} : { class: busy === 'tentative' ? 'soft' : busy, tentative: busy === 'tentative' }),
    ...(changes.private === undefined ? {} : { private: changes.private }),
    ...(changes.calendar_id === undefined ? {} : { calendar_id: changes.calendar_id }),
  };
}

const blank = {
  declined: false,
  is_holdfast_block: false,
  version: '',
  // Not before the server knows it.
  editable: false,
  not_editable_reason: null,
  open_url: null,
} as const;

const msOf = (iso: string) => Temporal.Instant.from(iso).epochMilliseconds;
const isoOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString({ fractionalSecondDigits: 3 });
