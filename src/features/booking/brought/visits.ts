import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { homeOf } from '#platform/brand.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { fillWords } from '../rules/fill-words.ts';
import type { DeclineData } from '../rules/visit-data.ts';
import { showBooked } from '../show-booked.ts';
import { findBooking } from '../store/bookings.ts';
import { readVisitor } from '../visit/read-visitor.ts';
import { showNotice } from '../visit/show-notice.ts';
import { ended, whereOf } from '../visit/visit-booked.ts';
import { declineInvitation, findInvitation } from './invitations.ts';
import { declinePath } from './links.ts';

/** The page on which a guest who was brought along declines: `/invite/{token}`. Only its form changes something. */
export async function visitInvite(app: App, call: PageCall): Promise<PageAnswer | null> {
  const { token = '' } = call.params;
  const path = declinePath(token);
  try {
    if (call.method === 'POST') {
      await declineInvitation(app, token, call.form.getAll('date'));
      return { kind: 'go', to: path };
    }
    return await show(app, call, token);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'not-found') throw error;
    return showNotice(call, 'nobody', { status: 404, home: homeOf(app.brand.current()) });
  }
}

async function show(app: App, call: PageCall, token: string): Promise<PageAnswer> {
  const { booking, open, declined } = await findInvitation(app, app.db, token);
  const visitor = readVisitor(call, {
    zone: booking.guestZone,
    lastLanguage: booking.language,
    nowMs: app.clock.nowMs(),
  });
  const isOne = call.query.get('date') === 'this' && open.some(({ id }) => id === booking.id);
  const first = isOne ? booking : open[0];
  const shown = first === undefined ? null : await findBooking(app.db, first.id);
  const booked = await showBooked(app, app.db, shown ?? booking, null, visitor.language);
  const state =
    first !== undefined ? 'open' : declined.length > 0 ? 'declined' : ended.includes(booked.state) ? 'off' : 'over';
  const data: DeclineData = {
    words: visitor.words,
    reading: visitor.reading,
    state,
    host: booked.host,
    guest: booked.name,
    path: declinePath(token),
    title: booked.title,
    startMinute: booked.start,
    durationMinutes: booked.duration,
    where: state === 'open' ? (booked.join_url ?? whereOf(booked)) : null,
    reason: state === 'declined' ? null : booked.reason,
    dates:
      booking.seriesId === null
        ? null
        : open.map(({ id, startMs }) => ({ id, startMinute: startMs / 60_000, isChosen: !isOne || id === booking.id })),
    declinedMinutes: booking.seriesId === null ? [] : declined.map(({ startMs }) => startMs / 60_000),
  };
  const { language } = visitor;
  const title = `${fillWords(visitor.words, `decline.${state}`)} · ${booked.title}`;
  return { kind: 'page', page: { name: 'decline', data, title, language, frames: null, counts: true, unlisted: true } };
}
