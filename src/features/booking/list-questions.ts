import { listCalendars } from '#features/connections/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { answersTo } from './rules/question-answers.ts';
import type { ShownQuestion } from './rules/question-endpoints.ts';
import { listOpenQuestions } from './store/questions.ts';

const most = 200;

/** Lists the open questions to a person about bookings, oldest first. */
export async function listQuestions(app: Pick<App, 'db' | 'clock'>, userId: UserId): Promise<ShownQuestion[]> {
  const nowMs = app.clock.nowMs();
  const questions = await listOpenQuestions(app.db, userId, { nowMs, limit: most });
  if (questions.length === 0) return [];
  const nameOf = new Map((await listCalendars(app.db, userId)).map(({ id, name }) => [id, name]));
  return questions.map((question) => {
    const { kind, startMs, endMs, subject, calendarId, title } = question;
    const time = startMs === null || endMs === null ? null : { start_time: startMs, end_time: endMs };
    const [itemId = '', recId] = subject.split(' ');
    return {
      question_id: question.id,
      kind,
      booking_id: question.bookingId,
      appointment_id: question.appointmentId,
      title: question.bookedTitle,
      guests: question.guests,
      start_time: question.bookedStartMs,
      end_time: question.bookedEndMs,
      moved_to: kind !== 'moved' || time === null ? null : { ...time, onto: title },
      in_the_way:
        subject === '' || time === null
          ? null
          : {
              ...time,
              title: title ?? 'Untitled',
              calendar_name: calendarId === null ? '' : (nameOf.get(calendarId) ?? ''),
              event_id: recId === undefined ? itemId : `${itemId}_${recId}`,
            },
      asked_at: question.askedMs,
      answers: answersTo(question, nowMs),
    };
  });
}
