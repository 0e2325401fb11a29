import { findAlike } from '#features/contacts/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { searchContract } from './contract.ts';
import { findCalendars } from './find-calendars.ts';
import { findEvents } from './find-events.ts';
import { findLinks } from './find-links.ts';
import { readWanted } from './rules/wanted.ts';
import { findPeople } from './store/hits.ts';

type Hits = Output<typeof searchContract.search>;

const most = { events: 8, people: 6, contacts: 6, calendars: 5, links: 5 };

/**
 * What of a person's own matches the words. Another kind is a finder of its own through the
 * door of its feature, a list in the contract and a line here.
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
    // whoever is a contact is found as that
    people: people.filter(({ email }) => contacts.every(({ address }) => address !== email)),
    contacts: contacts.map(({ id, name, address, company }) => ({ contact_id: id, name, address, company })),
    calendars,
    links,
  };
}
