import type * as z from 'zod/mini';
import { loadOwnerZone } from '#features/accounts/public.ts';
import { listMeetingLinks } from '#features/booking/public.ts';
import { describeItems } from '#features/calendar/public.ts';
import { faceOf, isoOf, listCalendars, listConnections } from '#features/connections/public.ts';
import { findAlike } from '#features/contacts/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { ItemId } from '#kernel/ids.ts';
import { foldText } from '#kernel/text/fold-text.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { calendarHitShape, eventHitShape, linkHitShape, searchContract } from './contract.ts';
import { readWanted, type Wanted } from './rules.ts';
import { findItems, findPeople } from './store.ts';

type Hits = Output<typeof searchContract.search>;

const most = { events: 8, people: 6, contacts: 6, calendars: 5, links: 5 };

/**
 * Everything of a user that matches the typed words. A new kind of hit needs a finder, a list in the contract, and a line
 * here.
 */
export async function search(app: App, actor: Actor, typed: string): Promise<Hits> {
  const wanted = readWanted(typed);
  if (wanted === null) return { events: [], meetings: [], people: [], contacts: [], calendars: [], links: [] };
  const [{ events, meetings }, people, contacts, calendars, links] = await Promise.all([
    findEvents(app, actor, wanted, most.events),
    findPeople(app.db, actor.userId, wanted, most.people),
    findAlike(app.db, actor.userId, wanted, most.contacts),
    findCalendars(app, actor, wanted, most.calendars),
    findLinks(app, actor, wanted, most.links),
  ]);
  return {
    events,
    meetings,
    // a contact is not listed again as a person
    people: people.filter(({ email }) => contacts.every(({ address }) => address !== email)),
    contacts: contacts.map(({ id, name, address, company }) => ({ contact_id: id, name, address, company })),
    calendars,
    links,
  };
}

type EventHit = z.output<typeof eventHitShape>;

/** Events without and with other attendees. Each list is best first, with at most `limit` hits. */
async function findEvents(
  app: Pick<App, 'db' | 'clock'>,
  actor: Actor,
  wanted: Wanted,
  limit: number,
): Promise<{ events: EventHit[]; meetings: EventHit[] }> {
  const nowMs = app.clock.nowMs();
  const [found, calendars, zone] = await Promise.all([
    findItems(app.db, actor.userId, wanted, { limit, nowMs }),
    listCalendars(app.db, actor.userId),
    loadOwnerZone(app.db, actor.userId),
  ]);
  const items = await describeItems(app.db, actor.userId, [...found.events, ...found.meetings], nowMs);
  const hitOf = (id: ItemId): EventHit[] => {
    const item = items.get(id);
    const calendar = calendars.find((one) => one.id === item?.calendarId);
    if (item === undefined || calendar === undefined) return [];
    return [
      {
        event_id: item.recId === '' ? id : `${id}_${item.recId}`,
        title: item.title ?? 'Untitled',
        location: item.location ?? '',
        start_time: isoOf(item.startMs) ?? '',
        end_time: isoOf(item.endMs) ?? '',
        all_day: item.allDay,
        day: Temporal.Instant.fromEpochMilliseconds(item.startMs).toZonedDateTimeISO(zone).toPlainDate().toString(),
        recurring: item.recurring,
        calendar_name: calendar.name,
        color: calendar.color,
      },
    ];
  };
  return { events: found.events.flatMap(hitOf), meetings: found.meetings.flatMap(hitOf) };
}

/** Calendars by name and account. A user has few enough to compare each. */
async function findCalendars(
  app: Pick<App, 'db'>,
  actor: Actor,
  wanted: Wanted,
  limit: number,
): Promise<z.output<typeof calendarHitShape>[]> {
  const [calendars, connections] = await Promise.all([
    listCalendars(app.db, actor.userId),
    listConnections(app.db, actor.userId),
  ]);
  const found = calendars.flatMap((calendar) => {
    const connection = connections.find((one) => one.id === calendar.connectionId);
    if (calendar.removed || connection === undefined) return [];
    const text = ` ${foldText(`${calendar.name} ${connection.label}`)}`;
    if (!wanted.words.every((word) => text.includes(` ${word}`))) return [];
    const { id, name, color } = calendar;
    const hit = { calendar_id: id, name, account: connection.label, provider: faceOf(connection).word, color };
    return [{ hit, isFirst: text.startsWith(` ${wanted.whole}`) }];
  });
  found.sort((one, other) => Number(other.isFirst) - Number(one.isFirst));
  return found.slice(0, limit).map(({ hit }) => hit);
}

/** Booking links by title, or all of them by the words "booking link". A user has few enough to compare each. */
async function findLinks(
  app: App,
  actor: Actor,
  wanted: Wanted,
  limit: number,
): Promise<z.output<typeof linkHitShape>[]> {
  const found = (await listMeetingLinks(app, actor)).flatMap(({ eventTypeId, title, url }) => {
    const text = ` ${foldText(`${title} booking link ${URL.parse(url)?.pathname ?? ''}`)}`;
    if (!wanted.words.every((word) => text.includes(` ${word}`))) return [];
    return [{ hit: { event_type_id: eventTypeId, title, url }, isFirst: text.startsWith(` ${wanted.whole}`) }];
  });
  found.sort((one, other) => Number(other.isFirst) - Number(one.isFirst));
  return found.slice(0, limit).map(({ hit }) => hit);
}
