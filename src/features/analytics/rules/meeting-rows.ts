import { eventIdOf } from '#features/calendar/rules/event-view.ts';
import type { BookingId, ItemId } from '#kernel/ids.ts';
import type { RowOf } from './explanation.ts';
import type { MeetingSource } from './measures.ts';

export interface SourcedMeeting {
  key: string;
  startMs: number;
  title: string | null;
  itemId: ItemId | null;
  recId: string;
  /** Null: not booked here. */
  bookingId: BookingId | null;
  source: MeetingSource;
}

/** A row for each; `partOf`: the part of the figure that it counts in. */
export function meetingRows(meetings: readonly SourcedMeeting[], partOf: (meeting: SourcedMeeting) => string): RowOf[] {
  return meetings.map((meeting) => {
    const { key, startMs, title, bookingId, itemId, recId } = meeting;
    return {
      kind: 'meeting',
      id: `${key} ${startMs}`,
      bookingId,
      eventId: bookingId === null && itemId !== null ? eventIdOf(itemId, recId) : null,
      title,
      atMs: startMs,
      part: partOf(meeting),
      numerator: 1,
      denominator: 0,
    };
  });
}
