import { eventIdOf } from '#features/calendar/rules/event-view.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { Figures } from '../load-figures.ts';
import type { RowOf } from '../rules/explanation.ts';
import type { MeetingSource } from '../rules/measures.ts';
import { listMeetings, type MeetingRow } from '../store/read-meetings.ts';
import { sourceOf } from './source-of.ts';

export type SourcedMeeting = MeetingRow & { source: MeetingSource };

/** Meetings that start in the span, booked here or not, of the chosen source. */
export async function listSourced({ db, question }: Figures, span: Span): Promise<SourcedMeeting[]> {
  const { scope } = question;
  return (await listMeetings(db, scope, span))
    .map((meeting) => ({ ...meeting, source: sourceOf(meeting) }))
    .filter(({ source }) => scope.source === null || source === scope.source);
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
