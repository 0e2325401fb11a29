import { parseLocal, printLocalDateTime } from '#kernel/time/local.ts';
import type { Zone } from '#kernel/time/zones.ts';
import type { AllowedRange } from '../rules.ts';
import type { Hold, HoldFields } from './queries.ts';

/** The values of the form. Times are local to the user. */
export interface HoldDraft {
  title: string;
  start: string;
  end: string;
  calendarId: string;
  rank: 1 | 2 | 3 | 4;
  range: AllowedRange['kind'];
  first: string;
  last: string;
  /** Empty: never. */
  expires: string;
  /** Empty: never. */
  harden: string;
}

const hourMs = 3_600_000;

const fieldOf = (ms: number, zone: Zone) => printLocalDateTime(zone.toLocal(ms)).slice(0, 16);
function msOf(field: string, zone: Zone): number | null {
  const local = parseLocal(`${field}:00`);
  return local === null ? null : zone.toInstant(local);
}

export function newDraft(
  known: { title?: string; startMs?: number; endMs?: number; calendarId?: string },
  zone: Zone,
  nowMs: number,
): HoldDraft {
  const startMs = known.startMs ?? Math.ceil((nowMs + 1) / hourMs) * hourMs;
  const start = fieldOf(startMs, zone);
  return {
    title: known.title ?? '',
    start,
    end: fieldOf(known.endMs ?? startMs + hourMs, zone),
    calendarId: known.calendarId ?? '',
    rank: 4,
    range: 'day',
    first: start.slice(0, 10),
    last: start.slice(0, 10),
    expires: '',
    harden: '',
  };
}

export function draftOf(hold: Hold, zone: Zone): HoldDraft {
  const { range } = hold;
  const start = fieldOf(hold.home_start, zone);
  return {
    title: hold.title,
    start,
    end: fieldOf(hold.home_end, zone),
    calendarId: hold.calendar_id,
    rank: hold.rank,
    range: range.kind,
    first: range.kind === 'days' ? range.first : start.slice(0, 10),
    last: range.kind === 'days' ? range.last : start.slice(0, 10),
    expires: hold.expires_at === null ? '' : fieldOf(hold.expires_at, zone),
    harden: hold.harden_before_minutes === null ? '' : String(hold.harden_before_minutes),
  };
}

/** The request for a draft, or null while a time is missing or the end precedes the start. */
export function fieldsOf(draft: HoldDraft, zone: Zone): HoldFields | null {
  const [start, end] = [msOf(draft.start, zone), msOf(draft.end, zone)];
  if (start === null || end === null || end <= start || draft.title.trim() === '') return null;
  const { rank, range, first, last, expires, harden } = draft;
  return {
    title: draft.title.trim(),
    start,
    end,
    rank,
    range: range === 'days' ? { kind: range, first, last } : { kind: range },
    expires_at: expires === '' ? null : msOf(expires, zone),
    harden_before_minutes: harden === '' ? null : Number(harden),
  };
}

/** A hold as it was, for who takes a change back. */
export function fieldsBefore(hold: Hold): HoldFields {
  const { title, home_start: start, home_end: end, rank, range, expires_at, harden_before_minutes } = hold;
  return { title, start, end, rank, range, expires_at, harden_before_minutes };
}

/** Only what differs: a time that is not named is not moved. */
export function changesOf(before: HoldFields, after: HoldFields): Partial<HoldFields> {
  const differs = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof HoldFields]),
  );
  return Object.fromEntries(differs) as Partial<HoldFields>;
}
