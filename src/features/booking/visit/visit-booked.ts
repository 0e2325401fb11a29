import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { addToCalendar } from '../rules/add-to-calendar.ts';
import type { Booked } from '../rules/booking-endpoints.ts';
import type { BookedData } from '../rules/visit-data.ts';
import { findVisitedBooking } from './find-visited-booking.ts';
import { readEmbedding } from './read-embedding.ts';

const ended: readonly Booked['state'][] = ['cancelled', 'declined', 'expired'];

/** A booking, for whoever has its address: `/booked/{token}`. */
export async function visitBooked(app: App, call: PageCall): Promise<PageAnswer | null> {
  const visited = await findVisitedBooking(app, call);
  if ('answer' in visited) return visited.answer;
  const { booked, host, path, offer, visitor, contact } = visited;
  const isOver = ended.includes(booked.state) || booked.state === 'held';
  const frames = offer?.type.settings.frames ?? null;
  const framedBy = readEmbedding(call, frames ?? [])?.origin;
  const data: BookedData = {
    words: visitor.words,
    reading: visitor.reading,
    host,
    state: booked.state === 'held' ? 'expired' : booked.state,
    title: booked.title,
    email: booked.email,
    startMinute: booked.start,
    series: booked.series,
    durationMinutes: booked.duration,
    people: [booked.name, ...booked.guests],
    where: booked.join_url ?? whereOf(booked),
    answers: booked.answers,
    calendars: booked.state === 'confirmed' ? { ...addToCalendar(booked), file: `${path}/calendar.ics` } : null,
    goOn: isOver ? null : (offer?.type.settings.redirect_url ?? null),
    change: booked.can_change
      ? { kind: 'open', reschedule: `${path}/reschedule`, cancel: `${path}/cancel` }
      : { kind: isOver ? 'over' : 'too-late' },
    confirm: booked.state === 'awaiting-mail' ? `${path}/confirm` : null,
    reason: booked.reason,
    // whoever has not shown yet that the address is theirs is a stranger
    contact: booked.state === 'awaiting-mail' || booked.state === 'held' ? null : contact,
    isFramed: framedBy !== undefined,
    again: booked.book_url === null ? null : new URL(booked.book_url).pathname,
  };
  return {
    kind: 'page',
    page: {
      name: 'booked',
      data,
      title: booked.title,
      language: visitor.language,
      // it follows the form in the frame that the form was in; what changes it opens outside
      frames,
      framedBy,
      unlisted: true,
    },
  };
}

export function whereOf({ location }: Booked): string | null {
  if (location?.kind === 'in-person') return location.address || null;
  return location?.kind === 'phone' && location.who_calls === 'guest' ? location.number || null : null;
}
