import type { Span } from '#kernel/time/intervals.ts';
import type { Figures } from '../load-figures.ts';
import type { SourcedMeeting } from '../rules/meeting-rows.ts';
import { listMeetings } from '../store/read-meetings.ts';
import { sourceOf } from './source-of.ts';

/** Meetings that start in the span, booked here or not, of the chosen source. */
export async function listSourced({ db, question }: Figures, span: Span): Promise<SourcedMeeting[]> {
  const { scope } = question;
  return (await listMeetings(db, scope, span))
    .map((meeting) => ({ ...meeting, source: sourceOf(meeting) }))
    .filter(({ source }) => scope.source === null || source === scope.source);
}
