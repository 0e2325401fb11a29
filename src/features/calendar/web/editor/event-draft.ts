import { dayMs, hourMs, minuteMs } from '#kernel/time/civil.ts';
import { parseLocalDateTime, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import type { EventBody, EventWhen } from './edit-shapes.ts';
import type { Guest } from './parse-addresses.ts';
import { moveRepeat, type Repeat, readRepeat, writeRepeat } from './repeat-choice.ts';

/** The values of the event form. Times are wall-clock times in `zone`. */
export interface EventDraft {
  calendarId: string;
  title: string;
  allDay: boolean;
  /** `2027-03-08T09:00`; whole days use the date alone. */
  start: string;
  /** For whole days, the last day (inclusive), unlike iCalendar's DTEND. */
  end: string;
  zone: string;
  repeat: Repeat;
  description: string;
  location: string;
  meetingLink: string;
  guests: Guest[];
  busy: EventBody['busy'];
  private: boolean;
  /** Minutes before; null as the calendar does it. */
  reminders: number[] | null;
}

/** A time span as a grid draws it: `2026-11-20T09:00`, or whole days with an exclusive end. */
export interface DrawnRange {
  startWall: string;
  endWall: string;
  allDay: boolean;
}

/** An empty form over a span of the grid's zone. */
export function newDraft(range: DrawnRange, zone: string, calendarId: string): EventDraft {
  return {
    calendarId,
    title: '',
    zone,
    repeat: null,
    description: '',
    location: '',
    meetingLink: '',
    guests: [],
    // A whole day is a note more often than a meeting; Google and Outlook begin so too.
    busy: range.allDay ? 'free' : 'busy',
    private: false,
    reminders: null,
    ...(range.allDay
      ? {
          allDay: true,
          start: `${range.startWall.slice(0, 10)}T09:00`,
          end: `${shiftDays(range.endWall, -1)}T10:00`,
        }
      : { allDay: false, start: range.startWall, end: range.endWall }),
  };
}

/** The form of an event that stands. `zone`: for one without, such as a whole day that is given hours. */
export function draftOf(body: EventBody, zone: string): EventDraft {
  const { when } = body;
  const times =
    when.kind === 'timed'
      ? { allDay: false, start: when.start, end: when.end, zone: when.zone }
      : { allDay: true, start: `${when.start}T09:00`, end: `${shiftDays(when.end, -1)}T10:00`, zone };
  return {
    calendarId: body.calendar_id,
    title: body.title,
    ...times,
    repeat: readRepeat(body.recurrence, repeatStart(times)),
    description: body.description,
    location: body.location,
    meetingLink: body.meeting_link ?? '',
    guests: body.attendees.map(({ email, name }) => ({ email, name })),
    busy: body.busy,
    private: body.private,
    reminders: body.reminders,
  };
}

/** A new event like another one, once, in a calendar that can be written; from a local start of the grid, or on a day. */
export function copyOf(
  body: EventBody,
  to: { zone: string; calendarId: string; start?: string | undefined; day?: string | undefined },
): EventDraft {
  const draft: EventDraft = { ...draftOf(body, to.zone), repeat: null, calendarId: to.calendarId };
  const start = to.start ?? (to.day === undefined ? draft.start : `${to.day}${draft.start.slice(10)}`);
  const [fromMs, toMs, endMs] = [draft.start, start, draft.end].map((text) => localMs(text) ?? 0) as [
    number,
    number,
    number,
  ];
  const end = printMinute(endMs + toMs - fromMs);
  return { ...draft, start, end, zone: to.start === undefined ? draft.zone : to.zone };
}

/** Converts the form to the body of the calls. */
export function bodyOf(draft: EventDraft): EventBody {
  return {
    calendar_id: draft.calendarId,
    title: draft.title.trim(),
    when: whenOf(draft),
    recurrence: writeRepeat(draft.repeat, repeatStart(draft)),
    description: draft.description,
    location: draft.location.trim(),
    meeting_link: draft.meetingLink.trim() === '' ? null : draft.meetingLink.trim(),
    attendees: draft.guests.map(({ email, name }) => ({ email, name })),
    busy: draft.busy,
    private: draft.private,
    reminders: draft.reminders,
  };
}

export function whenOf(draft: EventDraft): EventWhen {
  if (!draft.allDay) return { kind: 'timed', start: draft.start, end: draft.end, zone: draft.zone };
  return { kind: 'all-day', start: draft.start.slice(0, 10), end: shiftDays(draft.end, 1) };
}

export type EventChanges = Partial<EventBody>;

/** Returns the changed fields of an event; empty when nothing has to be sent. */
export function changesOf(before: EventDraft, after: EventDraft): EventChanges {
  const [was, is] = [bodyOf(before), bodyOf(after)];
  return Object.fromEntries(
    Object.entries(is).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(was[key as keyof typeof was])),
  );
}

export function isSameDraft(before: EventDraft, after: EventDraft): boolean {
  return Object.keys(changesOf(before, after)).length === 0;
}

/** The span in epoch ms; null while the fields do not make one. */
export function spanOf(draft: EventDraft): { startMs: number; endMs: number } | null {
  const when = whenOf(draft);
  const zone = loadZone(draft.zone) ?? utc;
  const [start, end] = [localMs(when.start), localMs(when.end)];
  if (start === null || end === null || end < start) return null;
  return { startMs: zone.toInstant(start), endMs: zone.toInstant(end) };
}

/** Another start keeps the length, and what the rule says of the day. */
export function withStart(draft: EventDraft, start: string): EventDraft {
  const [from, to, end] = [localMs(draft.start), localMs(start), localMs(draft.end)];
  if (from === null || to === null || end === null) return { ...draft, start };
  return {
    ...draft,
    start,
    end: printMinute(to + Math.max(0, end - from)),
    repeat: moveRepeat(draft.repeat, draft.start, start),
  };
}

/** Hours again are those from before; a day that had none gets one from nine on. */
export function withAllDay(draft: EventDraft, allDay: boolean): EventDraft {
  const [start, end] = [localMs(draft.start), localMs(draft.end)];
  if (start === null || end === null) return { ...draft, allDay };
  return { ...draft, allDay, end: allDay || end > start ? draft.end : printMinute(start + hourMs) };
}

/** Words of the field that keeps the form from being sent. */
export type DraftProblem = 'title' | 'start' | 'end' | 'meetingLink';

export function problemsOf(draft: EventDraft): DraftProblem[] {
  const [start, end] = [localMs(draft.start), localMs(draft.end)];
  const problems: DraftProblem[] = [];
  if (draft.title.trim() === '') problems.push('title');
  if (start === null) problems.push('start');
  else if (end === null || end < start) problems.push('end');
  if (draft.meetingLink.trim() !== '' && URL.parse(draft.meetingLink.trim())?.protocol !== 'https:') {
    problems.push('meetingLink');
  }
  return problems;
}

function repeatStart(times: { allDay: boolean; start: string; zone: string }) {
  return times.allDay ? { start: times.start.slice(0, 10), zone: null } : { start: times.start, zone: times.zone };
}

/** `2027-03-08T09:00` or `2027-03-08` as local ms. */
export function localMs(text: string): number | null {
  return parseLocalDateTime(text.length === 10 ? `${text}T00:00:00` : `${text}:00`);
}

export function printMinute(wallMs: number): string {
  return printLocalDateTime(Math.floor(wallMs / minuteMs) * minuteMs).slice(0, 16);
}

/** The date of `2027-03-08` or `2027-03-08T09:00` some days on. */
export function shiftDays(text: string, days: number): string {
  const ms = localMs(text.slice(0, 10));
  return ms === null ? text.slice(0, 10) : printLocalDate(ms + days * dayMs);
}
