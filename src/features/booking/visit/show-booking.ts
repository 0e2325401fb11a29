import { randomBytes } from 'node:crypto';
import { brandScale } from '#kernel/brand-scale.ts';
import type { AppointmentId } from '#kernel/ids.ts';
import { minuteMs } from '#kernel/time/civil.ts';
import { printLocalDate } from '#kernel/time/local.ts';
import { presentName } from '#kernel/time/place-zones.ts';
import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';
import type { App } from '#platform/app.ts';
import { sayError } from '#platform/error-words.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { findOwnBooked, findOwnHeld, findUnconfirmed } from '../find-booked.ts';
import type { PublicType } from '../find-public-type.ts';
import { hashNetwork } from '../hash-network.ts';
import { findUsualZone } from '../list-hosts-of.ts';
import { listSeriesDates } from '../list-series-dates.ts';
import { keepPrefilled } from '../rules/check-typed.ts';
import { fillWords, sayDuration } from '../rules/fill-words.ts';
import { joinNames } from '../rules/join-names.ts';
import { rangeOfMonth } from '../rules/month-days.ts';
import { readCampaign } from '../rules/redirect-address.ts';
import { showOffer } from '../rules/show-offer.ts';
import { defaultSettings } from '../rules/type-settings.ts';
import type { BookingData, Complaints, Place, ShownMove, ShownType, Typed } from '../rules/visit-data.ts';
import { listOffsets } from '../rules/zone-offsets.ts';
import { findHeldBy } from '../store/taken-time.ts';
import { listOffers } from './list-offers.ts';
import { readEmbedding } from './read-embedding.ts';
import { pickWords, readVisitor, type Visitor } from './read-visitor.ts';
import { showHost } from './show-host.ts';

/** A visitor's unfinished attempt, shown again with its obstacle. */
export interface Attempt {
  typed: Typed;
  complaints: Complaints;
  /** Times near to the one that is gone. */
  taken: readonly number[] | null;
  /** The date of a series that is taken. */
  takenStart?: number | null;
  /** False: the chosen time is not offered. */
  isOffered?: boolean;
  /** Id of the attempt, from its form. */
  name?: string;
}

export interface BookingView {
  found: PublicType;
  /** Path of this page. */
  path: string;
  /** Begins the calls of this page. */
  api: string;
  attempt?: Attempt;
  moving?: ShownMove;
  /** The zone of the booking that is moved, in which its guest reads it elsewhere too. */
  guestZone?: string;
  /** The appointment that is moved. */
  without?: AppointmentId;
  status?: number;
}

const dayMinutes = 1440;
/** Keys of the texts that the page needs in the browser. */
const ownWords = /^(?!profile|notice|booked|cancel|decline)|^notice\.mail|^cancellation|^cancel\.reason/;

/** The page on which a time is chosen and booked, as the visitor's address says where they are on it. */
export async function showBooking(
  app: Pick<App, 'db' | 'clock' | 'config' | 'mail' | 'keyring'>,
  call: PageCall,
  view: BookingView,
): Promise<PageAnswer> {
  const { found, path, moving } = view;
  const { host, type, link } = found;
  const { settings } = type;
  const nowMs = app.clock.nowMs();
  const usual = view.guestZone ?? (await findUsualZone(app.db, host));
  const visitor = readVisitor(call, { zone: usual, language: settings.language, nowMs });
  const zone = loadZone(visitor.reading.zone) ?? utc;
  // the editor of the event type shows it too
  const embedded = readEmbedding(call, [...settings.frames, new URL(app.config.publicUrl).origin]);
  const durations = moving
    ? [moving.durationMinutes]
    : link?.durationMinutes
      ? [link.durationMinutes]
      : settings.durations_minutes;
  const duration = oneOf(durations, Number(call.query.get('duration') ?? call.form.get('duration')));
  const asked = readAsked(call, zone);
  const slot = asked.slot;
  const isPast = slot !== null && slot * minuteMs <= nowMs;
  // the page that moves a booking begins at its day
  const bookedDay = moving !== undefined && asked.month === null ? dayOf(moving.startMinute, zone) : null;
  const ownHeld = moving === undefined ? await findOwnHeld(app, call.note) : null;
  const list = (without: AppointmentId | undefined) =>
    listOffers(app, found, {
      duration,
      // a link that names a time of the past leads to the next times
      month: isPast ? null : (asked.month ?? bookedDay?.slice(0, 7) ?? null),
      nowMs,
      zone,
      without,
      withoutHold: ownHeld?.withoutHold,
    });
  const first = await list(view.without ?? ownHeld?.without ?? undefined);
  // a form in a frame has no note of its reservation, and gives it back only while it is loaded again
  const isReread = slot !== null && !isPast && call.method === 'GET' && moving === undefined && embedded !== null;
  const held =
    isReread && !first.starts.includes(slot)
      ? await findHeldBy(app.db, {
          eventTypeId: type.id,
          startMs: slot * minuteMs,
          network: hashNetwork(app, call.request.ip),
          nowMs,
        })
      : null;
  const offers = held === null ? first : await list(held);
  const offer = showOffer(type);
  // the form stays open on a time that is gone, with what was typed
  const isOwn = slot !== null && slot === moving?.startMinute;
  const isGone = slot !== null && !isOwn && view.attempt === undefined && !offers.starts.includes(slot);
  const own = moving !== undefined || call.method !== 'GET' ? null : await findOwnBooked(app, call.note, type);
  // Back leads to the form of the time that the guest has just booked: nobody was faster
  if (isGone && own?.starts.includes(slot)) return { kind: 'go', to: own.path };
  const place: Place = {
    month: offers.month,
    day: asked.day?.startsWith(offers.month)
      ? asked.day
      : slot !== null && !isPast
        ? dayOf(slot, zone)
        : offers.starts.some((start) => dayOf(start, zone) === bookedDay)
          ? bookedDay
          : null,
    slot,
    duration,
    zones: call.query.get('zones') === '1',
    all: call.query.get('all') === '1',
  };
  const typed = view.attempt?.typed ?? keepPrefilled(offer, readAddress(call.query, offer));
  const data: BookingData = {
    words: pickWords(visitor.words, ownWords),
    reading: { ...visitor.reading, offsets: listOffsets(zone.id, rangeOfOffsets(nowMs, offers.months.last)) },
    host: showHost(found),
    type: { ...offer, durations, ...sayHosts(found, visitor) },
    path,
    api: view.api,
    overlay: '/api/book/overlay',
    carried: {
      ...visitor.chosen,
      ...readCampaign(call.query),
      ...readPrefilled(call, offer),
      ...(embedded ? { embed: embedded.origin } : {}),
    },
    place,
    nowMinute: Math.ceil(nowMs / minuteMs),
    months: offers.months,
    starts: offers.starts,
    recommended: offers.recommended,
    nextStart: offers.next,
    seatsLeft: offers.seatsLeft,
    withheld: offers.withheld,
    typed,
    complaints: translated(view.attempt?.complaints ?? {}, visitor),
    taken: isPast || isGone ? nearestTo(slot ?? 0, offers.starts) : (view.attempt?.taken ?? null),
    takenStart: view.attempt?.takenStart ?? null,
    isOffered: view.attempt?.isOffered ?? true,
    series: slot === null || moving ? null : await listDates(app, found, { slot, duration, typed }),
    attempt: view.attempt?.name ?? randomBytes(16).toString('base64url'),
    zones: place.zones ? listZones(visitor.reading.zone) : [],
    hasMail: app.mail.transport !== null,
    unconfirmed: moving === undefined ? await findUnconfirmed(app, call.note) : null,
    own: own && { startMinute: own.startMinute, backTo: own.path, isWaiting: own.isWaiting },
    moving: moving ?? null,
    embedded,
  };
  const title = `${type.title} · ${host.name}`;
  const invites = fillWords(visitor.words, 'profile.title', { host: data.host.name });
  return {
    kind: 'page',
    status: view.status ?? 200,
    cookies: rememberChoice(visitor),
    page: {
      name: 'booking',
      data,
      title,
      description: type.description.slice(0, 200) || invites,
      // a booking that is moved is nobody else's matter
      ...(moving
        ? {}
        : {
            preview: {
              path,
              title,
              description: [
                invites,
                sayDuration((key, values) => fillWords(visitor.words, key, values), duration),
                type.description.slice(0, 200),
              ]
                .filter((text) => text !== '')
                .join(' · '),
              picture: data.host.avatarUrl,
            },
          }),
      language: visitor.language,
      ...(settings.color === defaultSettings(type.kind).color ? {} : { brand: brandScale(settings.color) }),
      guessedZone: view.guestZone === undefined ? visitor.guessedZone : undefined,
      frames: moving ? null : settings.frames,
      ...(settings.redirect_url === null ? {} : { leadsTo: [new URL(settings.redirect_url).origin] }),
      unlisted: found.link !== null || type.hidden || moving !== undefined,
    },
  };
}

/** The time zones of the list to choose from, with the one that times are shown in: `Asia: Tokyo`. */
function listZones(own: string): BookingData['zones'] {
  const zones = Intl.supportedValuesOf('timeZone');
  return (zones.includes(own) ? zones : [own, ...zones]).map((zone) => ({
    zone,
    name: presentName(zone).replace('/', ': ').replaceAll('_', ' '),
  }));
}

/** All instants that the page may show: what is booked already, and starts up to the last month. */
const rangeOfOffsets = (nowMs: number, lastMonth: string) => ({
  from: Math.floor(nowMs / minuteMs) - dayMinutes,
  to: rangeOfMonth(lastMonth).to + 3 * 31 * dayMinutes,
});

/** The dates of a series that is asked for, as they stand; null for one date, or a number that is not offered. */
async function listDates(
  app: Pick<App, 'db' | 'clock'>,
  found: PublicType,
  { slot, duration, typed }: { slot: number; duration: number; typed: Typed },
): Promise<BookingData['series']> {
  const times = Number(typed.times ?? 1);
  const most = found.type.settings.recurring?.max ?? 1;
  if (!(Number.isInteger(times) && times > 1 && times <= most)) return null;
  const time = { startMs: slot * minuteMs, endMs: (slot + duration) * minuteMs };
  return listSeriesDates(app, found, time, { times, holdId: null });
}

/** errors of the form are translated already; a refusal is English until it is shown */
const translated = (complaints: Complaints, { language }: Visitor): Complaints =>
  Object.fromEntries(Object.entries(complaints).map(([field, text]) => [field, sayError(text, language)]));

/** More than these are too many to be named where one of them will come. */
const mostNamed = 5;

/** Whom one meets of a team: all of them, or one of a few. */
function sayHosts({ team, type }: PublicType, { words, language }: Visitor): { hosts?: string } {
  if (team === null || (type.kind === 'round-robin' && team.hosts.length > mostNamed)) return {};
  if (type.kind === 'round-robin' && team.hosts.length > 1) {
    const names = new Intl.ListFormat(language, { type: 'disjunction' }).format(team.hosts.map(({ name }) => name));
    return { hosts: fillWords(words, 'hosts.one', { names }) };
  }
  return { hosts: fillWords(words, 'hosts.all', { names: joinNames(team.hosts, language) }) };
}

/** Three, as a rule: enough to choose from, few enough to read. */
export function nearestTo(minute: number, starts: readonly number[]): number[] {
  return starts
    .filter((start) => start !== minute)
    .sort((one, other) => Math.abs(one - minute) - Math.abs(other - minute))
    .slice(0, 3)
    .sort((one, other) => one - other);
}

const dayOf = (minute: number, zone: Zone) => printLocalDate(zone.toLocal(minute * minuteMs));

const oneOf = (durations: readonly number[], asked: number): number =>
  durations.includes(asked) ? asked : (durations[0] ?? 30);

/** Where on the page the address leads; what is not there is left out. */
function readAsked(call: PageCall, zone: Zone): { month: string | null; day: string | null; slot: number | null } {
  const slot = chosenSlot(call);
  if (Number.isInteger(slot) && slot > 0 && slot < latestMinute) {
    return { slot, day: dayOf(slot, zone), month: dayOf(slot, zone).slice(0, 7) };
  }
  const day = match(call.query.get('day'), /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/);
  const month = day?.slice(0, 7) ?? match(call.query.get('month'), /^20\d\d-(?:0[1-9]|1[0-2])$/);
  return { slot: null, day, month };
}

/** The start that a form or a link names; of a form the button beside which another time stands goes first. */
export function chosenSlot({ form, query }: Pick<PageCall, 'form' | 'query'>): number {
  return Number(form.get('near') ?? form.get('slot') ?? query.get('slot') ?? Number.NaN);
}

/** 2100-01-01 */
const latestMinute = 47_335 * dayMinutes;

const match = (text: string | null, pattern: RegExp) => (text !== null && pattern.test(text) ? text : null);

const prefilled = /^(?:name|email|phone|guests|q-[a-z0-9-]{1,40})$/;
const longestPrefilled = 500;

/**
 * Reads prefilled fields from an address. A literal `+` in a query arrives as a space. The `+` before a country code
 * and within a mail address is restored. Without it, a wrong number or address would be stored.
 */
function readAddress(query: URLSearchParams, { questions }: Pick<ShownType, 'questions'>): Record<string, string> {
  const isPhoneField = (name: string) =>
    name === 'phone' || questions.some(({ id, kind }) => kind === 'phone' && `q-${id}` === name);
  return Object.fromEntries(
    Object.entries(readTyped(query)).map(([name, value]) => {
      if (isPhoneField(name)) return [name, value.replace(/^\s+(?=\d)/, '+')];
      return [name, name === 'email' ? value.trim().replaceAll(' ', '+') : value];
    }),
  );
}

/** The fields of the form, as a form or an address brings them. */
export function readTyped(fields: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...fields].filter(([name]) => prefilled.test(name) || /^(?:times|date-\d{1,9})$/.test(name)).slice(0, 100),
  );
}

function readPrefilled({ query, form }: PageCall, offer: ShownType): Record<string, string> {
  // with POST they are in the form itself
  if ([...form].length > 0) return {};
  const fields = keepPrefilled(offer, readAddress(query, offer));
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value.length <= longestPrefilled));
}

/** Remembers the choices of an address for the next page. */
function rememberChoice({ chosen }: Visitor): Record<string, string> {
  return {
    ...(chosen.tz === undefined ? {} : { 'hf-zone': chosen.tz }),
    ...(chosen.clock === undefined ? {} : { 'hf-clock': chosen.clock }),
  };
}
