import type { TypeSettings } from './type-settings.ts';

type Location = TypeSettings['location'];
export type Question = TypeSettings['questions'][number];

/**
 * Data of the public pages as JSON: the server renders from it, and the browser continues with it. Times are epoch
 * minutes, days `2027-03-08`, months `2027-03`, all in the visitor's zone.
 */

/** Sentences of the page in one language, by key; see `page/words`. */
export type Words = Readonly<Record<string, string>>;

/** How times are read: what the visitor chose, else what fits them best. */
export interface Reading {
  zone: string; // IANA
  locale: string; // BCP 47, of dates and times
  hour12: boolean;
  /** The day a week begins with, 0 = Monday. Told, as not every browser knows. */
  firstWeekday: number;
  /** The present year. Dates of other years name theirs. */
  year?: string;
  /** As the server knows them: rules of zones change, and browsers are updated late. */
  offsets?: ZoneOffsets;
}

/** Offsets of a zone's wall clock from UTC, for instants from `from` to `to`. *Units*: epoch minutes, and minutes. */
export interface ZoneOffsets {
  zone: string;
  from: number;
  to: number;
  /** In order; the first at `from`. */
  changes: { from: number; ahead: number }[];
}

export interface ShownHost {
  name: string;
  /** Shown where there is no picture. */
  initials: string;
  avatarUrl: string | null;
  /** Address of all that they offer; null where they have none. */
  path: string | null;
}

export interface ShownType {
  title: string;
  /** Hosts of a team, in the reader's words. */
  hosts?: string;
  description: string;
  /** Minutes; the first is the default. */
  durations: readonly number[];
  location: ShownLocation;
  questions: readonly Question[];
  guestsAllowed: number;
  /** The host says yes to each booking. */
  confirmation: boolean;
  /** How a guest may go on: so many times at most. */
  recurring: { max: number; every: 'week' | 'two-weeks' | 'month' } | null;
  seats: number;
  /** In the words of the host. */
  cancellation: string;
  /** The last moment for changing or canceling, before the start. */
  changeUntilMinutes: number;
}

/** Where it takes place, as far as everybody may know. */
export type ShownLocation = Location extends infer L
  ? L extends { kind: 'in-person' }
    ? L
    : L extends { kind: 'phone' }
      ? { kind: 'phone'; who_calls: 'host' | 'guest' }
      : L extends { kind: infer K }
        ? { kind: K }
        : never
  : never;

/** The visitor's input, by the names of the fields. */
export type Typed = Readonly<Record<string, string>>;

/** Errors by field; `''` is about the whole form. */
export type Complaints = Readonly<Record<string, string>>;

/** The parts of an address that say what is shown of a page. */
export interface Place {
  month: string;
  day: string | null;
  /** Chosen: the form is open. */
  slot: number | null;
  duration: number;
  /** The list of zones is open. */
  zones: boolean;
  /** On a phone: the month is shown, and not the next days only. */
  all: boolean;
}

/** How a date of a series stands before it is booked; `instead`: starts near to one that is not free. */
export interface SeriesDate {
  start: number;
  state: 'free' | 'taken' | 'closed';
  instead: readonly number[];
}

/** Choosing a time of somebody: to book it, or to move a booking there. */
export interface BookingData {
  words: Words;
  reading: Reading;
  host: ShownHost;
  type: ShownType;
  /** Address of this page; forms go there too. */
  path: string;
  /** Calls of the page begin so: `/api/book/sam/intro`. */
  api: string;
  /** Parameters that every link of the page keeps: zone, clock, prefilled fields, embedding. */
  carried: Readonly<Record<string, string>>;
  place: Place;
  nowMinute: number;
  /** First and last month in which anything could be booked. */
  months: { first: string; last: string };
  /** Bookable starts around the month shown, in order. */
  starts: readonly number[];
  /** The `starts` that suit the host best. */
  recommended: readonly number[];
  /** The first start after an empty month. */
  nextStart: number | null;
  /** Free seats by the `starts`, for a group whose host shows them. */
  seatsLeft: readonly number[] | null;
  /** Whether times are withheld because a calendar is not up to date. */
  withheld: boolean;
  typed: Typed;
  complaints: Complaints;
  /** The time that was chosen is gone; these are near to it. */
  taken: readonly number[] | null;
  /** The date of a series that is taken. */
  takenStart: number | null;
  /** False: the chosen time is not offered, so nobody was faster. */
  isOffered: boolean;
  /** The dates of a series that was asked for, where the form is open; filled in by the browser where there is script. */
  series: readonly SeriesDate[] | null;
  /** Names this attempt, so that sending it twice books once. */
  attempt: string;
  /** Filled in while the list of zones is open. */
  zones: readonly { zone: string; name: string }[];
  /** A mail server is set up: mails about the booking are sent. */
  hasMail: boolean;
  /** The address of the last booking of this browser, as long as it isn't confirmed. The next booking with it waits for a mail. */
  unconfirmed: string | null;
  /** The booking that this browser has just made here. */
  own: (Pick<ShownMove, 'startMinute' | 'backTo'> & { isWaiting: boolean }) | null;
  /** Set where a booking is moved. */
  moving: ShownMove | null;
  /** The call that reads a visitor's own calendar. */
  overlay: string;
  /** Inside the page of another site. */
  embedded: { origin: string } | null;
}

/** A booking that its guest moves. */
export interface ShownMove {
  startMinute: number;
  durationMinutes: number;
  sequence: number;
  api: string;
  backTo: string;
  /** The state that the guest gives up where the host has to confirm the new time; null where nobody has to. */
  asks: 'confirmed' | 'pending' | null;
  /** Texts: the effect of the move, told before the guest acts, and the readers of a reason. */
  effect: string;
  hint: string;
}

export interface ProfileData {
  words: Words;
  reading: Reading;
  host: ShownHost;
  /** In the words of a team; empty for nothing. */
  about: string;
  types: readonly ({ path: string } & Omit<
    ShownType,
    'hosts' | 'questions' | 'guestsAllowed' | 'cancellation' | 'changeUntilMinutes'
  >)[];
}

/** A page that says one thing. */
export interface NoticeData {
  words: Words;
  /** Keys of `words`. */
  title: string;
  text: string;
  /** Outside: of another site, which is not shown within a frame. */
  link: { to: string; label: string; outside?: boolean } | null;
  /** The way home, where nobody's page is there: the product and its logo. */
  home?: { product: string; logo: string | null; darkLogo: string | null } | undefined;
}

/** A date of a series on the page of one of its dates. */
export interface BookedDate {
  startMinute: number;
  /** The former time, where it was moved. */
  beforeMinute: number | null;
  state: 'upcoming' | 'over' | 'left-out' | Exclude<BookedData['state'], 'confirmed'>;
  /** Its own page; null for the date of this page, and for one that is not booked. */
  path: string | null;
}

/** A booking, for holders of its link. */
export interface BookedData {
  words: Words;
  reading: Reading;
  host: ShownHost;
  state: 'confirmed' | 'pending' | 'awaiting-mail' | 'cancelled' | 'declined' | 'expired';
  title: string;
  /** Its link or its answer is still to come. */
  awaits: boolean;
  email: string;
  /** A mail server is set up, and no mail to the guest waits for the limit: mails about the booking are sent. */
  hasMail: boolean;
  /** No mail goes to the address of the guest, whose reader has stopped mails. */
  isStopped: boolean;
  /** Where mails are read on an install without a mail server that is for its own machine. */
  mailAt: string | null;
  startMinute: number;
  /** The former time: the last one that was confirmed, and that its guest was told of. */
  beforeMinute: number | null;
  /** The side that moved it last; null where neither did. */
  movedBy: 'guest' | 'host' | null;
  /** The mail about the last move waits for the next one. */
  isToldSoon: boolean;
  /** Whether it was confirmed at another time, which its guest gave up for the requested one. */
  isGivenUp: boolean;
  /** Which of how many that were booked together, and all of them. `later`: the dates after it can be canceled with it. */
  series: { count: number; number: number; dates: readonly BookedDate[]; later: boolean } | null;
  durationMinutes: number;
  /** The mail of an earlier booking confirms it; none was sent for it. */
  isAskedEarlier: boolean;
  /** Guests whom no mail could invite, or tell of the last change. */
  untold: readonly string[];
  /** Besides the host. */
  people: readonly string[];
  phone: string | null;
  where: string | null;
  answers: readonly { label: string; answer: string }[];
  /** Addresses that put it into a calendar; null while it does not take place. */
  calendars: { google: string; outlook: string; file: string } | null;
  /** Where the host sends people who have booked. */
  goOn: string | null;
  change:
    | { kind: 'open'; untilMinute: number; policy: string; reschedule: string | null; cancel: string }
    /** The address is not confirmed yet. */
    | { kind: 'waiting'; cancel: string }
    | { kind: 'too-late' }
    | { kind: 'over' };
  /** How the guest writes to the host; null where there is nobody to ask any more. */
  contact: { kind: 'address'; address: string } | { kind: 'form'; to: string } | null;
  /** A message was sent just now. */
  isSent: boolean;
  /**
   * Where the reader of its mail confirms the address, by the secret of the mail. `others`: waiting bookings and series of the
   * address that the reader can choose too. `text`: what the confirmation does; null for the others alone.
   */
  proof: {
    to: string;
    secret: string;
    says: { title: string; text: string | null };
    others: readonly { id: string; title: string; startMinutes: readonly number[]; people: readonly string[] }[];
  } | null;
  /** The end of the time in which the guest can confirm their address, or null where nothing waits for it. */
  keptUntilMinute: number | null;
  /** Where a guest whose mail has not come has it sent again, and what came of that. */
  askAgain: { to: string; answer: 'sent' | 'later' | 'full' | null } | null;
  /** The side that canceled it; null where neither did. */
  cancelledBy: 'guest' | 'host' | null;
  reason: string | null;
  again: string | null;
  /** Address of this page, where it is inside the page of another site. */
  framedPath: string | null;
}

/** A meeting on a page that asks one question about it. */
interface AskedData {
  words: Words;
  reading: Reading;
  /** Where the form goes. */
  path: string;
  title: string;
  startMinute: number;
  durationMinutes: number;
}

/** The part of a guest who was brought along: to decline, declined, or over. */
export interface DeclineData extends AskedData {
  state: 'open' | 'declined' | 'over' | 'off';
  host: string;
  /** The guest who brought them. */
  guest: string;
  /** The link or the place of a meeting that is certain, as mails to unconfirmed addresses leave out links to other sites. */
  where: string | null;
  /** The reason of the last change, in the words of its writer. */
  reason: string | null;
  /** Dates of a series that can be declined; null where it is no series. `isChosen`: the mail was about it. */
  dates: readonly { id: string; startMinute: number; isChosen: boolean }[] | null;
  declinedMinutes: readonly number[];
}

/** The words that ask whether to cancel, as heading and in the title of the page. */
export const titleOfCancel = ({ series }: Pick<CancelData, 'series'>): string =>
  series === null ? 'cancel.title' : series.later === 0 ? 'cancel.date.title' : 'cancel.dates.title';

/** The words that say the result of a booking, as heading and in the title of its page. */
export function resultOf({
  state,
  cancelledBy,
  beforeMinute,
  movedBy,
  proof,
  ...mails
}: Pick<BookedData, 'state' | 'cancelledBy' | 'beforeMinute' | 'movedBy' | 'proof' | 'hasMail' | 'mailAt'>): string {
  if (state === 'awaiting-mail' && proof !== null) return 'booked.proof';
  if (state === 'awaiting-mail' && !mails.hasMail && mails.mailAt === null) return 'booked.awaiting-mail-unsent';
  if (cancelledBy !== null) return `booked.cancelled-${cancelledBy}`;
  if (state !== 'confirmed' || beforeMinute === null) return `booked.${state}`;
  return movedBy === 'host' ? 'booked.moved-host' : 'booked.moved';
}

/** UTF-16 units of the reason of a change. */
export const longestReason = 1_000;
/** UTF-16 units of a message to a host. */
export const longestMessage = 1_500;

export interface MessageData extends AskedData {
  host: ShownHost;
  series: { count: number; number: number } | null;
  /** The address of the guest, which the host answers to. */
  email: string;
  text: string;
  trouble: string | null;
  backTo: string;
}

export interface CancelData extends AskedData {
  host: ShownHost;
  /** Besides the host. */
  people: readonly string[];
  policy: string;
  /** The later dates of a series that can be canceled with this one. */
  series: { later: number; lastMinute: number } | null;
  hasGuests: boolean;
  reason: string;
  trouble: string | null;
  backTo: string;
}
