import type * as z from 'zod/mini';
import type { noticeDetails, noticeKinds } from '../contract.ts';

export type NoticeKind = (typeof noticeKinds)[number];
export type NoticeDetails = z.output<typeof noticeDetails>;

/** Something that is so, whether or not there is a row about it. */
export interface Fact {
  kind: NoticeKind;
  subject: string;
  details: NoticeDetails;
}

type Told = Pick<Fact, 'kind' | 'details'>;

export const isOfBooking = ({ kind }: Pick<Fact, 'kind'>) =>
  kind.startsWith('booking-') || kind === 'requested' || kind === 'booked' || kind === 'cancelled';

/** Where a notice is mended. */
export function placeOf({ kind, details }: Told): { to: string; search?: Record<string, string> } {
  const [event] = details.events ?? [];
  if (kind === 'conflict' && event) return { to: '/calendar', search: { day: event.day, event: event.event_id } };
  if (details.booking_id) return { to: '/meetings', search: { booking: details.booking_id } };
  if (kind === 'edit' || kind === 'conflict') return { to: '/calendar' };
  if (details.question) return { to: '/meetings', search: { booking: details.question.booking_id } };
  if (kind === 'invitation') return { to: '/team' };
  if (kind === 'panel') return { to: '/availability/links' };
  if (kind === 'mirrors') return { to: '/meetings', search: { tab: 'mirrors', status: 'failed' } };
  return { to: kind === 'breaker' ? '/integrations/mirrors' : '/integrations' };
}

/** Which text of `inbox.kind` says it, and what is filled in. */
export function wordsFor({ kind, details }: Told): { key: string; values: Record<string, string | number> } {
  const [one, other] = details.events ?? [];
  const { question } = details;
  const values = {
    account: details.account,
    calendar: details.calendar,
    target: details.target,
    team: details.team,
    inviter: details.inviter,
    title: details.title,
    one: one?.title,
    other: other?.title ?? question?.in_the_way?.title,
    guest: question?.guests.join(', ') ?? details.guest,
    count: details.count ?? 0,
  };
  return {
    key: kind === 'invitation' && details.inviter === undefined ? 'asked' : kind,
    values: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<
      string,
      string | number
    >,
  };
}
