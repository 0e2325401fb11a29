import type { Attendee, Single } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { printLocalDateTime } from '#kernel/time/local.ts';
import { loadZone } from '#kernel/time/zones.ts';
import type { TypeSettings } from './type-settings.ts';

/** An attendee as the host's calendar shows them. */
export interface Comer {
  name: string;
  email: string;
  phone: string | null;
  answers: { label: string; answer: string }[];
  guests: readonly string[];
}

/** Words of the event, in the language of the host whose calendar it is for. */
export type TranslateEvent = (
  text: 'event.title-seats' | 'event.with' | 'event.together' | 'event.comers' | 'where.in-person' | 'where.phone',
  values: Readonly<Record<string, string | number>>,
) => string;

export interface AppointmentFacts {
  translate: TranslateEvent;
  title: string;
  startMs: number;
  endMs: number;
  /** The host's. */
  zone: string;
  seats: number;
  location: TypeSettings['location'];
  joinUrl: string | null;
  comers: readonly Comer[];
  /** Where the host reads who comes, for a text that is written once and stays; null: the text says it. */
  comersUrl: string | null;
  /** Guests are invited by the event too, and not only named in its text. */
  invitesGuests: boolean;
  /** The other hosts. */
  hosts?: readonly string[];
}

/** The event of an appointment in its host's calendar. Guests' words stand in it as text and nowhere as links of ours. */
export function appointmentEvent(facts: AppointmentFacts): Single {
  const { startMs, endMs, location, comers, comersUrl } = facts;
  const zone = loadZone(facts.zone) ?? loadZone('UTC');
  if (zone === null) throw new RangeError('There is no UTC.');
  const attendees = facts.invitesGuests ? attendeesOf(comers) : [];
  const joinUrl = facts.joinUrl ?? (location.kind === 'link' ? location.url : null);
  const place = placeOf(location, comers) || sayKind(facts);
  return {
    kind: 'single',
    when: {
      kind: 'zoned',
      start: printLocalDateTime(zone.toLocal(startMs)),
      zone: zone.id,
      duration: { seconds: (endMs - startMs) / 1_000 },
    },
    core: {
      busy: 'busy',
      private: false,
      self: attendees.length > 0 ? 'organizer' : 'none',
      kind: 'default',
      title: titleOf(facts).slice(0, eventLimits.titleChars),
      notes: (comersUrl === null ? notesOf(facts) : facts.translate('event.comers', { url: comersUrl })).slice(
        0,
        eventLimits.notesChars,
      ),
      ...(place === '' ? {} : { location: place.slice(0, eventLimits.locationChars) }),
      ...(joinUrl === null ? {} : { joinUrl }),
      ...(attendees.length === 0 ? {} : { attendees }),
    },
  };
}

function titleOf({ translate, title, seats, comers }: AppointmentFacts): string {
  const taken = comers.reduce((sum, { guests }) => sum + 1 + guests.length, 0);
  if (seats > 1) return translate('event.title-seats', { title, taken, seats });
  return `${title}: ${comers.map(({ name }) => name).join(', ')}`;
}

function attendeesOf(comers: readonly Comer[]): Attendee[] {
  const byEmail = new Map<string, Attendee>();
  for (const { name, email, guests } of comers) {
    for (const guest of guests) if (!byEmail.has(guest)) byEmail.set(guest, { email: guest });
    byEmail.set(email, { email, name, response: 'accepted' });
  }
  return [...byEmail.values()].slice(0, eventLimits.attendees);
}

function placeOf(location: TypeSettings['location'], comers: readonly Comer[]): string {
  if (location.kind === 'in-person') {
    const lines = location.address.split('\n').map((line) => line.trim());
    return lines.filter((line) => line !== '').join(', ');
  }
  if (location.kind !== 'phone') return '';
  if (location.who_calls === 'guest') return location.number;
  return comers.flatMap(({ phone }) => phone ?? []).join(', ');
}

/** A place without an address or a number: guests who read the event expect no link then. */
const sayKind = ({ translate, location: { kind } }: AppointmentFacts) =>
  kind === 'in-person' || kind === 'phone' ? translate(`where.${kind}`, {}) : '';

function notesOf({ translate, comers, hosts = [] }: AppointmentFacts): string {
  const others =
    hosts.length === 0 ? '' : `\n\n${translate('event.together', { names: hosts.map(quoted).join(', ') })}`;
  const told = comers
    .map(({ name, email, phone, answers, guests }) =>
      [
        `${quoted(name)}, ${email}${phone === null ? '' : `, ${phone}`}`,
        ...(guests.length === 0 ? [] : [translate('event.with', { names: guests.join(', ') })]),
        ...answers.map(({ label, answer }) => `${label}: ${quoted(answer)}`),
      ].join('\n'),
    )
    .join('\n\n');
  return `${told}${others}`;
}

/** Providers read notes as HTML and make links of what looks like one: what a stranger typed is neither. */
const quoted = (text: string) => text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('://', ':\u200b//');
