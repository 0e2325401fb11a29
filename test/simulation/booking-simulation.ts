import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { createClock } from '../../src/emulators/kit/clock.ts';
import { createRandom } from '../../src/emulators/kit/random.ts';
import { bookingContract } from '../../src/features/booking/contract.ts';
import { expireBookings } from '../../src/features/booking/expire-bookings.ts';
import { fetchLinks } from '../../src/features/booking/fetch-links.ts';
import { remindPeople } from '../../src/features/booking/remind-people.ts';
import type { Booked } from '../../src/features/booking/rules/booked-shape.ts';
import type { Made } from '../../src/features/booking/rules/booking-endpoints.ts';
import type { TypeSettings } from '../../src/features/booking/rules/type-settings.ts';
import { tellBooking } from '../../src/features/booking/tell-booking.ts';
import { verifyBookings } from '../../src/features/booking/verify-bookings.ts';
import { connectionsContract } from '../../src/features/connections/contract.ts';
import { syncContract } from '../../src/features/sync/contract.ts';
import { sendDue } from '../../src/features/workflows/runs/sending.ts';
import type { TeamId } from '../../src/kernel/ids.ts';
import { sweepMails } from '../../src/platform/mail-delivery.ts';
import { occurrencesAtGoogle, occurrencesAtMicrosoft } from '../e2e/read-standing.ts';
import { type Bookable, insertBookable } from '../harness/bookable.ts';
import { insertTeam, insertTeamType } from '../harness/bookable-team.ts';
import { builtPages } from '../harness/built-pages.ts';
import { type FixedClock, fixedClock } from '../harness/fixed-clock.ts';
import { freePort } from '../harness/free-port.ts';
import { giveConsent } from '../harness/give-consent.ts';
import { launchOAuthProviders, type OAuthProviders } from '../harness/oauth-providers.ts';
import { startSmtpServer, type TestSmtpServer } from '../harness/smtp-server.ts';
import { startTestApp, type TestApp } from '../harness/test-app.ts';
import { signUpUser, type TestUser } from '../harness/test-client.ts';
import { waitFor } from '../harness/wait-for.ts';
import { type AuditedBooking, BookingAuditor, last, type Person, type ToldMail } from './booking-auditor.ts';
import { readMail } from './read-mail.ts';

/**
 * Guests book, bring others who decline, move, cancel, write, and stop mails, with hosts who confirm, decline, move, reassign,
 * hand over, mark no-shows, switch reminders off, and change events in their own calendars, while processes come and go, mails wait in the outbox, jobs run twice or late, and providers
 * lose answers. After each group of acts an auditor compares the mails that arrived with the acts.
 */

export interface BookingHistory {
  /** The acts in their order. */
  story: string[];
  faults: string[];
}

/** Plays one history. Its acts follow from the seed; the order of what runs at once does not. */
export async function simulateBookings(seed: number, groups: number): Promise<BookingHistory> {
  const simulation = await BookingSimulation.start(seed);
  try {
    return await simulation.play(groups);
  } finally {
    await simulation.close();
  }
}

interface Host extends Person {
  user: TestUser;
}

interface Offer extends Bookable {
  name: string;
  hosts: readonly Host[];
  /** Team and its owner, who acts for its hosts. */
  teamId: TeamId | null;
  owner: Host | null;
  isSession: boolean;
  series: boolean;
  brings: boolean;
}

interface Standing {
  offer: Offer;
  audited: AuditedBooking;
  sequence: number;
}

interface Resting {
  isStrict: boolean;
  hasWaited: boolean;
  isPatient: boolean;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const { signal } = new AbortController();

/** In English, whose dates the auditor reads; each in a zone of their own. */
const guestsOf: readonly Omit<Person, 'wantsReminders'>[] = [
  { email: 'gus@example.net', name: 'Gus Guest', zone: 'Asia/Tokyo' },
  { email: 'hanna@example.net', name: 'Hanna Hill', zone: 'Europe/Berlin' },
  { email: 'ivo@example.net', name: 'Ivo Ilic', zone: 'America/Los_Angeles' },
  { email: 'june@example.net', name: 'June Jay', zone: 'Asia/Kolkata' },
  { email: 'kim@example.net', name: 'Kim Koh', zone: 'Pacific/Auckland' },
];

class BookingSimulation {
  readonly #random: () => number;
  readonly #clock: FixedClock;
  readonly #smtp: TestSmtpServer;
  readonly #oauth: OAuthProviders;
  readonly #server: TestApp;
  readonly #openWorker: () => Promise<TestApp>;
  readonly #auditor: BookingAuditor;
  readonly #hosts: readonly Host[];
  readonly #offers: readonly Offer[];
  readonly #standing: Standing[] = [];
  readonly #history: BookingHistory = { story: [], faults: [] };
  /** Bookings whose guest moved them twice in a short time: the second mail waits. */
  readonly #resting = new Set<string>();
  /** Bookings whose event somebody changed in their calendar, by the address of that host. */
  readonly #touched = new Map<string, string>();
  #workers: TestApp[] = [];
  #group = 0;
  #heard = 0;
  #network = 0;

  private constructor(world: {
    random: () => number;
    clock: FixedClock;
    smtp: TestSmtpServer;
    oauth: OAuthProviders;
    server: TestApp;
    openWorker: () => Promise<TestApp>;
    hosts: readonly Host[];
    offers: readonly Offer[];
  }) {
    this.#random = world.random;
    this.#clock = world.clock;
    this.#smtp = world.smtp;
    this.#oauth = world.oauth;
    this.#server = world.server;
    this.#openWorker = world.openWorker;
    this.#hosts = world.hosts;
    this.#offers = world.offers;
    this.#auditor = new BookingAuditor(world.hosts);
  }

  static async start(seed: number): Promise<BookingSimulation> {
    const random = createRandom(seed);
    const clock = fixedClock('2027-03-08T13:00:00Z');
    const smtp = await startSmtpServer();
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    const oauth = await launchOAuthProviders(publicUrl, () => createClock(null, () => clock.nowMs()));
    for (const { control } of [oauth.google, oauth.microsoft]) await control.deliver({ do: 'lose', share: 1 });
    const options = {
      clock,
      encryptionKeys: `test:${randomBytes(32).toString('base64')}`,
      http: { requestsPerMinute: 1_000_000, pageRoot: await builtPages() },
      config: { port, publicUrl, smtpUrl: smtp.url, ...oauth.config },
    };
    const server = await startTestApp({ ...options, role: 'web' });
    await server.listen();
    const openWorker = () => startTestApp({ ...options, role: 'worker', database: server.database });
    const { hosts, offers } = await inviteHosts(server, oauth, random);
    const simulation = new BookingSimulation({ random, clock, smtp, oauth, server, openWorker, hosts, offers });
    simulation.#workers = [await openWorker()];
    await server.settle();
    smtp.received.length = 0;
    simulation.#say(`seed ${seed}, it is ${clock.now().toString()}`);
    return simulation;
  }

  async close(): Promise<void> {
    for (const worker of this.#workers) await worker.close();
    await this.#server.close();
    await this.#oauth.close();
    await this.#smtp.close();
  }

  async play(groups: number): Promise<BookingHistory> {
    for (let n = 0; n < groups; n += 1) await this.#playGroup();
    await this.#heal();
    this.#history.faults = this.#auditor.faults;
    return this.#history;
  }

  #say(what: string): void {
    this.#history.story.push(what);
  }

  #chance = (share: number) => this.#random() < share;
  #pick = <T>(list: readonly T[]): T => list[Math.floor(this.#random() * list.length)] as T;

  async #playGroup(): Promise<void> {
    this.#group += 1;
    if (this.#chance(0.4)) {
      await sql`update platform.recipients set since = since - interval '24 hours'`.execute(this.#server.app.db);
      this.#auditor.beginDay();
      this.#say('a day of mails begins');
    }
    const mode = this.#pick(['at once', 'at once', 'at once', 'no worker', 'no mail server'] as const);
    this.#say(`— group ${this.#group}, ${mode}`);
    if (mode === 'no worker') await this.#stopWorkers();
    if (mode === 'no mail server')
      this.#smtp.next(...Array.from({ length: 100 }, () => ({ at: 'mail' as const, answer: '451 4.3.0 try later' })));
    if (this.#chance(0.3)) this.#loseAnswers();
    const acts = 1 + Math.floor(this.#random() * 3);
    for (let n = 0; n < acts; n += 1) {
      this.#clock.advance({ milliseconds: 1 });
      await this.#act();
    }
    if (mode === 'no mail server') {
      await this.#server.settle();
      this.#smtp.recover();
    }
    if (this.#workers.length === 0) this.#workers = [await this.#openWorker()];
    if (this.#workers.length === 1 && this.#chance(0.15)) {
      this.#workers.push(await this.#openWorker());
      this.#say('a second process begins');
    } else if (this.#workers.length === 2 && this.#chance(0.2)) {
      await this.#workers.shift()?.close();
      this.#say('a process ends');
    }
    const isPatient = this.#resting.size > 0 && this.#chance(0.5);
    const isStrict = mode !== 'at once' && this.#touched.size === 0;
    await this.#rest({ isStrict, hasWaited: mode === 'no mail server', isPatient });
    if (this.#chance(0.5)) await this.#passTime();
  }

  async #stopWorkers(): Promise<void> {
    for (const worker of this.#workers.splice(0)) await worker.close();
  }

  /** Providers fail, or do what they were asked and say nothing. */
  #loseAnswers(): void {
    const [one, op] = this.#pick([
      [this.#oauth.google, 'events.insert'],
      [this.#oauth.google, 'events.patch'],
      [this.#oauth.google, 'events.delete'],
      [this.#oauth.microsoft, 'create-event'],
      [this.#oauth.microsoft, 'update-event'],
      [this.#oauth.microsoft, 'delete-event'],
    ] as const);
    const effect = this.#pick([{ kind: 'reset' }, { kind: 'status', status: 500 }] as const);
    one.emulator.addFault({ op, effect, phase: this.#pick(['before', 'after'] as const) });
    this.#say(`${op} fails: ${effect.kind}`);
  }

  // Rest and audit

  /** Everything that can be done now is done, then the auditor looks. `isPatient`: moves that wait for the next go on waiting. */
  async #rest({ isStrict, hasWaited, isPatient }: Resting): Promise<void> {
    await this.#settle(isPatient);
    await fetchLinks(this.#server.app, signal);
    const apps = [this.#server.app, ...this.#workers.map(({ app }) => app)];
    await Promise.all(apps.map((app) => sendDue(app, 'mail', signal)));
    if (this.#chance(0.3)) await this.#repeatJobs();
    await this.#settle(isPatient);
    if (!isPatient) this.#resting.clear();
    await this.#noteTouched();
    await this.#look();
    const received = this.#smtp.received.slice(this.#heard);
    this.#heard = this.#smtp.received.length;
    const { rows } = await sql<{ id: string; kind: string; key: string; to: string }>`
      select message_id as id, kind, key, recipient as "to" from platform.mails`.execute(this.#server.app.db);
    const outbox = new Map(rows.map((row) => [row.id, row]));
    const mails = received.map((one): ToldMail => {
      const mail = readMail(one);
      const { kind = '', key = '' } = outbox.get(mail.messageId) ?? {};
      return { ...mail, kind, key };
    });
    for (const { kind, to, subject } of mails) this.#say(`  ✉ ${kind} to ${to}: ${subject}`);
    const limits = { outbox: rows, proved: await this.#listProved(), touched: new Set(this.#touched.values()) };
    this.#auditor.audit(mails, { group: this.#group, isStrict, hasWaited, resting: this.#resting, ...limits });
  }

  /** Guests whose address is confirmed with a host: the addresses of both. */
  async #listProved(): Promise<Set<string>> {
    const { rows } = await sql<{ pair: string }>`
      select distinct b.guest_email || ' ' || u.email as pair
      from booking.bookings b join accounts.users u on u.id = b.user_id
      where b.mail_confirmed_ms is not null`.execute(this.#server.app.db);
    return new Set(rows.map(({ pair }) => pair));
  }

  /** Jobs that wait for a moment are due now. */
  async #settle(isPatient: boolean): Promise<void> {
    const { db } = this.#server.app;
    await waitFor(
      'an empty job queue',
      async () => {
        await this.#server.settle();
        const isTold = isPatient ? sql`not data @> '{"rested": true}'` : sql`true`;
        const { numAffectedRows = 0n } = await sql`
          update jobs.job set start_after = now() - interval '1 second'
          where name in ('booking.tell', 'mail.deliver') and state < 'active' and start_after > now()
            and ${isTold}`.execute(db);
        await sql`update platform.mails set next_attempt_at = now() - interval '1 minute'
          where state = 'queued' and next_attempt_at > now()`.execute(db);
        await this.#server.settle();
        if (numAffectedRows > 0n) return false;
        if (isPatient) return true;
        // a mail that was delayed waits longer than the move that it is delayed for, and has no job of its own
        const { numAffectedRows: delayed = 0n } = await sql`
          update platform.mails set not_before = null where not_before is not null`.execute(db);
        await this.#server.app.jobs.send(sweepMails, {});
        await this.#server.settle();
        return delayed === 0n;
      },
      { timeoutMs: 60_000, intervalMs: 20 },
    );
  }

  /** A change is told again, by a job that ran before. */
  async #repeatJobs(): Promise<void> {
    const { app } = this.#server;
    const { rows } = await sql<{ bookingId: string; what: string; sequence: number }>`
      select booking_id as "bookingId", kind as what, (details ->> 'sequence')::int as sequence from booking.audit
      where kind in ('mail-wanted', 'requested', 'confirmed', 'rescheduled', 'reassigned', 'declined', 'cancelled', 'expired')
      order by id desc limit 20`.execute(app.db);
    const { bookingId, what, sequence } = rows[Math.floor(this.#random() * rows.length)] ?? {};
    if (bookingId === undefined || this.#resting.has(bookingId)) return;
    await tellBooking(app, { bookingId, what, sequence } as Parameters<typeof tellBooking>[1], { mayWait: false });
    this.#say(`${what} of ${bookingId.slice(0, 8)} is told again`);
  }

  /** Reads the pages of what can change still. A change that nobody made is a fault. */
  async #look(): Promise<void> {
    for (const one of this.#standing) {
      if (!['awaiting-mail', 'pending', 'confirmed'].includes(last(one.audited).state)) continue;
      const booked = await this.#read(one.audited.token);
      if (booked.sequence !== one.sequence || booked.state !== last(one.audited).state)
        this.#auditor.faults.push(`${one.audited.id} became ${booked.state} (${booked.sequence}), and nobody did it`);
      this.#noteLink(one, booked);
    }
  }

  async #read(token: string): Promise<Booked> {
    const response = await this.#server.inject({ url: `/api/booked/${token}` });
    return response.json<{ booking: Booked }>().booking;
  }

  #noteLink({ audited }: Standing, { join_url: url }: Booked): void {
    const known = audited.links.findLast(({ until }) => until === null);
    if (known?.url === url || (known === undefined && url === null)) return;
    if (known !== undefined) known.until = this.#group;
    if (url !== null) audited.links.push({ url, until: null });
  }

  // Time

  async #passTime(): Promise<void> {
    const roll = this.#random();
    if (roll < 0.4) this.#clock.advance({ minutes: 1 + Math.floor(this.#random() * 20) });
    else if (roll < 0.6) this.#clock.advance({ minutes: 35 });
    else if (roll < 0.7) this.#clock.advance({ hours: 2 });
    else if (roll < 0.8) this.#passStart();
    else await this.#meetReminder();
    this.#group += 1;
    this.#say(`it is ${this.#clock.now().toString()}`);
    await this.#expire();
    await this.#rest({ isStrict: true, hasWaited: false, isPatient: false });
  }

  /** The next meeting has begun. */
  #passStart(): void {
    const starts = this.#standing.map(({ audited }) => last(audited)).filter(({ state }) => state === 'confirmed');
    const startMs = Math.min(...starts.map((one) => one.startMs).filter((ms) => ms > this.#clock.nowMs()));
    if (Number.isFinite(startMs)) this.#clock.set(Temporal.Instant.fromEpochMilliseconds(startMs + 5 * minuteMs));
  }

  /** Whatever ran out is given back, by two processes at once. */
  async #expire(): Promise<void> {
    // retry the writes that a calendar refused
    await sql`update jobs.job set start_after = now() where name = 'edits.write-edits' and state < 'active'`.execute(
      this.#server.app.db,
    );
    const apps = [this.#server.app, ...this.#workers.map(({ app }) => app)];
    await Promise.allSettled(apps.map((app) => expireBookings(app)));
    await this.#noteChanges(this.#standing, null);
    if (this.#chance(0.3)) await verifyBookings(this.#server.app, signal);
  }

  /** A day before some meeting, all processes remind of it at once. */
  async #meetReminder(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const dayMs = 24 * hourMs;
    const due = this.#standing
      .map(({ audited }) => last(audited))
      .filter(
        ({ state, startMs, atMs }) => state === 'confirmed' && startMs - dayMs > nowMs && startMs - atMs > 26 * hourMs,
      )
      .toSorted((one, other) => one.startMs - other.startMs);
    const [next] = due;
    if (next === undefined) return;
    if (this.#chance(0.3)) await this.#switchReminders();
    this.#clock.set(Temporal.Instant.fromEpochMilliseconds(next.startMs - dayMs + 30_000));
    await this.#expire();
    const reminded = this.#standing.filter(({ audited }) => {
      const { state, startMs, arrangedMs } = { ...last(audited), arrangedMs: arrangedOf(audited) };
      return state === 'confirmed' && startMs === next.startMs && startMs - arrangedMs > 26 * hourMs;
    });
    const apps = [this.#server.app, ...this.#workers.map(({ app }) => app)];
    await Promise.allSettled(apps.map((app) => remindPeople(app, signal)));
    await remindPeople(this.#server.app, signal);
    this.#group += 1;
    await this.#rest({ isStrict: true, hasWaited: false, isPatient: false });
    this.#auditor.expectReminded(reminded.map(({ audited }) => audited));
    this.#say(`all were reminded of ${new Date(next.startMs).toISOString()}`);
  }

  /** A host switches mails about what is soon off, or on. */
  async #switchReminders(): Promise<void> {
    const host = this.#pick(this.#hosts);
    host.wantsReminders = !host.wantsReminders;
    await sql`update accounts.users set notifications = notifications ||
      jsonb_build_object('bookingReminders', ${host.wantsReminders}::boolean) where id = ${host.user.userId}`.execute(
      this.#server.app.db,
    );
    this.#say(`${host.email} wants ${host.wantsReminders ? '' : 'no '}reminders`);
  }

  // Acts

  async #act(): Promise<void> {
    const roll = this.#random();
    if (roll < 0.04) return this.#markNoShow();
    if (roll < 0.08) {
      await this.#answerQuestion(this.#pick(this.#hosts));
      return;
    }
    const one = this.#openOne();
    if (one === undefined || roll < 0.35) return this.#book();
    const { state } = last(one.audited);
    if (state === 'awaiting-mail') return this.#prove(one);
    const other = this.#random();
    if (other < 0.06) return this.#declineAsBrought();
    if (other < 0.1) return this.#write(one);
    if (other < 0.13) return this.#handOver(one);
    if (other < 0.14) return this.#stopMails();
    if (roll < 0.5) return this.#moveAsGuest(one);
    if (state === 'pending' && roll < 0.8) return this.#answer(one);
    if (roll < 0.56) return this.#touchCalendar(one);
    if (roll < 0.62) return this.#moveAsHost(one);
    if (roll < 0.72) return this.#reassign(one);
    if (roll < 0.84) return this.#cancelAsGuest(one);
    if (roll < 0.93) return this.#cancelAsHost(one);
    return this.#prove(one);
  }

  #openOne(): Standing | undefined {
    const soonMs = this.#clock.nowMs();
    const some = this.#standing.filter(
      ({ audited }) =>
        ['awaiting-mail', 'pending', 'confirmed'].includes(last(audited).state) && last(audited).startMs > soonMs,
    );
    return some[Math.floor(this.#random() * some.length)];
  }

  /** Whatever an act changed: of its booking, its series, and its session. */
  async #noteChanges(among: readonly Standing[], by: string | null): Promise<void> {
    for (const one of among) {
      const { audited, offer } = one;
      if (!['awaiting-mail', 'pending', 'confirmed'].includes(last(audited).state)) continue;
      const booked = await this.#read(audited.token);
      if (booked.sequence === one.sequence && booked.state === last(audited).state) continue;
      one.sequence = booked.sequence;
      // a move right after another one is told together with the next
      if (booked.start * minuteMs !== last(audited).startMs) this.#resting.add(audited.id);
      audited.versions.push({
        group: this.#group,
        state: booked.state,
        ...timesOf(booked),
        hosts: hostsOf(offer, booked),
        by,
        atMs: this.#clock.nowMs(),
      });
      this.#noteLink(one, booked);
    }
  }

  #sendAs(person: Host | null, url: string, payload: object, headers: Record<string, string> = {}) {
    this.#network += 1;
    return this.#server.inject({
      method: 'POST',
      url,
      payload,
      remoteAddress: `10.0.${(this.#network >> 8) & 255}.${this.#network & 255}`,
      headers: { ...headers, ...(person === null ? {} : { authorization: `Bearer ${person.user.token}` }) },
    });
  }

  /** Minutes since the epoch, where all hosts are open. */
  #someStart(): number {
    const zone = 'America/New_York';
    const today = this.#clock.now().toZonedDateTimeISO(zone).toPlainDate();
    let day = today.add({ days: 1 + Math.floor(this.#random() * 4) });
    while (day.dayOfWeek > 5) day = day.add({ days: 1 });
    const time = this.#pick(['09:00', '09:30', '10:00', '10:30', '11:00']);
    return day.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds / minuteMs;
  }

  async #book(): Promise<void> {
    const offer = this.#pick(this.#offers);
    const guest: Person = { ...this.#pick(guestsOf), wantsReminders: true };
    const others = guestsOf.filter(({ email }) => email !== guest.email);
    const brought = offer.brings && this.#chance(0.5) ? others.slice(0, 1 + Math.floor(this.#random() * 3)) : [];
    const start = this.#someStart();
    const holdId = this.#chance(0.3) ? randomUUID() : undefined;
    const times = offer.series ? 3 : undefined;
    if (holdId !== undefined) {
      const held = await this.#sendAs(null, `${offer.path}/holds`, {
        start,
        hold_id: holdId,
        ...(times ? { times } : {}),
      });
      this.#say(`${guest.email} holds ${sayMinutes(start)} of ${offer.name}: ${held.statusCode}`);
      if (this.#chance(0.2)) return;
    }
    const payload = {
      start,
      name: guest.name,
      email: guest.email,
      zone: guest.zone,
      language: 'en',
      guests: brought.map(({ email }) => email),
      ...(holdId === undefined ? {} : { hold_id: holdId }),
      ...(times === undefined ? {} : { times }),
    };
    const key = { 'idempotency-key': randomUUID() };
    const book = () => this.#sendAs(null, `${offer.path}/bookings`, payload, key);
    // the answer is lost once, or two clicks come at once
    const answers = this.#chance(0.3) ? await Promise.all([book(), book()]) : [await book()];
    const response = answers.find(({ statusCode }) => statusCode === 201) ?? answers[0];
    this.#say(
      `${guest.email} books ${sayMinutes(start)} of ${offer.name} with ${brought.length}: ${answers.map((one) => one.statusCode).join()} ${response?.statusCode === 201 ? '' : (response?.body.slice(0, 120) ?? '')}`,
    );
    if (response?.statusCode !== 201) return;
    for (const { booking, token } of response.json<Made>().bookings) {
      const { rows } = await sql<{ id: string; seriesId: string | null }>`
        select id, series_id as "seriesId" from booking.bookings where uid = ${booking.uid}`.execute(
        this.#server.app.db,
      );
      const [row] = rows;
      if (row === undefined || this.#standing.some(({ audited }) => audited.id === row.id)) continue;
      const audited: AuditedBooking = {
        ...row,
        token,
        isSession: offer.isSession,
        guest,
        brought: brought.map(({ email }) => email),
        versions: [
          {
            group: this.#group,
            state: booking.state,
            ...timesOf(booking),
            hosts: hostsOf(offer, booking),
            by: guest.email,
            atMs: this.#clock.nowMs(),
          },
        ],
        links: booking.join_url === null ? [] : [{ url: booking.join_url, until: null }],
      };
      this.#standing.push({ offer, audited, sequence: booking.sequence });
      this.#auditor.add(audited);
    }
  }

  /** The newest mail that asks for a proof is followed. */
  async #prove({ audited: { guest } }: Standing): Promise<void> {
    const links = this.#smtp.received.filter(({ to }) => to.includes(guest.email)).flatMap(({ links: all }) => all);
    const link = links.findLast((one) => one.includes('?proof='));
    if (link === undefined) return;
    const { pathname, searchParams } = new URL(link);
    const url = `/api${pathname}/confirm`;
    const { statusCode } = await this.#sendAs(null, url, { proof: searchParams.get('proof') });
    this.#say(`${guest.email} follows the link of a mail: ${statusCode}`);
    if (statusCode === 200) this.#auditor.noteResume(guest.email);
    await this.#noteChanges(
      this.#standing.filter(({ audited }) => audited.guest.email === guest.email),
      guest.email,
    );
  }

  #sendForm(url: string, form: Record<string, string>) {
    this.#network += 1;
    return this.#server.inject({
      method: 'POST',
      url,
      payload: new URLSearchParams(form).toString(),
      remoteAddress: `10.0.${(this.#network >> 8) & 255}.${this.#network & 255}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    });
  }

  #linksTo = (email: string) =>
    this.#smtp.received.filter(({ to }) => to.includes(email)).flatMap(({ links }) => links);

  /** A guest who was brought along declines by the link of some mail. */
  async #declineAsBrought(): Promise<void> {
    const { email } = this.#pick(guestsOf);
    const links = this.#linksTo(email).filter((one) => one.includes('/invite/'));
    const link = links[Math.floor(links.length * (1 - this.#random() ** 3))];
    if (link === undefined) return;
    const { pathname } = new URL(link);
    const decline = () => this.#sendForm(pathname, {});
    const answers = this.#chance(0.2) ? await Promise.all([decline(), decline()]) : [await decline()];
    const { rows } = await sql<{ id: string; guests: string[] }>`
      select id, guests from booking.bookings`.execute(this.#server.app.db);
    const guestsNow = new Map(rows.map(({ id, guests }) => [id, guests]));
    const left = this.#standing
      .map(({ audited }) => audited)
      .filter(({ id, brought }) => brought.includes(email) && guestsNow.get(id)?.includes(email) === false);
    for (const one of left) one.brought = one.brought.filter((address) => address !== email);
    this.#auditor.noteDecline(email, left, this.#group);
    this.#say(
      `${email} declines ${left.map(({ id }) => id.slice(0, 8)).join() || 'nothing'}: ${answers.map(({ statusCode }) => statusCode).join()}`,
    );
  }

  /** A guest writes to the hosts by the form of the booking's page. */
  async #write({ audited }: Standing): Promise<void> {
    const text = `Message ${this.#network} of ${audited.guest.name}.`;
    const { statusCode } = await this.#sendForm(`/booked/${audited.token}/message`, { text });
    this.#say(`${audited.guest.email} writes “${text}” about ${audited.id.slice(0, 8)}: ${statusCode}`);
    if (statusCode === 200 || statusCode === 303) this.#auditor.noteMessage(audited, text);
  }

  /** A guest stops all mails by the link of one, or has them sent again. */
  async #stopMails(): Promise<void> {
    const { email } = this.#pick(guestsOf);
    const link = this.#linksTo(email).findLast((one) => one.includes('/unsubscribe/'));
    if (link === undefined) return;
    const { pathname } = new URL(link);
    const { rows } = await sql`select from platform.recipients where id::text = ${pathname.split('/').at(-1)}`.execute(
      this.#server.app.db,
    );
    // the link of a workflow stops the mails of one host
    if (rows.length === 0) return;
    const isAgain = this.#chance(0.3);
    const { statusCode } = await this.#sendForm(
      pathname,
      isAgain ? { again: 'yes' } : { 'List-Unsubscribe': 'One-Click' },
    );
    if (isAgain) this.#auditor.noteResume(email);
    else this.#auditor.noteStop(email, this.#group);
    this.#say(`${email} ${isAgain ? 'wants mails again' : 'stops mails'}: ${statusCode}`);
  }

  /** The owner of a team gives all that is to come of a host to another one. */
  async #handOver(one: Standing): Promise<void> {
    const { owner, teamId, hosts } = one.offer;
    if (owner === null) return this.#moveAsHost(one);
    const from = hosts.find(({ email }) => email === this.#pick(last(one.audited).hosts));
    const to = this.#pick(hosts.filter((host) => host !== from));
    const payload = { from: from?.user.userId, ...(this.#chance(0.5) ? { to: to.user.userId } : {}) };
    const response = await this.#sendAs(owner, `/api/teams/${teamId}/hand-over`, payload);
    this.#say(`${owner.email} hands over what is ${from?.email}'s: ${response.statusCode} ${response.body}`);
    await this.#noteChanges(this.#standing, owner.email);
  }

  async #moveAsGuest(one: Standing): Promise<void> {
    const { audited, sequence } = one;
    const start = this.#someStart();
    const response = await this.#sendAs(null, `/api/booked/${audited.token}/reschedule`, { start, sequence });
    this.#say(`${audited.guest.email} moves ${audited.id.slice(0, 8)} to ${sayMinutes(start)}: ${response.statusCode}`);
    await this.#noteChanges(this.#mates(one), audited.guest.email);
  }

  /** Returns someone who can act as host; a team's owner can, too. */
  #actorOf({ offer, audited }: Standing): Host {
    const hosts = offer.hosts.filter(({ email }) => last(audited).hosts.includes(email));
    return this.#pick(offer.owner === null ? hosts : [...hosts, offer.owner]);
  }

  #mates({ offer }: Standing): Standing[] {
    return this.#standing.filter((other) => other.offer === offer);
  }

  async #asHost(one: Standing, act: string, payload: object): Promise<void> {
    const actor = this.#actorOf(one);
    const { id } = one.audited;
    const ask = () => this.#sendAs(actor, `/api/bookings/${id}/${act}`, payload);
    const answers = this.#chance(0.2) ? await Promise.all([ask(), ask()]) : [await ask()];
    this.#say(
      `${actor.email} ${act} ${id.slice(0, 8)} ${JSON.stringify(payload)}: ${answers.map(({ statusCode }) => statusCode).join()}`,
    );
    await this.#noteChanges(this.#mates(one), actor.email);
  }

  async #moveAsHost(one: Standing): Promise<void> {
    const start = this.#someStart();
    await this.#asHost(one, 'reschedule', {
      start,
      sequence: one.sequence,
      ...(this.#chance(0.2) ? { anyway: true } : {}),
    });
  }

  #answer(one: Standing): Promise<void> {
    const series = one.audited.seriesId !== null && this.#chance(0.5) ? { series: true } : {};
    return this.#asHost(one, this.#pick(['confirm', 'confirm', 'decline']), series);
  }

  async #reassign(one: Standing): Promise<void> {
    if (one.offer.owner === null) return this.#moveAsHost(one);
    const { hosts } = last(one.audited);
    const from = one.offer.hosts.find(({ email }) => email === this.#pick(hosts));
    await this.#asHost(one, 'reassign', { sequence: one.sequence, from: from?.user.userId });
  }

  async #cancelAsGuest(one: Standing): Promise<void> {
    const { audited } = one;
    const payload = { reason: 'Ill', ...(audited.seriesId !== null && this.#chance(0.5) ? { following: true } : {}) };
    const cancel = () => this.#sendAs(null, `/api/booked/${audited.token}/cancel`, payload);
    const answers = this.#chance(0.2) ? await Promise.all([cancel(), cancel()]) : [await cancel()];
    this.#say(
      `${audited.guest.email} cancels ${audited.id.slice(0, 8)} ${JSON.stringify(payload)}: ${answers.map(({ statusCode }) => statusCode).join()}`,
    );
    await this.#noteChanges(this.#mates(one), audited.guest.email);
  }

  #cancelAsHost(one: Standing): Promise<void> {
    const { isSession } = one.offer;
    const isSeries = one.audited.seriesId !== null;
    const more = isSession ? { everyone: true } : isSeries ? { following: true } : {};
    return this.#asHost(one, 'cancel', this.#chance(0.5) ? more : {});
  }

  /** A host says of a meeting that has begun who did not come. */
  async #markNoShow(): Promise<void> {
    const some = this.#standing.filter(
      ({ audited }) => last(audited).state === 'confirmed' && last(audited).startMs <= this.#clock.nowMs(),
    );
    if (some.length === 0) return;
    const payload = { who: this.#pick(['guest', 'guest', 'host'] as const), no_show: this.#chance(0.8) };
    await this.#asHost(this.#pick(some), 'no-show', payload);
  }

  // Calendars of hosts

  /** A host moves or deletes the event of a booking where it is in their own calendar. */
  async #touchCalendar(one: Standing): Promise<void> {
    const { id } = one.audited;
    const { rows } = await sql<{ ref: string; accountId: string; email: string }>`
      select i.ref, c.connection_id as "accountId", u.email from booking.bookings b
        join booking.appointments a on a.id = b.appointment_id
        join calendar.items i on i.id = a.item_id and i.gone_at is null
        join connections.calendars c on c.id = a.calendar_id
        join accounts.users u on u.id = a.user_id
      where b.id = ${id}`.execute(this.#server.app.db);
    const [event] = rows;
    if (event === undefined || one.offer.isSession) return this.#moveAsHost(one);
    const { ref, accountId, email } = event;
    const isDeleted = this.#chance(0.4);
    const minutes = this.#pick([30, 60, 90]);
    const [google, microsoft] = [this.#oauth.google.control, this.#oauth.microsoft.control];
    const change = isDeleted ? ({ do: 'delete' } as const) : ({ do: 'move', minutes } as const);
    if (email === 'ada@example.org') await google.act({ account: 'ada@google.example', pick: ref, ...change });
    else if (email === 'ben@example.org')
      await microsoft.act({ account: 'ben@microsoft.example', event: ref, ...change });
    else return this.#moveAsHost(one);
    this.#say(`${email} ${isDeleted ? 'deletes' : `moves by ${minutes} min`} the event of ${id.slice(0, 8)}`);
    this.#touched.set(id, email);
    await this.#sync(email, accountId);
    if (this.#workers.length > 0) await this.#server.settle(60_000);
    await this.#noteTouched();
  }

  async #sync(email: string, accountId: string): Promise<void> {
    const host = this.#hosts.find((one) => one.email === email);
    await host?.user.as(syncContract).syncAccount({ params: { accountId } });
  }

  /** Checks the results of changes that hosts made in their calendars. */
  async #noteTouched(): Promise<void> {
    for (const [id, email] of this.#touched)
      await this.#noteChanges(
        this.#standing.filter(({ audited }) => audited.id === id),
        email,
      );
  }

  /** A host answers what the product asks about an event that they changed. */
  async #answerQuestion(host: Host, always?: 'restore'): Promise<boolean> {
    const api = host.user.as(bookingContract);
    const { questions } = await api.listQuestions({});
    const [question] = questions;
    if (question === undefined) return false;
    const { booking_id, question_id, answers } = question;
    const given = answers.filter((one) => one !== 'ask-guest');
    const answer = always !== undefined && given.includes(always) ? always : this.#pick(given);
    const { statusCode } = await this.#sendAs(host, `/api/bookings/${booking_id}/answer`, { question_id, answer });
    this.#say(`${host.email} answers a question about ${booking_id.slice(0, 8)}: ${answer}, ${statusCode}`);
    await this.#noteChanges(this.#standing, host.email);
    return statusCode === 200;
  }

  // The end

  /** Nothing fails any more: each provider's calendar has the meetings of its host, and only those. */
  async #heal(): Promise<void> {
    this.#say('— all is well again');
    for (const { emulator } of [this.#oauth.google, this.#oauth.microsoft]) emulator.faults.length = 0;
    const { rows: accounts } = await sql<{ id: string; email: string }>`
      select c.id, u.email from connections.connections c join accounts.users u on u.id = c.user_id
      where c.provider in ('google', 'microsoft')`.execute(this.#server.app.db);
    for (let n = 0; n < 3; n += 1) {
      this.#group += 1;
      this.#clock.advance({ minutes: 10 });
      for (const { email, id } of accounts) await this.#sync(email, id);
      await this.#settle(false);
      await this.#noteTouched();
      for (const host of this.#hosts) while (await this.#answerQuestion(host, 'restore'));
      await this.#expire();
      await this.#rest({ isStrict: this.#touched.size === 0, hasWaited: false, isPatient: false });
    }
    const { google, microsoft } = this.#oauth;
    const stretch = { fromMs: 0, toMs: 2 * this.#clock.nowMs() };
    const ofAda = occurrencesAtGoogle(await google.control.snapshot(), 'ada@google.example', stretch);
    const ofBen = occurrencesAtMicrosoft(
      await microsoft.control.snapshot(),
      'ben@microsoft.example',
      'calendar',
      stretch,
    );
    for (const [email, found] of [['ada@example.org', ofAda] as const, ['ben@example.org', ofBen] as const]) {
      const spans = found.map(({ span }) => span);
      this.#auditor.expectCalendar(email, spans, this.#clock.nowMs() + 2 * hourMs);
    }
  }
}

const sayMinutes = (minutes: number) => new Date(minutes * minuteMs).toISOString().slice(5, 16);

const timesOf = ({ start, duration }: Booked) => ({
  startMs: start * minuteMs,
  endMs: (start + duration) * minuteMs,
});

const hostsOf = ({ hosts }: Offer, { host }: Booked) =>
  hosts.filter(({ name }) => host.includes(name)).map(({ email }) => email);

/** The moment from which a booking has been at its present time, epoch ms. */
function arrangedOf({ versions }: AuditedBooking): number {
  const { startMs } = versions.at(-1) ?? { startMs: 0 };
  const since = versions.findLastIndex((version) => version.startMs !== startMs) + 1;
  return Math.max(...versions.slice(since).map(({ atMs }) => atMs));
}

async function inviteHosts(server: TestApp, oauth: OAuthProviders, random: () => number) {
  const { db, config } = server.app;
  const invite = async (name: string, zone: string, wantsReminders = true): Promise<Host> => {
    const user = await signUpUser(server, `${name.split(' ')[0]?.toLowerCase()}@example.org`);
    await sql`update accounts.users set zone = ${zone}, name = ${name}, locale = 'en-US' where id = ${user.userId}`.execute(
      db,
    );
    return { user, email: user.email, name, zone, wantsReminders };
  };
  const ada = await invite('Ada Nilsson', 'America/New_York');
  const ben = await invite('Ben Okoro', 'Europe/Berlin');
  const carla = await invite('Carla Ruiz', 'America/New_York', false);
  const olga = await invite('Olga Owner', 'America/Chicago');
  await oauth.google.control.seed({ account: 'ada@google.example', timeZone: ada.zone, calendars: [{}] });
  await giveConsent(config.publicUrl, ada.user.token, { provider: 'google', account: 'ada@google.example' });
  await oauth.microsoft.control.seed({
    account: 'ben@microsoft.example',
    calendars: [{ key: 'calendar', name: 'Calendar', isDefault: true }],
  });
  await giveConsent(config.publicUrl, ben.user.token, { provider: 'microsoft', account: 'ben@microsoft.example' });
  await carla.user.as(connectionsContract).connectOwn();
  await sql`update accounts.users set notifications = notifications || '{"bookingReminders": false}'
    where id = ${carla.user.userId}`.execute(db);
  const handle = 'sales';
  const mates = [olga, ada, ben, carla].map(({ user }, n) => ({
    user,
    role: n === 0 ? ('owner' as const) : ('viewer' as const),
  }));
  const teamId = await insertTeam(server, handle, mates);
  const solo = async (
    host: Host,
    name: string,
    settings: Partial<TypeSettings> & { kind?: 'group' },
  ): Promise<Offer> => ({
    ...(await insertBookable(server, host.user, name, settings)),
    name,
    hosts: [host],
    teamId: null,
    owner: null,
    isSession: (settings.seats ?? 1) > 1,
    series: (settings.recurring ?? null) !== null,
    brings: (settings.seats ?? 1) === 1,
  });
  const team = async (
    hosts: readonly Host[],
    settings: Parameters<typeof insertTeamType>[3],
    name: string,
  ): Promise<Offer> => ({
    ...(await insertTeamType(server, { teamId, handle }, hosts, { ...settings, slug: name })),
    name,
    hosts,
    teamId,
    owner: olga,
    isSession: false,
    series: false,
    brings: true,
  });
  const link = (name: string) => ({ kind: 'link' as const, url: `https://whereby.com/${name}` });
  const offers = [
    await solo(ada, 'intro', { location: { kind: 'google-meet' }, when_moved: 'follow', when_deleted: 'cancel' }),
    await solo(ben, 'ask', { location: { kind: 'teams' }, confirmation: true }),
    await solo(ada, 'weekly', {
      location: link('weekly'),
      recurring: { max: 4, every: 'week' },
      when_moved: 'restore',
    }),
    await solo(carla, 'class', { kind: 'group', seats: 3, location: link('class') }),
    await team(
      [ada, ben, carla],
      { kind: 'round-robin', location: link('rota'), confirmation: random() < 0.5 },
      'rota',
    ),
    await team([ben, carla], { kind: 'collective', location: link('panel'), confirmation: true }, 'panel'),
    await team([ada, ben], { kind: 'round-robin', location: { kind: 'google-meet' } }, 'calls'),
  ];
  for (const host of [ada, ben]) {
    await addWorkflow(server, host, { trigger: 'before-event', days: 1, subject: 'Tomorrow: {event_name}' });
    await addWorkflow(server, host, { trigger: 'booking-cancelled', days: 0, subject: 'Off: {event_name}' });
  }
  return { hosts: [ada, ben, carla, olga], offers };
}

async function addWorkflow(
  server: TestApp,
  { user }: Host,
  { trigger, days, subject }: { trigger: 'before-event' | 'booking-cancelled'; days: number; subject: string },
): Promise<void> {
  const step = {
    id: randomUUID(),
    action: { kind: 'send-email', to: 'guests', subject, body: '{event_date} at {event_time}', ics: false },
  };
  const definition = {
    trigger,
    offset: { amount: days, unit: 'days' },
    filter: { event_type_ids: null },
    if_past: 'skip',
    if_late: 'send',
    quiet_hours: null,
    steps: [step],
  };
  const response = await server.inject({
    method: 'POST',
    url: '/api/workflows',
    payload: { name: subject.slice(0, 8), definition },
    headers: { authorization: `Bearer ${user.token}` },
  });
  if (response.statusCode !== 201) throw new Error(`no workflow: ${response.body}`);
}
