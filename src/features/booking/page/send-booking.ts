import { canSolve, solve } from '#kernel/solve-challenge.ts';
import { passOn, readCampaign } from '../rules/redirect-address.ts';
import type { BookingData, Complaints, Typed } from '../rules/visit-data.ts';
import { languageOf, nameFields, readLoss, readNear, readRefused, writeBooking } from '../rules/write-booking.ts';
import { type CallAnswer, callApi } from './call-api.ts';
import type { FrameBooking, FrameDate } from './tell-height.ts';

export type SendAnswer =
  /** `to` is where it can be seen. */
  | { kind: 'booked'; to: string; told: FrameBooking }
  | { kind: 'taken'; near: readonly number[]; start: number | null; why: 'taken' | 'not-offered' }
  | { kind: 'closed'; message: string }
  | { kind: 'wrong'; message: string | null; fields: Complaints };

interface Sent {
  slot: number;
  duration: number;
  zone: string;
  typed: Typed;
  hold: string | null;
}

interface One {
  uid: string;
  start: number;
  duration: number;
}

interface MadeOne {
  booking: One;
  token: string;
}

interface Made {
  bookings: [MadeOne, ...MadeOne[]];
  redirect_url: string | null;
}

/** Books what was typed, or moves a booking. Sent twice, it books once. `onWork`: under load the browser calculates first. */
export async function sendBooking(data: BookingData, sent: Sent, onWork: () => void): Promise<SendAnswer> {
  const { slot, duration } = sent;
  if (data.moving !== null) {
    const { api, sequence, backTo } = data.moving;
    const reason = (sent.typed.reason ?? '').trim();
    const answer = await callApi<{ booking: One }>('POST', api, {
      start: slot,
      duration,
      sequence,
      ...(reason === '' ? {} : { reason }),
    });
    return answer.ok
      ? { kind: 'booked', to: backTo, told: tell(answer.body.booking, [answer.body.booking]) }
      : readRefusal(answer, data);
  }
  const body = writeBooking(data.type, sent.typed, {
    start: slot,
    duration,
    zone: sent.zone,
    language: languageOf(data.words.language ?? 'en', data.reading),
    hold: sent.hold,
  });
  const post = (solution?: string) =>
    callApi<Made>('POST', `${data.api}/bookings`, solution === undefined ? body : { ...body, solution }, {
      headers: { 'idempotency-key': `${data.attempt}-${slot}` },
    });
  const first = await post(canSolve() ? '' : undefined);
  const answer = await underLoad(first, post, onWork);
  if (!answer.ok) return readRefusal(answer, data);
  const [made] = answer.body.bookings;
  // in a frame it says so: the page there tells how tall it is
  const frame = data.embedded === null ? '' : `?${new URLSearchParams({ embed: data.embedded.origin })}`;
  const leadsTo = data.embedded === null ? answer.body.redirect_url : null;
  const to = leadsTo === null ? null : passOn(leadsTo, readCampaign(Object.entries(data.carried)));
  return {
    kind: 'booked',
    to: to ?? `/booked/${made.token}${frame}`,
    told: tell(
      made.booking,
      answer.body.bookings.map(({ booking }) => booking),
    ),
  };
}

/** While much is booked, a browser does some work first; where it finds nothing, a mail asks instead. */
async function underLoad(
  answer: CallAnswer<Made>,
  post: (solution?: string) => Promise<CallAnswer<Made>>,
  onWork: () => void,
): Promise<CallAnswer<Made>> {
  if (answer.ok || answer.code !== 'CHALLENGE') return answer;
  onWork();
  const solution = await solve(answer.fields.challenge ?? '');
  const again = await post(solution ?? undefined);
  return again.ok || again.code !== 'CHALLENGE' ? again : post();
}

const toDate = ({ uid, start, duration }: One): FrameDate => ({ uid, start, end: start + duration });
const tell = (first: One, all: readonly One[]): FrameBooking => ({ ...toDate(first), dates: all.map(toDate) });

function readRefusal(answer: Extract<CallAnswer<unknown>, { ok: false }>, { words }: BookingData): SendAnswer {
  const why = readLoss(answer);
  if (why !== null) return { kind: 'taken', near: readNear(answer.fields), start: readRefused(answer.fields), why };
  if (answer.code === 'NOT_BOOKABLE') return { kind: 'closed', message: answer.message };
  // a conflict names what is so now, and no field to correct
  const fields = answer.status === 409 ? {} : nameFields(answer.fields);
  const message = answer.code === 'OFFLINE' ? (words['wrong.not-sent'] ?? '') : answer.message;
  return { kind: 'wrong', message: Object.keys(fields).length > 0 ? null : message, fields };
}
