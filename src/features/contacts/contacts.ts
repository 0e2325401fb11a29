import { randomUUID } from 'node:crypto';
import { listHosts } from '#features/accounts/public.ts';
import { listUnproved } from '#features/booking/public.ts';
import { listTeammates, listTeamsOf } from '#features/teams/public.ts';
import { may } from '#features/teams/rules.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { ContactId, UserId } from '#kernel/ids.ts';
import { compareNames } from '#kernel/languages.ts';
import { foldText } from '#kernel/text/fold-text.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import type { contactsContract } from './contract.ts';
import { contactsTopic } from './events.ts';
import {
  type ContactSource,
  followUpsADay,
  longest,
  type meetingAges,
  mostContacts,
  mostTags,
  readAddress,
  trimLine,
  trimTags,
} from './rules.ts';
import {
  type Contact,
  findContact,
  listAddresses,
  listKnown,
  lockContacts,
  lockRoom,
  markDeleted,
  markDue,
  unmarkDeleted,
  writeContacts,
} from './store/contact-rows.ts';
import {
  type ContactFilter,
  type ContactOrder,
  type Cursor,
  countContacts,
  findContacts,
  findPairs,
  listTags,
} from './store/find-contacts.ts';
import { countDue, findNext, listBookingsAhead, listMeetings } from './store/meeting-rows.ts';
import { countFollowUps, listFollowUps, listNotes } from './store/note-rows.ts';
import { listOwners } from './store/owner-rows.ts';
import { isoOfMs, toShownContact, toShownMeeting } from './views.ts';

/** Adds a contact by hand. *Errors*: AppError invalid (`BAD_ADDRESS`), conflict (`CONTACT_EXISTS`, `fields.id` says which; `TOO_MANY`). */
export function addContact(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  { userId }: Actor,
  body: Input<typeof contactsContract.addContact>['body'],
): Promise<{ id: ContactId }> {
  const address = readAddress(body.address);
  if (address === null)
    throw new AppError(
      'invalid',
      'BAD_ADDRESS',
      'Enter an email address such as name@example.org. Nothing was added.',
      {
        fields: { address: 'Expected an address such as name@example.org' },
      },
    );
  const typed = {
    name: trimLine(body.name, longest.name),
    phone: trimLine(body.phone, longest.phone),
    company: trimLine(body.company, longest.company),
    tags: trimTags(body.tags ?? [], longest.tag, mostTags),
  };
  return inTransaction(app.db, async (tx) => {
    const room = await lockRoom(tx, userId);
    const [known] = await listKnown(tx, userId, [address]);
    if (known !== undefined && !known.deleted)
      throw new AppError('conflict', 'CONTACT_EXISTS', 'You already have a contact with this address.', {
        fields: { id: known.id },
      });
    if (known === undefined && room <= 0)
      throw new AppError(
        'conflict',
        'TOO_MANY',
        `You can have up to ${mostContacts} contacts. Delete one you no longer need.`,
      );
    const before = known ?? { name: null, phone: null, company: null, tags: [] };
    const id = known?.id ?? (randomUUID() as ContactId);
    const contact = {
      id,
      address,
      name: typed.name ?? before.name,
      phone: typed.phone ?? before.phone,
      company: typed.company ?? before.company,
      tags: typed.tags.length > 0 ? typed.tags : before.tags,
    };
    await writeContacts(tx, userId, 'hand', [contact], app.clock.nowMs());
    await markDue(tx, userId, [address]);
    await app.feed.publish(tx, userId, contactsTopic);
    return { id };
  });
}

/** Changes a contact. Absent fields stay. *Errors*: AppError not-found. */
export function changeContact(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  { userId }: Actor,
  id: ContactId,
  wish: Input<typeof contactsContract.changeContact>['body'],
): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    const before = await lockContact(tx, userId, id);
    const line = (field: 'name' | 'phone' | 'company') =>
      wish[field] === undefined ? before[field] : trimLine(wish[field], longest[field]);
    const contact = {
      id,
      address: before.address,
      name: line('name'),
      phone: line('phone'),
      company: line('company'),
      tags: wish.tags === undefined ? before.tags : trimTags(wish.tags, longest.tag, mostTags),
    };
    await writeContacts(tx, userId, 'hand', [contact], app.clock.nowMs());
    await app.feed.publish(tx, userId, contactsTopic);
  });
}

/** Stays away until a meeting comes that is not known yet; or takes that back. *Errors*: AppError not-found. */
export function deleteContact(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  { userId }: Actor,
  id: ContactId,
  isBack: boolean,
): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    const mark = isBack ? unmarkDeleted : markDeleted;
    if (!(await mark(tx, userId, id, app.clock.nowMs()))) throw noContact();
    await app.feed.publish(tx, userId, contactsTopic);
  });
}

export const noContact = () =>
  new AppError('not-found', 'NOT_FOUND', 'Contact not found. It may have been deleted or merged. Reload the list.');

/** A contact of theirs, which stays as it is until the transaction ends. *Errors*: AppError not-found. */
export async function lockContact(tx: Tx, userId: UserId, id: ContactId): Promise<Contact> {
  const [contact] = await lockContacts(tx, userId, [id]);
  if (contact === undefined) throw noContact();
  return contact;
}

const pageRows = 50;

/** A page of meetings with a contact, newest first. *Errors*: AppError not-found. */
export async function listContactMeetings(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: Actor,
  id: ContactId,
  before: string | undefined,
): Promise<Output<typeof contactsContract.listContactMeetings>> {
  if ((await findContact(db, userId, id)) === null) throw noContact();
  const beforeMs = before === undefined ? null : Temporal.Instant.from(before).epochMilliseconds;
  const rows = await listMeetings(db, id, { nowMs: clock.nowMs(), beforeMs, limit: pageRows + 1 });
  return { meetings: rows.slice(0, pageRows).map(toShownMeeting), more: rows.length > pageRows };
}

/** A page of contacts; five statements whatever is on it. */
export async function listContacts(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: Actor,
  query: Input<typeof contactsContract.listContacts>['query'],
): Promise<Output<typeof contactsContract.listContacts>> {
  const nowMs = clock.nowMs();
  const order = query.order ?? 'last';
  const after = query.after === undefined ? null : readCursor(query.after, order);
  const filter = readFilter(query, nowMs);
  await countDue(db, userId, nowMs);
  const [rows, counts, tags] = await Promise.all([
    findContacts(db, userId, filter, { order, after, limit: pageRows + 1 }),
    countContacts(db, userId, filter),
    listTags(db, userId),
  ]);
  const page = rows.slice(0, pageRows);
  const addresses = Map.groupBy(
    await listAddresses(
      db,
      page.map(({ id }) => id),
    ),
    ({ personId }) => personId,
  );
  const last = rows.length > pageRows ? page.at(-1) : undefined;
  return {
    contacts: page.map((one) => toShownContact(one, addresses.get(one.id) ?? [])),
    next: last === undefined ? null : JSON.stringify([order, last.sortedBy, last.id]),
    ...counts,
    tags,
  };
}

/** A cursor is ours; whatever else comes is refused, not guessed at. */
function readCursor(text: string, order: ContactOrder): Cursor {
  try {
    const [name, value, id, ...more] = JSON.parse(text) as unknown[];
    const isValue = order === 'name' ? typeof value === 'string' : Number.isSafeInteger(value);
    const isId = typeof id === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
    if (name === order && isValue && isId && more.length === 0)
      return { value: value as string | number, id: id as ContactId };
  } catch {
    // said below
  }
  throw new AppError(
    'invalid',
    'INVALID_INPUT',
    'This page of contacts no longer exists. Start again from the first page.',
  );
}

const mostAhead = 20;

/** The profile of a contact, in a constant number of statements. *Errors*: AppError not-found. */
export async function getContact(
  app: Pick<App, 'db' | 'clock' | 'mail'>,
  { userId }: Actor,
  id: ContactId,
): Promise<Output<typeof contactsContract.readContact>> {
  const { db } = app;
  const nowMs = app.clock.nowMs();
  await countDue(db, userId, nowMs);
  const contact = await findContact(db, userId, id);
  if (contact === null) throw noContact();
  const [addresses, next, ahead, notes, followUps, followUp, teams, mates] = await Promise.all([
    listAddresses(db, [id]),
    findNext(db, id, nowMs),
    listBookingsAhead(db, id, { nowMs, limit: mostAhead }),
    listNotes(db, [id]),
    listFollowUps(db, id),
    decideFollowUp(app, db, userId, contact),
    listTeamsOf(db, userId),
    listTeammates(db, userId),
  ]);
  const [hosts, owners] = await Promise.all([
    listHosts(db, [...new Set(mates.map((one) => one.userId))]),
    listOwners(
      db,
      teams.map((team) => team.id),
      contact.address,
    ),
  ]);
  return {
    contact: toShownContact(contact, addresses),
    next: next === null ? null : toShownMeeting(next),
    bookings_ahead: ahead.map(toShownMeeting),
    notes: notes.map(({ id: noteId, body, atMs }) => ({ id: noteId, body, at: isoOfMs(atMs) })),
    follow_ups: followUps.map(({ atMs, ...one }) => ({ ...one, at: isoOfMs(atMs) })),
    follow_up: followUp,
    teams: teams.map((team) => ({
      id: team.id,
      name: team.name,
      may_choose: may(team.role, 'manage-routing'),
      owner_id: owners.find((one) => one.teamId === team.id)?.userId ?? null,
      members: mates
        .filter((one) => one.teamId === team.id)
        .map((one) => ({ id: one.userId, name: hosts.get(one.userId)?.name ?? '' }))
        .filter((one) => one.name !== '')
        .toSorted((one, other) => compareNames(one.name, other.name)),
    })),
  };
}

const mostPairs = 20;

/** Contacts that may be one person. */
export async function listDuplicates(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: Actor,
): Promise<Output<typeof contactsContract.listDuplicates>> {
  await countDue(db, userId, clock.nowMs());
  const pairs = await findPairs(db, userId, mostPairs);
  return {
    pairs: pairs.map((pair) => ({
      why: pair.why,
      keep: { id: pair.keepId, name: pair.keepName, address: pair.keepAddress },
      other: { id: pair.otherId, name: pair.otherName, address: pair.otherAddress },
    })),
  };
}

/** The filter of a query for the store. Words after the eighth are ignored. */
export function readFilter(
  query: {
    q?: string | undefined;
    tag?: string | undefined;
    source?: ContactSource | undefined;
    met?: (typeof meetingAges)[number] | undefined;
  },
  nowMs: number,
): ContactFilter {
  const words = foldText(query.q ?? '')
    .slice(0, 200)
    .split(' ')
    .filter(Boolean)
    .slice(0, 8);
  return { words, tag: query.tag ?? null, source: query.source ?? null, met: query.met ?? null, nowMs };
}

const dayMs = 86_400_000;

/**
 * Whether the server may mail a follow-up to a contact. Its text is free, so it goes only to guests who booked with this user
 * and confirmed the address. A booking alone proves nothing: a host can book any address on their own page.
 */
export async function decideFollowUp(
  { mail, clock }: Pick<App, 'mail' | 'clock'>,
  db: Database,
  userId: UserId,
  { id, address }: { id: ContactId; address: string },
): Promise<'here' | 'no-mail-server' | 'never-booked' | 'limit'> {
  if (mail.transport === null) return 'no-mail-server';
  if ((await listUnproved(db, [userId], [address])).length > 0) return 'never-booked';
  const { all, one } = await countFollowUps(db, userId, id, clock.nowMs() - dayMs);
  return all >= followUpsADay.all || one >= followUpsADay.one ? 'limit' : 'here';
}
