import { AppError, httpStatusOf } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { sayError } from '#platform/error-words.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { cancelBooked } from '../cancel-booked.ts';
import { laterOf } from '../rules/change-window.ts';
import { fillWords } from '../rules/fill-words.ts';
import { type CancelData, longestReason, titleOfCancel } from '../rules/visit-data.ts';
import { type Booking, listSeries } from '../store/bookings.ts';
import { findVisitedBooking, type VisitedBooking } from './find-visited-booking.ts';

/** Asks a guest once more before their booking is cancelled; sent, it cancels, with a reason if they gave one. */
export async function visitCancel(app: App, call: PageCall): Promise<PageAnswer | null> {
  const visited = await findVisitedBooking(app, call);
  if ('answer' in visited) return visited.answer;
  const { path, token, booked } = visited;
  if (!booked.can_change) return { kind: 'go', to: path };
  if (call.method === 'GET') return ask(app, call, visited);
  const reason = (call.form.get('reason') ?? '').trim().slice(0, longestReason);
  const following = call.form.get('following') === 'yes';
  try {
    await cancelBooked(app, token, { ...(reason === '' ? {} : { reason }), following });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return ask(app, call, visited, { status: httpStatusOf[error.kind], trouble: error.message });
  }
  return { kind: 'go', to: path };
}

async function ask(
  app: App,
  call: PageCall,
  { booked, booking, host, path, visitor }: VisitedBooking,
  { status = 200, trouble = null }: { status?: number; trouble?: string | null } = {},
): Promise<PageAnswer> {
  const data: CancelData = {
    words: visitor.words,
    reading: visitor.reading,
    host,
    path: `${path}/cancel`,
    title: booked.title,
    startMinute: booked.start,
    durationMinutes: booked.duration,
    people: [booked.name, ...booked.guests],
    policy: booked.cancellation,
    series: await readLater(app, booking),
    hasGuests: booked.guests.length > 0,
    reason: call.form.get('reason') ?? '',
    trouble: trouble && sayError(trouble, visitor.language),
    backTo: path,
  };
  const { language } = visitor;
  const title = `${fillWords(visitor.words, titleOfCancel(data))} · ${booked.title}`;
  // nobody else's page may have somebody press its button
  return {
    kind: 'page',
    status,
    page: { name: 'cancel', data, title, language, frames: null, counts: true, unlisted: true },
  };
}

async function readLater({ db }: App, booking: Booking): Promise<CancelData['series']> {
  if (booking.seriesId === null) return null;
  const later = laterOf(await listSeries(db, booking.seriesId), booking);
  return { later: later.length, lastMinute: (later.at(-1)?.startMs ?? 0) / 60_000 };
}
