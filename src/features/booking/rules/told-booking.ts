import type { BookingId, UserId } from '#kernel/ids.ts';
import type { ToldAnswer } from './check-answers.ts';
import { joinNames } from './join-names.ts';
import type { BookedSeries, SeriesTime } from './series-invitation.ts';
import type { TypeSettings } from './type-settings.ts';

export interface ToldHost {
  id: UserId;
  name: string;
  email: string;
  /** For guests; null where it is hidden from them. */
  shownEmail: string | null;
  zone: string;
  locale: string;
  timeFormat: '12h' | '24h';
}

/** A time that is told of with others, and its hosts. */
export interface ToldTime extends SeriesTime {
  id: BookingId;
  hostIds: readonly UserId[];
}

/** A booking with all that its mails say. Times are epoch ms. */
export interface ToldBooking {
  id: BookingId;
  /** All bookings that are told of together. */
  ids: readonly BookingId[];
  uid: string;
  sequence: number;
  /** Names this version of a booking, or several that changed together. */
  toldAs: string;
  title: string;
  /** The color of the event type, where its host has chosen one. */
  color: string | null;
  /** The logo of the team whose event type it is, as a PNG in Base64; null where it has none. */
  logo: { name: string; png: string } | null;
  startMs: number;
  endMs: number;
  /** The last time that was confirmed and told to its reader; of a request that was never confirmed, the one requested before. */
  before: { startMs: number; endMs: number; wasBooked: boolean } | null;
  /** The side that made the change that is told; null: time, or an account that went. */
  actor: 'guest' | 'host' | null;
  /** Its people had a confirmed time of it and have none: by this change, or by one that they were told of before. */
  lost: 'now' | 'earlier' | null;
  /** Its calendar part: an invitation, or a cancellation of the time that guests have. Null: none. */
  calendar: { method: 'invite' } | { method: 'cancel'; startMs: number; endMs: number } | null;
  /** That it is a time of. */
  series: BookedSeries | null;
  /** Which of its series it is, from 1, and the ends of dates of the series that are not told of and may take place. */
  date: { number: number; others: readonly number[] } | null;
  /** Times of the series that are told of together, in order. */
  together: readonly ToldTime[];
  location: TypeSettings['location'];
  joinUrl: string | null;
  /** No meeting link was created, so its host sends one. */
  lacksLink: boolean;
  host: ToldHost;
  /** The other hosts. */
  others: readonly ToldHost[];
  /** The host who reads answers of guests; null where all hide their addresses. */
  contact: ToldHost | null;
  /** The address of the organizer in calendars; empty for that of the install. */
  organizer: string;
  guest: { name: string; email: string; phone: string | null; zone: string; locale: string };
  /** Addresses of whom the guest brings. */
  guests: readonly string[];
  /** Whom of them no mail could invite, or tell of the last change. */
  untold: readonly string[];
  /** The address by which each of them declines, in the same order. */
  declineUrls: readonly string[];
  /**
   * Addresses of guests that nobody has proved to its hosts, without those of members of the hosts' teams: their mails are
   * counted and have no free text.
   */
  unconfirmed: readonly string[];
  answers: readonly ToldAnswer[];
  /** Until when it waits for the proof of its guest's address; null: it waits for none. */
  keptUntilMs: number | null;
  /** Until when its guest can change it, and what its host says about that. */
  policy: { untilMs: number; text: string };
  reason: string | null;
  /** The guest's side typed the reason. A host gives reasons only where they decline or cancel. */
  isReasonOfGuest: boolean;
  /** Its guest confirmed this booking by its mail. An address that is known does not show who typed the rest of a booking. */
  isProved: boolean;
  /** The address of the guest's page. */
  url: string;
  /** The same with the secret that proves the guest's address: for mails to that address only. */
  proofUrl: string;
  /** Where its guest can book again; for that guest only. */
  bookUrl: string | null;
  /** It is in a calendar of the host. */
  isWritten: boolean;
  /** It is confirmed. */
  isCertain: boolean;
  /** Its event type needs the confirmation of a host. */
  isRequest: boolean;
}

/** The install that sends a mail, and the time. */
export interface Setting {
  publicUrl: string;
  /** The address of the install. */
  from: string;
  nowMs: number;
}

/** A booking without the place and the link, which guests learn while it is confirmed, as on their page and by the API. */
export function asGuestsSee(booking: ToldBooking): ToldBooking {
  if (booking.isCertain) return booking;
  const { location, together } = booking;
  const withheld = {
    ...location,
    ...(location.kind === 'in-person' ? { address: '' } : {}),
    ...(location.kind === 'link' ? { url: '' } : {}),
    ...(location.kind === 'phone' ? { number: '' } : {}),
  } as ToldBooking['location'];
  const times = together.map((time) => ({ ...time, joinUrl: null }));
  return { ...booking, location: withheld, joinUrl: null, together: times };
}

/** A booking as a brought guest has it: of a series the dates that they have not declined. */
export function asInvited(told: ToldBooking, address: string): ToldBooking {
  const { series, together } = told;
  if (series === null) return told;
  const isOf = ({ guests }: SeriesTime) => guests?.includes(address) ?? true;
  const times = together.filter(isOf);
  const [first] = times;
  const isPart = first !== undefined && times.length < together.length;
  return {
    ...told,
    ...(isPart
      ? { startMs: first.startMs, endMs: first.endMs, joinUrl: first.joinUrl, together: times, date: null }
      : {}),
    series: { ...series, times: series.times.map((time) => ({ ...time, stands: time.stands && isOf(time) })) },
  };
}

/** All who take part, as their guest is told of them. */
export function hostsOf({ host, others, guest }: ToldBooking): ToldHost {
  return { ...host, name: joinNames([host, ...others], guest.locale) };
}

/** A meeting that does not take place has no join link. */
export const withoutLink = (told: ToldBooking): ToldBooking => ({
  ...told,
  joinUrl: null,
  together: told.together.map((time) => ({ ...time, joinUrl: null })),
});
