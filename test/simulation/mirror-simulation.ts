import { sql } from 'kysely';
import type { QuirkProfile } from '../../src/emulators/caldav/quirks.ts';
import type { FaultRule } from '../../src/emulators/kit/faults.ts';
import { createRandom } from '../../src/emulators/kit/random.ts';
import { syncContract } from '../../src/features/sync/contract.ts';
import { sweep } from '../../src/features/sync/sweep.ts';
import { type FixedClock, fixedClock } from '../harness/fixed-clock.ts';
import { type ProviderWorld, startProviderWorld } from '../harness/provider-world.ts';
import type { TestApp } from '../harness/test-app.ts';
import { waitFor } from '../harness/wait-for.ts';
import { openCaldavCalendar } from './caldav-calendar.ts';
import { openGoogleCalendar } from './google-calendar.ts';
import type { KeptCalendar } from './kept-calendar.ts';
import { type KeptEvent, type Stretch, takenBy, takenByObject } from './kept-event.ts';
import { openMicrosoftCalendar } from './microsoft-calendar.ts';

/**
 * A person with three calendars that mirror each other, at Google, Microsoft and CalDAV servers that fail, who does what
 * people do with events and with blocks while the product reads and writes. At every step nothing that is theirs may be
 * touched and no block stand twice; when all is quiet, each calendar blocks exactly the time of the others, and looking
 * again writes nothing.
 */

/** When it all happens: the clocks of New York, Berlin and Auckland change in it. */
const firstDay = '2027-03-10';
const lastDay = '2027-04-20';
const zones = { left: 'America/New_York', right: 'Europe/Berlin', third: 'Pacific/Auckland' };
/** Not Xandikos: it knows one person only. */
const servers: QuirkProfile[] = ['faithful', 'radicale', 'davical', 'sogo'];
const opens = { caldav: openCaldavCalendar, google: openGoogleCalendar, microsoft: openMicrosoftCalendar };

interface Place {
  calendar: KeptCalendar;
  /** By its name: what its person has there, and all of it as they left it. */
  kept: Map<string, { event: KeptEvent; shown: string }>;
  isSource: boolean;
  isTarget: boolean;
}

export interface History {
  /** Actions so far and, after a fault, the final state of the product. */
  story: string[];
  faults: string[];
}

/**
 * Plays one history. The seed decides actions and failures, but not the speed of concurrent work. A fault may therefore
 * need a few tries to recur.
 */
export async function simulateMirrors(
  seed: number,
  steps: number,
  providers: readonly KeptCalendar['provider'][],
): Promise<History> {
  const simulation = await Simulation.start(seed, providers);
  try {
    return await simulation.play(steps);
  } finally {
    await simulation.close();
  }
}

class Simulation {
  readonly #world: ProviderWorld;
  readonly #clock: FixedClock;
  readonly #places: Place[];
  readonly #random: () => number;
  readonly #history: History = { story: [], faults: [] };
  /** How often its person deleted a block, by its key. */
  readonly #deletions = new Map<string, number>();
  /** A second process, which may end at any time. */
  #worker: TestApp | null = null;
  #summary = 'Busy';
  #enabled = true;
  #made = 0;

  private constructor(world: ProviderWorld, clock: FixedClock, places: Place[], random: () => number) {
    this.#world = world;
    this.#clock = clock;
    this.#places = places;
    this.#random = random;
  }

  static async start(seed: number, providers: readonly KeptCalendar['provider'][]): Promise<Simulation> {
    const random = createRandom(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const clock = fixedClock(`${firstDay}T09:00:00Z`);
    const caldavProfile = pick(servers);
    const push = random() < 0.5;
    const world = await startProviderWorld({ clock, caldavProfile, push });
    const likeOutlook = {
      duplicateTransaction: pick(['bad-request', 'conflict', 'replay'] as const),
      seriesMaster: pick(['present', 'absent', 'absent-before-window'] as const),
      sparseExceptions: random() < 0.5,
      removedSeries: pick(['master', 'master-and-occurrences'] as const),
      lagMs: pick([0, 0, 20_000]),
    };
    await world.microsoft.control.knobs(likeOutlook);
    const places: Place[] = [];
    for (const [name, zone] of Object.entries(zones)) {
      const calendar = await opens[pick(providers)](world, name, zone);
      places.push({ calendar, kept: new Map(), isSource: true, isTarget: true });
    }
    const simulation = new Simulation(world, clock, places, random);
    if (random() < 0.3) await simulation.#changeWorker();
    simulation.#say(
      `seed ${seed}, ${places.map(({ calendar }) => calendar.provider).join(', ')}, ${caldavProfile}, ${push ? 'with' : 'without'} notices, ${JSON.stringify(likeOutlook)}`,
    );
    // no calendar is ever empty: that would be waited for, as a server's mistake
    for (const place of places) for (let n = 0; n < 3; n += 1) simulation.#makeEvent(place);
    await world.mirror(places.map(({ calendar }) => calendar.calendarId));
    await world.pass();
    return simulation;
  }

  async close(): Promise<void> {
    await this.#worker?.close();
    await this.#world.close();
  }

  async play(steps: number): Promise<History> {
    for (let step = 0; step < steps && this.#history.faults.length === 0; step += 1) {
      if (this.#chance(0.4)) this.#breakSomething();
      let isPassing = this.#chance(0.5);
      const passing = isPassing ? this.#pass().finally(() => (isPassing = false)) : null;
      const deeds = 1 + Math.floor(this.#random() * 3);
      if (this.#worker !== null && this.#chance(0.2)) await this.#changeWorker();
      for (let n = 0; n < deeds; n += 1) {
        if (passing !== null) {
          // at some moment of the pass, told by requests and not by time
          const until = this.#requests() + Math.floor(this.#random() * 8);
          const hasCome = () => !isPassing || this.#requests() >= until;
          await waitFor('more requests, or the end of the pass', hasCome, { timeoutMs: 60_000, intervalMs: 1 });
        }
        await this.#doSomething();
      }
      await passing;
      if (this.#chance(0.6)) await this.#pass();
      if (this.#chance(0.3)) this.#advance({ minutes: 1 + Math.floor(this.#random() * 90) });
      if (this.#chance(0.04)) await this.#newDay();
      this.#expectSafe();
    }
    await this.#heal();
    if (this.#history.faults.length > 0) await this.#tellState();
    return this.#history;
  }

  #say(what: string): void {
    this.#history.story.push(what);
  }

  #chance = (share: number) => this.#random() < share;
  #pick = <T>(list: readonly T[]): T => list[Math.floor(this.#random() * list.length)] as T;

  #pass(): Promise<void> {
    return this.#world.pass();
  }

  #ledgers() {
    const { google, microsoft, caldavEmulator } = this.#world;
    return [google.emulator, microsoft.emulator, caldavEmulator].map(({ ledger }) => ledger);
  }

  #requests(): number {
    return this.#ledgers().reduce((sum, ledger) => sum + ledger.length, 0);
  }

  /** Requests so far that were to change something. */
  #writes(): number {
    const changing = new Set(this.#places.flatMap(({ calendar }) => calendar.writes));
    return this.#ledgers()
      .flat()
      .filter(({ operation }) => changing.has(operation)).length;
  }

  /** The second process ends, in the midst of whatever it does, and another takes its place. */
  async #changeWorker(): Promise<void> {
    await this.#worker?.close();
    this.#worker = await this.#world.openWorker();
    this.#say('a process begins');
  }

  /** The slow round of a day later; what the database has the time of becomes older too. */
  async #newDay(): Promise<void> {
    const { app } = this.#world.server;
    this.#advance({ hours: 25 });
    await sql`update calendar.items set updated_at = updated_at - interval '25 hours'`.execute(app.db);
    await sql`update sync.pulls set last_listing_at = last_listing_at - interval '25 hours'`.execute(app.db);
    await sql`update connections.connections set listed_at = listed_at - interval '25 hours'`.execute(app.db);
    await sweep(app);
    this.#say('a new day');
  }

  #advance(duration: Temporal.DurationLike): void {
    this.#clock.advance(duration);
    this.#say(`it is ${this.#clock.now().toString()}`);
  }

  /** Logs state of the product that helps to find the cause of a fault. */
  async #tellState(): Promise<void> {
    const { db } = this.#world.server.app;
    const ask = async (what: string, rows: Promise<{ rows: unknown[] }>) =>
      this.#say(`${what}: ${(await rows).rows.map((row) => JSON.stringify(row)).join('\n  ')}`);
    await ask('accounts', sql`select label, status, status_code from connections.connections order by id`.execute(db));
    await ask(
      'calendars',
      sql`select c.name, c.failures as refused, c.error_code, c.write_error_code, p.* from sync.pulls p join connections.calendars c on c.id = p.calendar_id`.execute(
        db,
      ),
    );
    await ask(
      'trail',
      sql`select a.at, a.type, a.status, a.message, a.error_code, a.mirror_id from sync.audit a order by a.id`.execute(
        db,
      ),
    );
    for (const { calendar } of this.#places) {
      for (const block of calendar.blocks())
        this.#say(`${block.name} in ${calendar.name}: ${block.components}\n  ${calendar.asked(block).join('\n  ')}`);
    }
    await ask('pairs', sql`select * from sync.pairs`.execute(db));
    await ask('fences', sql`select * from sync.fences`.execute(db));
    await ask(
      'ledger',
      sql`select state, reason, seen, error_code, target_calendar_id, count(*) from sync.mirrors group by 1, 2, 3, 4, 5`.execute(
        db,
      ),
    );
  }

  // Actions of people

  #doSomething(): Promise<void> | void {
    const place = this.#pick(this.#places);
    const [file] = this.#chance(0.85) ? [this.#pick([...place.kept.keys()])] : [];
    const event = file === undefined ? undefined : place.kept.get(file)?.event;
    const roll = this.#random();
    if (roll < 0.25 || event === undefined) return this.#makeEvent(place);
    if (roll < 0.6) return this.#changeEvent(place, event);
    if (roll < 0.68) return this.#removeEvent(place, event);
    if (roll < 0.75) return this.#moveEvent(place, event, this.#pick(this.#places));
    if (roll < 0.9) return this.#meddle(place);
    return this.#changeGroup(true);
  }

  #makeEvent(place: Place): void {
    if (this.#chance(0.1)) {
      this.#makeNightShift(place);
      return;
    }
    const zone = this.#chance(0.15) ? 'date' : this.#pick(place.calendar.eventZones);
    const day = Temporal.PlainDate.from(firstDay).add({ days: 3 + Math.floor(this.#random() * 30) });
    this.#keep(place, {
      ...this.#newEvent(),
      title: this.#chance(0.1) ? 'Secret #nosync' : 'Secret',
      isFree: this.#chance(0.1),
      zone,
      start: zone === 'date' ? day.toString() : this.#startOn(day),
      length: zone === 'date' ? 1 + Math.floor(this.#random() * 3) : this.#pick([15, 30, 60, 90, 600, 1_500]),
      weeks: this.#chance(0.35) ? 2 + Math.floor(this.#random() * 4) : 1,
    });
  }

  /** From Saturday night to Sunday morning, in the weeks in which the clocks change there. */
  #makeNightShift(place: Place): void {
    this.#keep(place, {
      ...this.#newEvent(),
      title: 'Night',
      zone: this.#pick(['America/New_York', 'Europe/Berlin']),
      start: `${this.#pick(['2027-03-13', '2027-03-20', '2027-03-27'])}T22:00:00`,
      length: 480,
      weeks: 2 + Math.floor(this.#random() * 4),
    });
  }

  /** Half an hour, once, under a name of its own; when is still to be said. */
  #newEvent(): Omit<KeptEvent, 'title' | 'start'> {
    const n = this.#made++;
    return {
      uid: `e${n}@people`,
      file: `e${n}`,
      isFree: false,
      zone: 'UTC',
      length: 30,
      weeks: 1,
      left: new Set(),
      freed: new Set(),
      moved: new Map(),
      tag: null,
      endsByClock: false,
    };
  }

  #startOn(day: Temporal.PlainDate): string {
    const time = { hour: Math.floor(this.#random() * 24), minute: this.#pick([0, 30]) };
    return day.toPlainDateTime(time).toString({ smallestUnit: 'second' });
  }

  #changeEvent(place: Place, event: KeptEvent): void {
    const next: KeptEvent = {
      ...event,
      left: new Set(event.left),
      freed: new Set(event.freed),
      moved: new Map(event.moved),
    };
    const week = Math.floor(this.#random() * event.weeks);
    const roll = this.#random();
    if (event.weeks > 1 && roll < 0.5) {
      for (const list of [next.left, next.freed, next.moved]) list.delete(week);
      if (roll < 0.15) next.left.add(week);
      else if (roll < 0.25) next.freed.add(week);
      else if (roll < 0.4) {
        const day = Temporal.PlainDate.from(event.start.slice(0, 10)).add({
          days: 7 * week + Math.floor(this.#random() * 3),
        });
        next.moved.set(week, event.zone === 'date' ? day.toString() : this.#startOn(day));
      }
      // a series of which nothing is left is no event
      if (next.left.size + next.freed.size === event.weeks) return;
    } else if (roll < 0.6) next.isFree = !event.isFree;
    else if (roll < 0.7) next.title = `${event.title.replace(' #nosync', '')}${this.#chance(0.3) ? ' #nosync' : ''}`;
    else if (event.weeks === 1) {
      const day = Temporal.PlainDate.from(event.start.slice(0, 10)).add({ days: this.#pick([-1, 0, 1, 7]) });
      next.start = event.zone === 'date' ? day.toString() : this.#startOn(day);
    } else next.length = event.zone === 'date' ? 1 + (event.length % 3) : this.#pick([15, 45, 120]);
    this.#keep(place, next);
  }

  #keep(place: Place, wanted: KeptEvent): void {
    const { calendar, kept } = place;
    const event = fitTo(wanted, calendar);
    calendar.keep(event);
    kept.set(event.file, { event, shown: calendar.shows(event.file) });
    this.#say(
      `${calendar.name} keeps ${JSON.stringify({ ...event, left: [...event.left], freed: [...event.freed], moved: [...event.moved] })}`,
    );
  }

  #removeEvent(place: Place, event: KeptEvent): void {
    if (place.kept.size <= 2) return;
    place.calendar.remove(event.file);
    place.kept.delete(event.file);
    this.#say(`${place.calendar.name} removes ${event.file}`);
  }

  #moveEvent(from: Place, event: KeptEvent, to: Place): void {
    if (from === to || from.kept.size <= 2 || to.kept.has(event.file)) return;
    const there = { ...event, tag: from.calendar.provider === to.calendar.provider ? event.tag : null };
    if (this.#chance(0.5)) {
      this.#keep(to, there);
      this.#removeEvent(from, event);
    } else {
      this.#removeEvent(from, event);
      this.#keep(to, there);
    }
  }

  /** With a block: deletes it, moves it, or copies it. */
  #meddle(place: Place): void {
    const { calendar } = place;
    const blocks = calendar.blocks();
    if (blocks.length === 0) return;
    const block = this.#pick(blocks);
    const roll = this.#random();
    if (roll < 0.4) {
      this.#deletions.set(block.key, (this.#deletions.get(block.key) ?? 0) + 1);
      block.remove();
      this.#say(`${calendar.name} deletes block ${block.name}`);
    } else if (roll < 0.5 && block.leaveOut !== null) {
      block.leaveOut();
      this.#say(`${calendar.name} takes a day out of block ${block.name}`);
    } else if (roll < 0.8) {
      block.change();
      this.#say(`${calendar.name} changes block ${block.name}`);
    } else {
      const day = Temporal.PlainDate.from(firstDay).add({ days: 4 + Math.floor(this.#random() * 20) });
      this.#keep(place, { ...this.#newEvent(), title: 'Busy', start: this.#startOn(day), tag: block.mark });
    }
  }

  async #changeGroup(something = false): Promise<void> {
    if (something) {
      const roll = this.#random();
      if (roll < 0.35) this.#summary = this.#pick(['Busy', 'Away', 'Taken']);
      else if (roll < 0.55) this.#enabled = !this.#enabled;
      else {
        const place = this.#pick(this.#places);
        if (this.#chance(0.5)) place.isSource = !place.isSource;
        else place.isTarget = !place.isTarget;
      }
    }
    const sync = this.#world.person.as(syncContract);
    const [group] = (await sync.listGroups()).groups;
    if (group === undefined) throw new Error('there is no group');
    const members = this.#places
      .filter(({ isSource, isTarget }) => isSource || isTarget)
      .map(({ calendar, isSource, isTarget }) => ({ calendarId: calendar.calendarId, isSource, isTarget }));
    await sync.changeGroup({
      params: { groupId: group.groupId },
      body: {
        name: group.name,
        enabled: this.#enabled,
        rule: { titleTemplate: this.#summary },
        pairs: [],
        members,
        revision: group.revision,
      },
    });
    this.#say(
      `group: ${this.#enabled ? 'on' : 'off'}, ${this.#summary}, ${this.#places.map((one) => `${one.calendar.name} ${one.isSource ? 's' : ''}${one.isTarget ? 't' : ''}`).join(', ')}`,
    );
  }

  // Faults of servers and networks

  #breakSomething(): void {
    const { calendar } = this.#pick(this.#places);
    if (this.#chance(0.15)) {
      const [mishap, happen] = this.#pick(Object.entries(calendar.mishaps));
      happen();
      this.#say(`${mishap} of ${calendar.name}`);
      return;
    }
    const everywhere = this.#chance(0.5);
    const isOwn = calendar.ownFaults.length > 0 && this.#chance(0.5);
    const rule = isOwn ? this.#ownFault(calendar) : this.#anyFault(calendar);
    calendar.fail(rule, everywhere);
    this.#say(`fault at ${calendar.provider}${everywhere ? '' : ` of ${calendar.name}`}: ${JSON.stringify(rule)}`);
  }

  #ownFault({ ownFaults }: KeptCalendar): FaultRule {
    const often = { nth: 1 + Math.floor(this.#random() * 3), times: 1 + Math.floor(this.#random() * 2) };
    return { ...often, ...this.#pick(ownFaults) };
  }

  #anyFault(calendar: KeptCalendar): FaultRule {
    const op = this.#pick(calendar.operations);
    const after = this.#chance(0.5) && calendar.writes.includes(op);
    const effect = this.#pick<FaultRule['effect']>([
      { kind: 'reset' },
      { kind: 'reset' },
      { kind: 'status', status: 500 },
      { kind: 'status', status: 503, retryAfter: '20' },
      { kind: 'status', status: 429, retryAfter: '60' },
      { kind: 'truncated', keep: 0.5 },
      { kind: 'login-page' },
    ]);
    const times = 1 + Math.floor(this.#random() * 3);
    return { op, effect, nth: 1, times, phase: after ? 'after' : 'before' };
  }

  // Invariants

  #wrong(what: string): void {
    this.#history.faults.push(what);
  }

  /** Expects that people's own events are unchanged, and that no block exists twice. */
  #expectSafe(): void {
    for (const { calendar, kept } of this.#places) {
      const { name } = calendar;
      for (const [file, { shown }] of kept) {
        const found = calendar.shows(file);
        if (found !== shown) this.#wrong(`${file} of ${name} was touched:\n${found}\n${shown}`);
      }
      const keys = new Set<string>();
      for (const block of calendar.blocks()) {
        if (!block.isMarked) this.#wrong(`${block.name} stands in ${name}, and is nobody's`);
        if (keys.has(block.key)) this.#wrong(`block ${block.key} stands twice in ${name}`);
        keys.add(block.key);
      }
    }
  }

  /** Nothing fails any more and nobody does anything: what should stand stands, and looking again writes nothing. */
  async #heal(): Promise<void> {
    for (const one of [this.#world.google, this.#world.microsoft]) one.emulator.faults.length = 0;
    this.#world.caldavEmulator.faults.length = 0;
    // the next day's listing finds the changes that DAViCal omits once its token is too old
    await this.#newDay();
    // an account that failed for long is left alone for up to an hour, a contested block for a day
    for (const duration of [{ minutes: 2 }, { minutes: 2 }, { hours: 2 }, { hours: 2 }, { hours: 20 }]) {
      this.#advance(duration);
      await this.#pass();
    }
    let quiet = 0;
    for (let round = 0; round < 10 && quiet < 2; round += 1) {
      this.#advance({ hours: 3 });
      const before = this.#writes();
      await this.#pass();
      quiet = this.#writes() === before ? quiet + 1 : 0;
    }
    if (quiet < 2) this.#wrong('it does not come to rest');
    this.#expectSafe();
    await this.#expectBlocked();
    // read as if for the first time, all of it is what it was
    await sql`update sync.pulls set cursor = null, want_listing = true`.execute(this.#world.server.app.db);
    const before = this.#writes();
    await this.#pass();
    const wrote = this.#writes() - before;
    if (wrote !== 0) this.#wrong(`reading all anew wrote ${wrote} times`);
  }

  async #expectBlocked(): Promise<void> {
    const from = this.#clock.now().toZonedDateTimeISO('UTC').toPlainDate().add({ days: 2 }).toString();
    const isCompared = ({ from: start }: Stretch) => {
      const day =
        typeof start === 'string' ? start : Temporal.Instant.fromEpochMilliseconds(start).toString().slice(0, 10);
      return day >= from && day <= lastDay;
    };
    const print = ({ from: start, to }: Stretch) =>
      [start, to]
        .map((one) => (typeof one === 'string' ? one : Temporal.Instant.fromEpochMilliseconds(one).toString()))
        .join(' ');
    const { rows } = await sql<{ key: string; uid: string; target: string }>`
      select identity_key as key, origin_uid as uid, target_calendar_id as target from sync.mirrors`.execute(
      this.#world.server.app.db,
    );
    for (const target of this.#places) {
      // deleted again within a day, a block is let go
      const letGo = new Set(
        rows
          .filter((row) => row.target === target.calendar.calendarId && (this.#deletions.get(row.key) ?? 0) > 1)
          .map((row) => row.uid),
      );
      const expected: string[] = [];
      const mayBeMissing: string[] = [];
      for (const source of this.#places) {
        if (source === target || !this.#enabled || !source.isSource || !target.isTarget) continue;
        for (const [file, { event }] of source.kept) {
          const list = letGo.has(source.calendar.uidOf(file)) ? mayBeMissing : expected;
          list.push(...takenBy(event, source.calendar.zone).filter(isCompared).map(print));
        }
      }
      const { name, zone } = target.calendar;
      const blocks = target.calendar.blocks();
      for (const { components } of blocks) {
        const summaries = new Set(
          components
            .replace(/\r?\n[ \t]/g, '')
            .match(/^SUMMARY.*$/gm)
            ?.map((one) => one.trim()),
        );
        if (summaries.size !== 1 || !summaries.has(`SUMMARY:${this.#summary}`))
          this.#wrong(`a block in ${name} says ${[...summaries].join()}`);
      }
      const found = blocks.flatMap(({ components }) => takenByObject(components, zone).filter(isCompared).map(print));
      const { missing, extra } = compare(expected, found);
      const unexplained = compare(mayBeMissing, extra).extra;
      if (missing.length > 0) this.#wrong(`${name} lacks ${missing.join('; ')}`);
      if (unexplained.length > 0) this.#wrong(`${name} has in excess ${unexplained.join('; ')}`);
    }
  }
}

/** An event as this calendar can have it. */
function fitTo(event: KeptEvent, { provider, zone, eventZones }: KeptCalendar): KeptEvent {
  if (event.zone === 'date') return event;
  const next = { ...event, zone: eventZones.includes(event.zone) ? event.zone : zone };
  if (provider === 'microsoft') return { ...next, endsByClock: true };
  if (provider === 'caldav') return { ...next, endsByClock: false };
  // a start that the clocks leave out is kept by Google as the one an hour later
  const real = (start: string) =>
    Temporal.PlainDateTime.from(start)
      .toZonedDateTime(next.zone)
      .toPlainDateTime()
      .toString({ smallestUnit: 'second' });
  const moved = new Map([...next.moved].map(([week, start]) => [week, real(start)]));
  return { ...next, endsByClock: false, start: real(next.start), moved };
}

/** Returns the differences of two lists in both directions; duplicates count. */
function compare(expected: string[], found: string[]): { missing: string[]; extra: string[] } {
  const left = [...found];
  const missing = expected.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return { missing, extra: left };
}
