import type * as z from 'zod/mini';
import type { mirrorLinkShape } from '#features/sync/contract.ts';
import type { calendarShape, eventShape } from '../contract.ts';

export type CalendarRow = z.output<typeof calendarShape>;
export type EventRow = z.output<typeof eventShape>;
export type MirrorLink = z.output<typeof mirrorLinkShape>;

/** An event as the grid draws it: times parsed once, its calendar's looks beside it. */
export interface GridEvent {
  id: string;
  itemId: string;
  title: string;
  startMs: number;
  endMs: number;
  allDay: { firstDay: string; endDay: string } | undefined;
  calendarId: string;
  calendarName: string;
  calendarBadge: string;
  accountEmail: string;
  provider: string;
  color: string;
  /** A busy block that we wrote. */
  isMirror: boolean;
  /** Title of the origin of a block, once it is loaded. */
  mirrorOf: string | undefined;
  /** How the blocks of this event stand; undefined where it has none. */
  copies: NonNullable<MirrorLink['counts']> | undefined;
  /** Class BUSY, so it takes part in conflicts. */
  blocks: boolean;
  /** Shown as taking no time. */
  isFree: boolean;
  isTentative: boolean;
  /** An invitation without an answer. */
  isUnanswered: boolean;
  /** The caller's answer to an invitation; undefined where there is nothing to answer. */
  answer?: EventRow['answer'] | undefined;
  /** Time kept for work: it overlaps nothing. */
  isFocus: boolean;
  isDeclined: boolean;
  isPrivate: boolean;
  isRecurring: boolean;
  /** Whether its time zone is unknown. */
  zoneWarning?: EventRow['zone_warning'] | undefined;
  /** Parts of it could not be read. */
  isInPart?: boolean | undefined;
  /** Why it cannot be changed; undefined where it can. */
  notEditable: NonNullable<EventRow['not_editable_reason']> | undefined;
  attendees: readonly string[];
  audience: EventRow['audience'];
  description: string;
  location: string;
  meetingLink: string | undefined;
  /** Not in its calendar yet: nothing more can be done with it. */
  isWaiting: boolean;
  /** In the provider's own web application. */
  openUrl: string | undefined;
}

const fallbackColor = '#8e8e93';

/**
 * The rows of the API as grid events, in order of time. Events of calendars that are not in the list any more are left
 * out: they are about to vanish from the next answer.
 */
export function toGridEvents(rows: readonly EventRow[], calendars: readonly CalendarRow[]): GridEvent[] {
  const calendarById = new Map(calendars.map((calendar) => [calendar.id, calendar]));
  const events: GridEvent[] = [];
  for (const row of rows) {
    const calendar = calendarById.get(row.calendar_id);
    if (calendar === undefined) continue;
    events.push({
      id: row.event_id,
      itemId: row.item_id,
      title: row.title,
      startMs: Temporal.Instant.from(row.start_time).epochMilliseconds,
      endMs: Temporal.Instant.from(row.end_time).epochMilliseconds,
      allDay:
        row.all_day && row.start_date !== null && row.end_date !== null
          ? { firstDay: row.start_date, endDay: row.end_date }
          : undefined,
      calendarId: row.calendar_id,
      calendarName: calendar.name,
      calendarBadge: row.calendar_badge,
      accountEmail: calendar.email,
      provider: row.provider,
      color: calendar.color === '' ? fallbackColor : calendar.color,
      isMirror: row.is_holdfast_block,
      mirrorOf: undefined,
      copies: undefined,
      blocks: row.class === 'busy' && !row.declined && !row.is_holdfast_block,
      // a birthday or a working location takes no time, although it is ignored and not free
      isFree: row.class === 'free' || (row.class === 'ignore' && !row.declined && !row.is_holdfast_block),
      isTentative: row.tentative && row.unanswered !== true,
      isUnanswered: row.unanswered ?? false,
      answer: row.answer,
      isFocus: row.focus ?? false,
      isDeclined: row.declined,
      isPrivate: row.private,
      isRecurring: row.recurring,
      zoneWarning: row.zone_warning,
      isInPart: row.read_in_part,
      notEditable: row.not_editable_reason ?? undefined,
      attendees: row.attendees,
      audience: row.audience,
      description: row.description,
      location: row.location,
      meetingLink: row.meeting_link ?? undefined,
      isWaiting: !row.editable && row.not_editable_reason === null,
      openUrl: row.open_url ?? undefined,
    });
  }
  return events.sort((a, b) => a.startMs - b.startMs || b.endMs - a.endMs || (a.id < b.id ? -1 : 1));
}

/** The same events with what they are blocks of, or how their blocks stand; those without either stay the same objects. */
export function withLinks(events: readonly GridEvent[], links: readonly MirrorLink[]): readonly GridEvent[] {
  if (links.length === 0) return events;
  const linkOf = new Map(links.map((link) => [link.item_id, link]));
  return events.map((event) => {
    const link = linkOf.get(event.itemId);
    return link === undefined ? event : { ...event, mirrorOf: link.origin?.title, copies: link.counts ?? undefined };
  });
}
