import * as z from 'zod/mini';
import { AppError, httpStatusOf } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { createBooking } from '../create-booking.ts';
import { rememberBooked } from '../find-booked.ts';
import { findUsualZone } from '../list-hosts-of.ts';
import { type NewBooking, newBookingShape } from '../rules/booking-endpoints.ts';
import { checkTyped } from '../rules/check-typed.ts';
import { fillWords } from '../rules/fill-words.ts';
import { passOn, readCampaign } from '../rules/redirect-address.ts';
import { showOffer } from '../rules/show-offer.ts';
import type { Complaints } from '../rules/visit-data.ts';
import { languageOf, nameFields, readLoss, readNear, readRefused, writeBooking } from '../rules/write-booking.ts';
import { findVisited, type Visited } from './find-visited.ts';
import { readVisitor } from './read-visitor.ts';
import { type Attempt, chosenSlot, readTyped, showBooking } from './show-booking.ts';
import { showNotice } from './show-notice.ts';

/** The form of a visitor without script: it books as the call does, and answers with a page that keeps what was typed. */
export async function bookByForm(app: App, call: PageCall): Promise<PageAnswer | null> {
  const visited = await findVisited(app, call);
  if ('answer' in visited) return visited.answer;
  const { found } = visited;
  const { form } = call;
  const typed = readTyped(form);
  const zone = await findUsualZone(app.db, found.host);
  const visitor = readVisitor(call, { zone, language: found.type.settings.language });
  const name = /^[\w-]{8,64}$/.exec(form.get('attempt') ?? '')?.[0];
  const again = (status: number, what: Partial<Attempt>) =>
    showBooking(app, call, {
      ...visited,
      status,
      attempt: { typed, complaints: {}, taken: null, ...(name === undefined ? {} : { name }), ...what },
    });

  // the dates of a series are asked for before it is booked
  if (form.has('dates')) return again(200, {});
  const offer = showOffer(found.type);
  const wrong = Object.entries(checkTyped(offer, typed));
  if (wrong.length > 0) {
    const say = ([field, { key, values }]: (typeof wrong)[number]) => [field, fillWords(visitor.words, key, values)];
    return again(422, { complaints: Object.fromEntries(wrong.map(say)) as Complaints });
  }
  const start = chosenSlot(call);
  const read = z.safeDecode(
    newBookingShape,
    writeBooking(offer, typed, {
      start,
      duration: Number(form.get('duration')) || found.type.settings.durations_minutes[0] || 0,
      zone: visitor.reading.zone,
      language: languageOf(visitor.language, visitor.reading),
      hold: null,
    }),
  );
  if (!read.success) return again(422, { complaints: nameFields(fieldsOf(read.error)) });
  try {
    return await book(app, call, visited, read.data, name === undefined ? undefined : `${name}-${start}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.kind === 'not-found') return showNotice(call, 'gone', { status: 404 });
    const status = httpStatusOf[error.kind];
    const fields = error.fields ?? {};
    const why = readLoss(error);
    if (why !== null)
      return again(status, { taken: readNear(fields), takenStart: readRefused(fields), isOffered: why === 'taken' });
    const named = nameFields(fields);
    return again(status, { complaints: Object.keys(named).length > 0 ? named : { '': error.message } });
  }
}

async function book(
  app: App,
  call: PageCall,
  { address }: Visited,
  input: NewBooking,
  idempotencyKey: string | undefined,
): Promise<PageAnswer> {
  const made = await createBooking(app, address, input, {
    ...call.request,
    idempotencyKey,
    held: call.note.read('held'),
  });
  rememberBooked(call.note, made);
  const [first] = made.bookings;
  if (first === undefined) throw new Error('booked without a booking');
  const leadsTo = made.redirect_url === null ? null : passOn(made.redirect_url, readCampaign(call.form));
  return { kind: 'go', to: leadsTo ?? `/booked/${first.token}` };
}

function fieldsOf({ issues }: z.core.$ZodError): Record<string, string> {
  return Object.fromEntries(issues.map(({ path, message }) => [path.map(String).join('.'), message]));
}
