import type { BookingState } from '../../src/features/booking/rules/booking-states.ts';
import { KeptInvitations } from './kept-invitations.ts';
import type { ReadMail } from './read-mail.ts';

export interface Person {
  email: string;
  name: string;
  zone: string;
  /** Whether the person wants reminders of bookings. Guests always get them. */
  wantsReminders: boolean;
}

/** A booking after an act. Times are epoch ms. */
export interface Version {
  /** The group of acts that it came from. */
  group: number;
  state: BookingState;
  startMs: number;
  endMs: number;
  /** Addresses. */
  hosts: readonly string[];
  /** The person who acted; null: time. */
  by: string | null;
  atMs: number;
}

export interface AuditedBooking {
  id: string;
  seriesId: string | null;
  /** The secret of its guest's page. */
  token: string;
  /** Several guests meet at one time. */
  isSession: boolean;
  guest: Person;
  /** Without those who have declined. */
  brought: readonly string[];
  versions: Version[];
  /** Links to join, the newest last; `until`: the group of acts that ended it. */
  links: { url: string; until: number | null }[];
}

/** A mail, and the outbox's name of what it is about. */
export interface ToldMail extends ReadMail {
  kind: string;
  key: string;
}

/** A recipient's knowledge of a booking: a requested meeting, or a confirmed one. */
interface Belief {
  state: 'asked' | 'certain';
  startMs: number;
  hosts: string;
}

interface Auditing {
  group: number;
  isStrict: boolean;
  hasWaited: boolean;
  resting: ReadonlySet<string>;
  /** All mails that were handed over, also those that were withdrawn. */
  outbox: readonly { to: string }[];
  /** Guests whose address is confirmed with a host: the addresses of both. */
  proved: ReadonlySet<string>;
  /** Hosts who changed events in their own calendars. */
  touched: ReadonlySet<string>;
}

/** Time for which a booking waits for the proof of an address. */
const awaitMailMs = 1_800_000;
/**
 * Mails about bookings to a mailbox in a day before anybody has confirmed it, and those of one host: to the address that a
 * guest gave as theirs, and to one that they brought along (decisions 0070 and 0081).
 */
const mostMails = 18;
const [mostOfHost, mostOfBringing] = [5, 3];

/** A brought guest declined these bookings. */
interface Decline {
  address: string;
  /** Address of the guest who brought them. */
  booker: string;
  bookings: readonly AuditedBooking[];
  /** The guest knew of a meeting. */
  isKnown: boolean;
  heard: string[];
}

/** A guest's message to the hosts of a booking. */
interface Message {
  booking: AuditedBooking;
  text: string;
  heard: string[];
}

interface Audited {
  booking: AuditedBooking;
  /** The number of versions that were audited. */
  seen: number;
  beliefs: Map<string, Belief>;
  /** Beliefs at the last audit. */
  before: Map<string, Belief>;
  /** Mails since then, by recipient. */
  told: Map<string, string[]>;
  /** The newest version that these mails told of, by recipient. */
  newest: Map<string, Version>;
  /** Guests without an invitation, since the limit kept it back or ended it. */
  lapsed: Set<string>;
  /** Brought guests who declined, by the group of acts. */
  left: Map<string, number>;
}

const open: readonly BookingState[] = ['pending', 'confirmed'];
const ended: readonly BookingState[] = ['declined', 'cancelled', 'expired'];
/** The states that a kind of mail may tell of. */
const statesOf: Readonly<Record<string, readonly BookingState[]>> = {
  'mail-wanted': ['awaiting-mail'],
  requested: ['pending'],
  'rescheduled-pending': ['pending'],
  confirmed: ['confirmed'],
  rescheduled: ['confirmed'],
  linked: ['confirmed'],
  reassigned: open,
  reminder: ['confirmed'],
  withdrawn: ['awaiting-mail', 'pending', 'confirmed', 'declined', 'cancelled', 'expired'],
  declined: ['declined'],
  expired: ['expired'],
  cancelled: ['cancelled'],
};

const months = 'January|February|March|April|May|June|July|August|September|October|November|December';

/** The days and times that a text names; hours as on the face of a clock. */
function momentsIn(text: string): { days: Set<string>; times: Set<string> } {
  // an offset such as GMT+5:30 is no time
  const plain = text.replaceAll(/https?:\/\/\S+|\bGMT[+-]\d{1,2}(?::\d{2})?/g, '');
  return {
    days: new Set(plain.match(new RegExp(`(?:${months}) \\d{1,2}`, 'g'))),
    times: new Set(
      [...plain.matchAll(/\b(\d{1,2}):(\d{2})\b/g)].map(([, hour, minute]) => `${Number(hour) % 12}:${minute}`),
    ),
  };
}

function momentOf(ms: number, zone: string): { day: string; time: string } {
  const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  return {
    day: `${months.split('|')[at.month - 1]} ${at.day}`,
    time: `${at.hour % 12}:${String(at.minute).padStart(2, '0')}`,
  };
}

const say = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString().slice(5, 16);

/**
 * Knows from acts alone who has to know what, and compares it with the mails that arrived. The person's point of view
 * decides what is right: what a mailbox was told last is true, and nobody hears of what they had no part in.
 */
export class BookingAuditor {
  readonly faults: string[] = [];
  readonly #people: ReadonlyMap<string, Person>;
  readonly #bookings = new Map<string, Audited>();
  readonly #mailboxes = new Map<string, KeptInvitations>();
  /** Times of which somebody was reminded. */
  readonly #reminded = new Set<string>();
  /** The number of mails to each mailbox when the day began. */
  readonly #before = new Map<string, number>();
  #handed = new Map<string, number>();
  /** Mails of this day to addresses that nobody has confirmed, without the ends of invitations. */
  readonly #ofDay = new Map<string, number>();
  /** Mailboxes that were at their limit once. */
  readonly #wereLimited = new Set<string>();
  #proved: ReadonlySet<string> = new Set();
  #declines: Decline[] = [];
  #messages: Message[] = [];
  /** Guests who have stopped mails, by the group of acts. */
  readonly #stopped = new Map<string, number>();
  /** Guests who stopped mails once: nobody knows any more what they believe. */
  readonly #deaf = new Set<string>();

  /** `people`: all who can be hosts, or act for them. */
  constructor(people: readonly Person[]) {
    this.#people = new Map(people.map((one) => [one.email, one]));
  }

  add(booking: AuditedBooking): void {
    const nothing = { seen: 0, beliefs: new Map(), before: new Map(), told: new Map(), newest: new Map() };
    this.#bookings.set(booking.id, { booking, ...nothing, lapsed: new Set(), left: new Map() });
  }

  /** A brought guest declines these bookings of one guest. */
  noteDecline(address: string, bookings: readonly AuditedBooking[], group: number): void {
    const [first] = bookings;
    if (first === undefined) return;
    const all = bookings.flatMap(({ id }) => this.#bookings.get(id) ?? []);
    const isKnown = all.some(({ beliefs }) => beliefs.get(address)?.state === 'certain');
    for (const one of all) one.left.set(address, group);
    this.#declines.push({ address, booker: first.guest.email, bookings, isKnown, heard: [] });
  }

  /** A guest writes to the hosts of a booking. */
  noteMessage(booking: AuditedBooking, text: string): void {
    this.#messages.push({ booking, text, heard: [] });
  }

  /** A guest stops all mails to an address that they have not confirmed. */
  noteStop(email: string, group: number): void {
    this.#stopped.set(email, group);
    this.#deaf.add(email);
  }

  /** A guest wants mails again, or confirms the address. */
  noteResume(email: string): void {
    this.#stopped.delete(email);
  }

  bookings(): AuditedBooking[] {
    return [...this.#bookings.values()].map(({ booking }) => booking);
  }

  /** The limit of mails to a mailbox counts from zero. */
  beginDay(): void {
    this.#ofDay.clear();
    for (const [to, count] of this.#handed) this.#before.set(to, count);
  }

  /**
   * Judges what arrived. `isStrict`: nobody could be told before all acts of the group were done.
   * `hasWaited`: mails were in the outbox meanwhile, and may have been withdrawn. `resting`: bookings whose last move is
   * told later.
   */
  audit(mails: readonly ToldMail[], at: Auditing): void {
    this.#proved = at.proved;
    this.#handed = new Map([...Map.groupBy(at.outbox, ({ to }) => to)].map(([to, all]) => [to, all.length]));
    for (const [to, count] of this.#handed)
      if (count - (this.#before.get(to) ?? 0) >= mostOfBringing) this.#wereLimited.add(to);
    for (const mail of mails) {
      this.#expectWithinLimit(mail);
      this.#mailbox(mail.to).take(mail);
      this.#expectOwnTokens(mail);
      const stopped = this.#stopped.get(mail.to);
      if (stopped !== undefined && stopped !== at.group && mail.everything.includes('/unsubscribe/'))
        this.#wrong(mail, 'its reader has stopped mails');
      if (mail.kind === 'booking.left' || mail.kind === 'booking.guest-declined') {
        this.#hearDecline(mail);
        continue;
      }
      if (mail.kind === 'booking.message') {
        this.#hearMessage(mail);
        continue;
      }
      if (mail.kind === 'booking.question' && at.touched.has(mail.to)) continue;
      if (mail.kind === 'booking.question') this.#wrong(mail, 'asks a host, but nobody touched a calendar');
      else if (mail.kind === 'workflows.step') this.#hearWorkflow(mail, at);
      else if (mail.kind.startsWith('booking.')) this.#hear(mail, at);
    }
    this.#expectDeclinesTold();
    this.#expectMessagesTold();
    this.#expectRemindedTogether(mails);
    for (const one of this.#bookings.values()) {
      if (one.seen === one.booking.versions.length || at.resting.has(one.booking.id)) continue;
      this.#expectTold(one, at);
      one.seen = one.booking.versions.length;
      one.before = new Map(one.beliefs);
      one.told = new Map();
      one.newest = new Map();
    }
    this.#expectCalendars(at.resting);
    this.#expectNoOverlaps();
  }

  /** Expects that the guests of due bookings have been reminded. */
  expectReminded(bookings: readonly AuditedBooking[]): void {
    for (const booking of bookings) {
      const startMs = last(booking).startMs;
      for (const email of [booking.guest.email, ...booking.brought]) {
        if (!this.#reminded.has(`${email} ${booking.id} ${startMs}`) && !this.#isLimited(email, booking))
          this.#fault(`${email} was not reminded of ${this.#name(booking)}`);
      }
    }
  }

  /**
   * Expects each of a host's meetings after `fromMs` once in the host's calendar, and no other. Meetings that the host
   * deleted or moved may be over before the host decides about them.
   */
  expectCalendar(host: string, all: readonly string[], fromMs: number): void {
    const isAhead = (span: string) => Temporal.Instant.from(span.split('/')[0] ?? '').epochMilliseconds > fromMs;
    const spans = all.filter(isAhead);
    const sure = this.bookings().filter((one) => last(one).state === 'confirmed' && last(one).hosts.includes(host));
    const wanted = new Set(sure.map((one) => spanOf(last(one))).filter(isAhead));
    for (const span of wanted) if (!spans.includes(span)) this.#fault(`the calendar of ${host} lacks ${span}`);
    const left = spans.filter((span, n) => !wanted.has(span) || spans.indexOf(span) !== n);
    if (left.length > 0) this.#fault(`the calendar of ${host} has ${left.join()}, which is no meeting`);
  }

  /** No more mails have to go to a guest about a booking, but for the end of an invitation that they hold. */
  #isLimited(email: string, booking: AuditedBooking): boolean {
    if (this.#people.has(email) || last(booking).hosts.some((host) => this.#proved.has(`${email} ${host}`)))
      return false;
    if (this.#deaf.has(email)) return true;
    const isLapsed = this.#bookings.get(booking.id)?.lapsed.has(email) === true;
    const most = booking.brought.includes(email) ? mostOfBringing : mostOfHost;
    return isLapsed || (this.#handed.get(email) ?? 0) - (this.#before.get(email) ?? 0) >= most;
  }

  /** A mail that an address gets before anybody has confirmed it can be stopped, and so is counted. */
  #expectWithinLimit(mail: ToldMail): void {
    if (!mail.kind.startsWith('booking.') || !mail.everything.includes('/unsubscribe/')) return;
    const isEnd = mail.calendar?.method === 'CANCEL';
    const count = (this.#ofDay.get(mail.to) ?? 0) + (isEnd ? 0 : 1);
    this.#ofDay.set(mail.to, count);
    if (count > mostMails) this.#wrong(mail, 'is past the limit of its mailbox');
    if (isEnd && mail.kind === 'booking.withdrawn' && this.#mailbox(mail.to).meetings().length === 0)
      this.#wrong(mail, 'ends an invitation that its reader does not have');
  }

  #fault(what: string): void {
    this.faults.push(what);
  }

  #wrong({ kind, to, subject }: ToldMail, what: string): void {
    this.#fault(`${kind} to ${to} (“${subject}”): ${what}`);
  }

  #mailbox(email: string): KeptInvitations {
    const kept = this.#mailboxes.get(email) ?? new KeptInvitations();
    this.#mailboxes.set(email, kept);
    return kept;
  }

  #name({ id, guest, versions }: AuditedBooking): string {
    const story = versions.map(({ state, startMs }) => `${state} ${say(startMs)}`).join(' → ');
    return `${id.slice(0, 8)} of ${guest.email} (${story})`;
  }

  /** No mail holds a secret of somebody else. */
  #expectOwnTokens(mail: ToldMail): void {
    for (const { booking } of this.#bookings.values())
      if (booking.guest.email !== mail.to && mail.everything.includes(booking.token))
        this.#wrong(mail, `holds the token of ${this.#name(booking)}`);
  }

  #about({ key, to, everything, text }: ToldMail): Audited[] {
    const named = `${key} ${everything.match(/[?&]booking=[-0-9a-f]{36}/)?.[0] ?? ''}`;
    const ids = new Set(named.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g));
    const all = [...this.#bookings.values()];
    // dates of a series that a mail lists
    const isListed = ({ booking }: Audited, versions: readonly Version[]) => {
      const { zone } = this.#people.get(to) ?? booking.guest;
      const days = versions.map(({ startMs }) => momentOf(startMs, zone).day);
      return days.some((day) => text.includes(day) || text.includes(day.replace(/^(\w{3})\w* /, '$1 ')));
    };
    const found = all.filter(
      (one) =>
        ids.has(one.booking.id) ||
        (one.booking.seriesId !== null && ids.has(one.booking.seriesId) && isListed(one, one.booking.versions)),
    );
    if (found.length !== 1 || !/^Times:/m.test(text)) return found;
    const { seriesId } = found[0]?.booking ?? { seriesId: null };
    return all.filter(
      (one) =>
        found.includes(one) || (one.booking.seriesId === seriesId && isListed(one, one.booking.versions.slice(-1))),
    );
  }

  #hear(mail: ToldMail, { group, isStrict, hasWaited }: Auditing): void {
    const about = this.#about(mail);
    const what = mail.kind.slice('booking.'.length);
    if (about.length === 0) {
      this.#wrong(mail, 'is about no booking');
      return;
    }
    const reasons: string[] = [];
    let isTrue = false;
    for (const one of about) {
      const { booking } = one;
      const candidates = booking.versions
        .filter((version, n) => n === booking.versions.length - 1 || (!isStrict && version.group === group))
        .toReversed();
      const found = candidates.find((version) => {
        const reason = this.#whyUntrue(mail, what, one, version, { hasWaited, group });
        if (reason !== null) reasons.push(reason);
        return reason === null;
      });
      if (found === undefined) continue;
      isTrue = true;
      const link = whyWrongLink(
        mail,
        what,
        found,
        booking.seriesId === null ? [booking] : this.#ofSeries(booking),
        group,
      );
      if (link !== null) this.#wrong(mail, link);
      if (what === 'withdrawn' && !this.#isLimited(mail.to, booking)) this.#wrong(mail, 'its mailbox has room');
      const others = booking.seriesId === null ? [one] : this.#auditedOf(booking.seriesId);
      for (const other of what === 'withdrawn' ? others : [one]) this.#believe(mail.to, what, other, found);
      // an invitation in place of a reminder reminds too; one about a move does not
      const isReminder = mail.key.startsWith(`booking.confirmed:${booking.id}:${found.startMs}:`);
      const isNewInvitation = what === 'confirmed' && one.lapsed.delete(mail.to);
      // mails before it told of an invitation that had ended
      if (isNewInvitation) one.told.delete(mail.to);
      if (isNewInvitation && isReminder) this.#reminded.add(`${mail.to} ${booking.id} ${found.startMs}`);
      if (what === 'reminder') this.#remind(mail, booking, found);
      else if (what !== 'linked') one.newest.set(mail.to, newerOf(booking, one.newest.get(mail.to), found));
      if (what !== 'reminder' && what !== 'linked') one.told.set(mail.to, [...(one.told.get(mail.to) ?? []), what]);
    }
    if (!isTrue) this.#wrong(mail, [...new Set(reasons)].join(' or '));
  }

  /** A brought guest and the guest who brought them hear of a decline; nobody else does. */
  #hearDecline(mail: ToldMail): void {
    const about = new Set(this.#about(mail).map(({ booking }) => booking));
    const isLeft = mail.kind === 'booking.left';
    const decline = this.#declines.find(
      ({ address, booker, bookings }) =>
        bookings.some((one) => about.has(one)) &&
        (isLeft ? address === mail.to : booker === mail.to && mail.text.replaceAll('\u2060', '').includes(address)),
    );
    if (decline === undefined) this.#wrong(mail, 'nobody declined');
    else decline.heard.push(mail.kind);
  }

  #expectDeclinesTold(): void {
    for (const { address, booker, bookings, isKnown, heard } of this.#declines.splice(0)) {
      const [first] = bookings;
      if (first === undefined) continue;
      for (const { id } of bookings) {
        const audited = this.#bookings.get(id);
        audited?.beliefs.delete(address);
        audited?.before.delete(address);
        audited?.lapsed.delete(address);
      }
      const name = `the decline of ${address}: ${this.#name(first)}`;
      const [left, told] = ['booking.left', 'booking.guest-declined'].map(
        (kind) => heard.filter((one) => one === kind).length,
      );
      if (told !== 1 && !(told === 0 && this.#isLimited(booker, first)))
        this.#fault(`${booker} was told ${told} times of ${name}`);
      if (left !== 1 && !(left === 0 && (!isKnown || this.#deaf.has(address))))
        this.#fault(`${address} was told ${left} times of ${name}`);
    }
  }

  /** Each host of a booking gets what its guest writes, once. */
  #hearMessage(mail: ToldMail): void {
    const message = this.#messages.find(({ text }) => mail.text.includes(text));
    if (message === undefined) this.#wrong(mail, 'nobody wrote it');
    else message.heard.push(mail.to);
  }

  #expectMessagesTold(): void {
    for (const { booking, text, heard } of this.#messages.splice(0)) {
      const wanted = booking.versions.map(({ hosts }) => hosts.toSorted().join());
      if (!wanted.includes(heard.toSorted().join()))
        this.#fault(`“${text}” of ${this.#name(booking)} went to ${heard.join() || 'nobody'}`);
    }
  }

  /** A mail of a workflow names a meeting as it is, to somebody who takes part, once for each of its versions. */
  #hearWorkflow(mail: ToldMail, { group, isStrict }: Auditing): void {
    const { days, times } = momentsIn(mail.text);
    const state = mail.subject.startsWith('Off') ? 'cancelled' : 'confirmed';
    const nameOf = ({ id, versions }: AuditedBooking) => `workflow ${state} ${mail.to} ${id} ${versions.length}`;
    const meant = this.bookings().filter(({ id, guest, brought, versions }) => {
      const isLeft = this.#bookings.get(id)?.left.get(mail.to) === group;
      if (guest.email !== mail.to && !brought.includes(mail.to) && !isLeft) return false;
      return versions.some((version, n) => {
        const { day, time } = momentOf(version.startMs, guest.zone);
        // the state at the start of the group was valid until it changed
        const until = versions[n + 1]?.group;
        const isNow = until === undefined || (!isStrict && until === group);
        return isNow && version.state === state && days.has(day) && times.has(time);
      });
    });
    // a guest may have had, and lost, two bookings at one time
    const found = meant.find((one) => !this.#reminded.has(nameOf(one))) ?? meant[0];
    if (found === undefined) {
      this.#wrong(mail, `nothing of its reader is ${state} at ${[...days, ...times].join()}`);
      return;
    }
    const name = nameOf(found);
    if (this.#reminded.has(name)) this.#wrong(mail, 'comes a second time');
    this.#reminded.add(name);
  }

  #auditedOf = (seriesId: string) =>
    [...this.#bookings.values()].filter(({ booking }) => booking.seriesId === seriesId);

  #believe(email: string, what: string, { beliefs, lapsed }: Audited, { state, startMs, hosts }: Version): void {
    if (what === 'mail-wanted') return;
    if (what === 'withdrawn') {
      lapsed.add(email);
      beliefs.delete(email);
      return;
    }
    if (what === 'handed-over' || ended.includes(state) || what === 'cancelled') beliefs.delete(email);
    else beliefs.set(email, { state: state === 'pending' ? 'asked' : 'certain', startMs, hosts: hosts.join() });
  }

  /** Why a mail is not true of a version of a booking; null: it is. */
  #whyUntrue(
    mail: ToldMail,
    what: string,
    one: Audited,
    version: Version,
    { hasWaited, group }: Pick<Auditing, 'hasWaited' | 'group'>,
  ): string | null {
    const { booking, beliefs, left } = one;
    const { to, text, subject } = mail;
    const isHost = version.hosts.includes(to);
    const isBrought = booking.brought.includes(to) || left.get(to) === group;
    const isOut = what === 'handed-over' || what === 'cancelled' || what === 'withdrawn';
    // an invitation ends with what it was to, whatever becomes of the booking
    const states =
      isBrought && what === 'cancelled' ? [...ended, 'pending' as const] : (statesOf[what] ?? [version.state]);
    if (!states.includes(version.state)) return `the booking is ${version.state}`;
    if (what === 'handed-over' ? isHost : !isHost && !isBrought && booking.guest.email !== to)
      return 'its reader does not take part like that';
    const zone = (this.#people.get(to) ?? booking.guest).zone;
    const named = momentsIn(`${subject}\n${text}`);
    const known = beliefs.get(to);
    const isSeries = booking.seriesId !== null;
    const isHad =
      known !== undefined &&
      (what === 'handed-over' || what === 'withdrawn' || (isOut && !ended.includes(version.state)));
    const toldMs = isHad ? known.startMs : version.startMs;
    const told = momentOf(toldMs, zone);
    if (!isSeries && (!named.days.has(told.day) || !named.times.has(told.time)))
      return `it does not say ${told.day} ${told.time}`;
    // a reader who hears of it for the first time has no use for where it was
    const others = isSeries ? this.#ofSeries(booking) : [booking];
    const hasActed = booking.guest.email === to || booking.versions.some(({ by }) => by === to);
    const isNews = known === undefined && !isSeries && !hasWaited && !hasActed;
    const versions = isNews ? [version] : others.flatMap((other) => other.versions);
    const moments = versions.flatMap(({ startMs, endMs }) => [momentOf(startMs, zone), momentOf(endMs, zone)]);
    if (what === 'mail-wanted') {
      const until = momentOf(version.atMs + awaitMailMs, zone);
      if (!named.times.has(until.time)) return `it does not say ${until.time} as its end`;
      moments.push(until);
    }
    const strange = [
      ...[...named.days].filter((day) => !moments.some((moment) => moment.day === day)),
      ...[...named.times].filter((time) => !moments.some((moment) => moment.time === time)),
    ];
    if (strange.length > 0) return `it says ${strange.join()}, which is news to nobody`;
    if (!this.#people.has(to) && !isOut && what !== 'mail-wanted') {
      const missing = version.hosts.filter((host) => !text.includes(this.#people.get(host)?.name ?? host));
      if (missing.length > 0) return `it does not name ${missing.join()}`;
    }
    return null;
  }

  #ofSeries({ seriesId }: AuditedBooking): AuditedBooking[] {
    return this.bookings().filter((other) => other.seriesId === seriesId);
  }

  #remind(mail: ToldMail, booking: AuditedBooking, { startMs }: Version): void {
    const host = this.#people.get(mail.to);
    if (host?.wantsReminders === false) this.#wrong(mail, 'its reader has switched it off');
    const name = `${mail.to} ${booking.id} ${startMs}`;
    if (this.#reminded.has(name)) this.#wrong(mail, 'comes a second time');
    this.#reminded.add(name);
    if (host !== undefined && booking.isSession) this.#reminded.add(`${mail.to} session ${startMs}`);
  }

  /** Expects that everybody of a booking is reminded if one person is. */
  #expectRemindedTogether(mails: readonly ToldMail[]): void {
    const reminded = mails.filter(({ kind }) => kind === 'booking.reminder').flatMap((mail) => this.#about(mail));
    for (const { booking } of new Set(reminded)) {
      const { startMs, hosts } = last(booking);
      const wanting = hosts.filter((host) => this.#people.get(host)?.wantsReminders === true);
      for (const email of [booking.guest.email, ...booking.brought, ...wanting]) {
        const isDone =
          this.#isLimited(email, booking) ||
          this.#reminded.has(`${email} ${booking.id} ${startMs}`) ||
          this.#reminded.has(`${email} session ${startMs}`);
        if (!isDone) this.#fault(`others were reminded of ${this.#name(booking)}, ${email} was not`);
      }
    }
  }

  /** Expects that everybody of a booking was notified once of its current state. */
  #expectTold(one: Audited, { group, isStrict, hasWaited }: Auditing): void {
    const { booking, seen, beliefs, before, told } = one;
    const { versions, guest, brought } = booking;
    const now = last(booking);
    const fresh = versions.slice(seen);
    const earlier = versions.at(-2);
    const isEnded = ended.includes(now.state);
    const asked = isEnded ? earlier?.state === 'awaiting-mail' : now.state === 'awaiting-mail';
    const hosts = new Set([...before.keys()].filter((email) => this.#people.has(email)));
    for (const version of versions.slice(Math.max(0, seen - 1))) for (const host of version.hosts) hosts.add(host);
    const isSure = now.state === 'confirmed';
    for (const email of new Set([guest.email, ...brought, ...hosts])) {
      const count = told.get(email)?.length ?? 0;
      const isGuest = email === guest.email;
      const isHost = this.#people.has(email);
      const who = `${email} of ${this.#name(booking)}`;
      const truthOf = ({ state, hosts: team, startMs }: Version): Belief | null => {
        const isCertain = state === 'confirmed';
        const takesPart = isHost
          ? team.includes(email) && open.includes(state)
          : isGuest
            ? open.includes(state)
            : isCertain;
        return takesPart ? { state: isCertain ? 'certain' : 'asked', startMs, hosts: team.join() } : null;
      };
      const truth = truthOf(now);
      // the person who acted knows the result, unless a later change was announced to them
      const own = fresh.findLast(({ by }) => by === email);
      const newest = one.newest.get(email);
      if (own !== undefined && (newest === undefined || newerOf(booking, newest, own) === own)) {
        const known = truthOf(own);
        if (known === null) beliefs.delete(email);
        else beliefs.set(email, known);
      }
      const isLimited = this.#isLimited(email, booking);
      // a booking that went to another host and came back is as it was
      const isAsBefore = truth !== null && isSameBelief(before.get(email) ?? null, truth, isHost);
      if (isGuest && !asked && count === 0 && !isLimited && !isAsBefore) this.#fault(`${who} was not told`);
      if (isGuest && asked && isEnded && count > 0)
        this.#fault(`${who} was told of the end, but never showed to be there`);
      const belief = beliefs.get(email) ?? null;
      const isOpenQuestion = !isHost && !isGuest && now.state === 'pending';
      // past the limit somebody may not know of a meeting, but nobody believes in one that is not so
      const isKeptBack = isLimited && (this.#deaf.has(email) || belief?.state !== 'certain');
      if (isKeptBack && isSure) one.lapsed.add(email);
      if (!isOpenQuestion && !isKeptBack && !isSameBelief(belief, truth, isHost)) {
        this.#fault(
          `${who} believes ${tell(belief)}, and it is ${tell(truth)}; told: ${told.get(email)?.join() ?? '-'}`,
        );
        // one fault, once
        if (truth === null) beliefs.delete(email);
        else beliefs.set(email, truth);
      }
      // a move that rests and a mail that waits are sent in either order
      const isOnce = isStrict && !hasWaited && fresh.every((version) => version.group === group);
      if (count > (isOnce ? 1 : fresh.length)) this.#fault(`${who} was told too often: ${told.get(email)?.join()}`);
      if (isHost && count > 0 && fresh.every(({ by }) => by === email))
        this.#fault(`${who} was told of their own act: ${told.get(email)?.join()}`);
      // a host may hear of a request that ran out before they knew of it
      const isNoise = count === 1 && !before.has(email) && truth === null && told.get(email)?.[0] !== 'expired';
      if (!isGuest && isNoise && !hasWaited && now.by !== email)
        this.#fault(`${who} was told of what they never heard of: ${told.get(email)?.join()}`);
    }
    const all = new Set([guest.email, ...brought, ...one.left.keys(), ...hosts]);
    for (const [email, kinds] of told)
      if (!all.has(email)) this.#fault(`${email} has no part in ${booking.id}: ${kinds.join()}`);
  }

  /** The calendar of each guest has their meetings as they are: no other, none twice, with the link to each. */
  #expectCalendars(resting: ReadonlySet<string>): void {
    const bookings = this.bookings();
    const guests = bookings.flatMap(({ guest, brought }) => [guest.email, ...brought]);
    const leavers = [...this.#bookings.values()].flatMap(({ left }) => [...left.keys()]);
    for (const email of new Set([...guests, ...leavers]).difference(this.#deaf)) {
      const own = bookings.filter(({ guest, brought }) => guest.email === email || brought.includes(email));
      if (own.some(({ id }) => resting.has(id))) continue;
      const sure = own.filter((one) => last(one).state === 'confirmed');
      const left = this.#mailbox(email).meetings();
      for (const booking of sure) {
        const { startMs, endMs } = last(booking);
        const link = booking.links.findLast(({ until }) => until === null)?.url;
        const at = left.findIndex((one) => one.startMs === startMs && one.endMs === endMs);
        const [meeting] = at < 0 ? [] : left.splice(at, 1);
        if (this.#hasLapsed(email, booking)) continue;
        if (meeting === undefined) this.#once(`the calendar of ${email} lacks ${this.#name(booking)}`);
        else if (link !== undefined && !meeting.text.includes(link) && !this.#wereLimited.has(email))
          this.#once(`the calendar of ${email} has another link than ${link} for ${this.#name(booking)}`);
      }
      // until its host has answered, a meeting that was certain may be there still
      const waiting = own.filter((one) => last(one).state === 'pending').flatMap(({ versions }) => versions);
      for (const { startMs } of left)
        if (!waiting.some((version) => version.startMs === startMs))
          this.#once(
            `the calendar of ${email} has ${say(startMs)}, which is no meeting: ${own.map((one) => this.#name(one)).join('; ')}`,
          );
    }
  }

  #hasLapsed(email: string, { id, seriesId }: AuditedBooking): boolean {
    const some = seriesId === null ? [this.#bookings.get(id)] : this.#auditedOf(seriesId);
    return some.some((one) => one?.lapsed.has(email) === true);
  }

  #once(what: string): void {
    if (!this.faults.includes(what)) this.#fault(what);
  }

  /** Expects that nobody has two meetings at once, except guests of one session. */
  #expectNoOverlaps(): void {
    const standing = this.bookings().filter((one) => open.includes(last(one).state));
    for (const [n, one] of standing.entries()) {
      const own = last(one);
      for (const two of standing.slice(n + 1)) {
        const other = last(two);
        if (own.startMs >= other.endMs || other.startMs >= own.endMs) continue;
        if (one.isSession && two.isSession && own.startMs === other.startMs) continue;
        const both = own.hosts.filter((host) => other.hosts.includes(host));
        if (both.length > 0) this.#once(`${both.join()} is double-booked: ${this.#name(one)}, ${this.#name(two)}`);
      }
    }
  }
}

/** The later of two versions of a booking. */
const newerOf = ({ versions }: AuditedBooking, one: Version | undefined, other: Version): Version =>
  one === undefined || versions.indexOf(other) > versions.indexOf(one) ? other : one;

export function last({ versions }: AuditedBooking): Version {
  const version = versions.at(-1);
  if (version === undefined) throw new Error('a booking without a version');
  return version;
}

const spanOf = ({ startMs, endMs }: Version) =>
  [startMs, endMs]
    .map((ms) => Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'second' }))
    .join('/');

const tell = (belief: Belief | null) =>
  belief === null ? 'nothing' : `${belief.state} ${say(belief.startMs)} ${belief.hosts}`;

/** Hosts know their team; guests have to know who they meet. */
function isSameBelief(one: Belief | null, other: Belief | null, isHost: boolean): boolean {
  if (one === null || other === null) return one === other;
  return one.state === other.state && one.startMs === other.startMs && (isHost || one.hosts === other.hosts);
}

/** A link to join is told when the meeting is certain, and only the one that leads there. */
function whyWrongLink(
  mail: ToldMail,
  what: string,
  version: Version,
  bookings: readonly AuditedBooking[],
  group: number,
) {
  const links = new Set(
    mail.everything.match(/https:\/\/(?:meet\.google|teams\.microsoft|meet\.example)[^\s"<>\\&]*/g),
  );
  if (links.size === 0) return null;
  // hosts know their own place before
  if (version.hosts.includes(mail.to) && version.state === 'pending') return null;
  if (version.state !== 'confirmed' || what === 'cancelled')
    return `it leads into the call of a meeting that is ${version.state}`;
  if (what === 'handed-over') return 'it leads into a call that its reader has no part in';
  const right = bookings.flatMap((one) => one.links).filter(({ until }) => until === null || until === group);
  const wrong = [...links].filter((link) => !right.some(({ url }) => url === link));
  return wrong.length === 0 ? null : `it leads to ${wrong.join()}, not to ${right.map(({ url }) => url).join()}`;
}
