import type { UserId } from '#kernel/ids.ts';
import type { BookingChange, BookingState } from './booking-states.ts';

/**
 * Kinds of mails about a booking. `rescheduled-pending`: to a time that its host has to confirm. `left`: a brought
 * guest declined; `guest-declined` tells the guest who brought them.
 */
export type Moment =
  | 'mail-wanted'
  | 'requested'
  | 'confirmed'
  | 'rescheduled'
  | 'rescheduled-pending'
  | 'declined'
  | 'expired'
  | 'cancelled'
  | 'linked'
  | 'reassigned'
  | 'hosts-changed'
  | 'handed-over'
  | 'reminder'
  | 'guest-declined'
  | 'left';

/** Moments of the guest who booked, of the guests whom they bring, and of hosts. */
export type BookerMoment = Exclude<Moment, 'hosts-changed' | 'handed-over' | 'guest-declined' | 'left'>;
export type BroughtMoment = Extract<
  Moment,
  | 'confirmed'
  | 'rescheduled'
  | 'rescheduled-pending'
  | 'linked'
  | 'reassigned'
  | 'declined'
  | 'expired'
  | 'cancelled'
  | 'reminder'
  | 'left'
>;
export type HostMoment = Exclude<Moment, 'mail-wanted' | 'linked' | 'guest-declined' | 'left'>;

/** Changes of which people get mails. */
export type ToldChange = Exclude<BookingChange, 'no-show' | 'restored' | 'guest-answered' | 'guest-declined'>;

/** A booking as far as a change of it is news. Times are epoch ms. */
export interface Version {
  state: BookingState;
  startMs: number;
  endMs: number;
  hostIds: readonly UserId[];
  /** Where to join it; absent in versions that were told before it was noted. */
  joinUrl?: string | null;
}

/** The version that people were last told of. Times are epoch ms. */
export interface KnownVersion extends Version {
  /** A version that they were told of was confirmed. */
  invited: boolean;
  /** The last confirmed time that they were told of; absent in versions told before it was noted. */
  confirmed?: Span | null;
  /** The former time that they were told with this version; absent as above. */
  former?: Span | null;
}

/** Epoch ms. */
export interface Span {
  startMs: number;
  endMs: number;
}

/** Mails about one change of a booking, by their readers. */
export interface Telling {
  booker: BookerMoment | null;
  /** The same for each guest whom the booker brings. */
  brought: BroughtMoment | null;
  hosts: readonly { id: UserId; moment: HostMoment; isNew: boolean }[];
  /** Effect on the calendars of the booker and the guests whom they bring. */
  calendar: 'invite' | 'cancel' | null;
}

/**
 * Readers of a change. Each reader is told the difference between the version that they know and the present one: a host
 * who joins has a new booking, and a host who leaves loses the one that they had. The person who acted knows.
 * A calendar has a meeting exactly while it is confirmed (RFC 5546 3.2.2, 3.2.5).
 */
export function whoIsTold({
  what: change,
  by,
  known,
  now,
}: {
  what: ToldChange;
  /** The host or team member who did it; null: a guest, or nobody. */
  by: UserId | null;
  /** Null: nobody was told of the booking. */
  known: KnownVersion | null;
  now: Version;
}): Telling {
  const isElsewhen = known === null || isMoved(known, now);
  // a job that runs again has nothing new to tell
  if ((change === 'rescheduled' || change === 'reassigned') && !isElsewhen && isSameHosts(known, now))
    return { booker: null, brought: null, hosts: [], calendar: null };
  const what = change === 'rescheduled' && !isElsewhen ? 'reassigned' : change;
  const isCertain = now.state === 'confirmed';
  const brought = broughtMoment(what, now.state, known);
  return {
    booker: bookerMoment(what, isCertain),
    brought,
    hosts: [...stayingHosts(what, known, now), ...leavingHosts(known, now)].filter(({ id }) => id !== by),
    calendar: isCertain ? 'invite' : brought === null ? null : 'cancel',
  };
}

/** A difference between two versions as one change. */
export function changeSince(known: Version, now: Version): ToldChange {
  if (isOver(now.state)) return now.state;
  if (now.state !== 'confirmed') return 'rescheduled';
  if (known.state !== 'confirmed') return 'confirmed';
  return isMoved(known, now) ? 'rescheduled' : 'reassigned';
}

export const isOver = (state: BookingState): state is 'declined' | 'cancelled' | 'expired' =>
  state === 'declined' || state === 'cancelled' || state === 'expired';

const isMoved = (one: Version, other: Version) =>
  one.state !== other.state || one.startMs !== other.startMs || one.endMs !== other.endMs;

const isSameHosts = (one: Version, other: Version) =>
  one.hostIds.length === other.hostIds.length && one.hostIds.every((id) => other.hostIds.includes(id));

/** Whether a reader of one version knows the other. */
export const isSameVersion = (one: Version, other: Version) => !isMoved(one, other) && isSameHosts(one, other);

function bookerMoment(what: ToldChange, isCertain: boolean): BookerMoment {
  if (what === 'rescheduled' && !isCertain) return 'rescheduled-pending';
  // the request waits for another host
  if (what === 'reassigned' && !isCertain) return 'requested';
  return what;
}

function broughtMoment(what: ToldChange, state: BookingState, known: KnownVersion | null): BroughtMoment | null {
  const isInvited = known?.invited === true;
  if (isOver(state)) return isInvited ? state : null;
  // guests who lost a confirmed time hear of each time requested in its place; the mail that took it out may be withdrawn
  if (state !== 'confirmed')
    return isInvited && (known.state === 'confirmed' || what === 'rescheduled') ? 'rescheduled-pending' : null;
  return isInvited && (what === 'rescheduled' || what === 'reassigned' || what === 'linked') ? what : 'confirmed';
}

function stayingHosts(what: ToldChange, known: KnownVersion | null, now: Version): Telling['hosts'] {
  if (what === 'mail-wanted' || what === 'linked') return [];
  const joins = now.hostIds.filter((id) => known !== null && !known.hostIds.includes(id));
  const stays = now.hostIds.filter((id) => !joins.includes(id));
  const joining = now.state === 'confirmed' ? 'reassigned' : 'requested';
  // a booking that came and went has never been theirs; a request that ran out is one that they missed
  if (known === null && isOver(now.state) && what !== 'expired') return [];
  return [
    ...stays.map((id) => ({ id, isNew: known === null, moment: stayingMoment(what, known, now) })),
    // a host who joins a booking that is over by now has lost nothing
    ...(isOver(now.state) ? [] : joins.map((id) => ({ id, isNew: true, moment: joining as HostMoment }))),
  ];
}

function stayingMoment(
  what: Exclude<ToldChange, 'mail-wanted' | 'linked'>,
  known: KnownVersion | null,
  now: Version,
): HostMoment {
  const { state } = now;
  if (isOver(state)) return what;
  if (known === null) return state === 'confirmed' ? 'confirmed' : 'requested';
  if (what === 'confirmed') return what;
  if (isMoved(known, now)) return state === 'confirmed' ? 'rescheduled' : 'rescheduled-pending';
  return 'hosts-changed';
}

const leavingHosts = (known: KnownVersion | null, now: Version): Telling['hosts'] =>
  (known?.hostIds ?? [])
    .filter((id) => !now.hostIds.includes(id))
    .map((id) => ({ id, moment: 'handed-over', isNew: false }));
