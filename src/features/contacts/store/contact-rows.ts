import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ContactId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { inSlices } from '#platform/in-slices.ts';
import { mailboxOf } from '#platform/recipients.ts';
import { type ContactSource, contactText, keptMs, mostContacts, nameKey } from '../rules.ts';

export interface Contact {
  id: ContactId;
  address: string;
  name: string | null;
  phone: string | null;
  company: string | null;
  tags: string[];
  source: ContactSource;
  bookings: number;
  met: number;
  lastMs: number | null;
  nextMs: number | null;
}

/** The editable fields of a contact. */
export type ContactFields = Pick<Contact, 'name' | 'phone' | 'company' | 'tags'>;

export const contactColumns = sql`c.id, c.address, c.name, c.phone, c.company, c.tags, c.source, c.bookings, c.met,
  c.last_ms as "lastMs", c.next_ms as "nextMs"`;

/** A contact that is there: one that is deleted or was merged into another is none. */
export const isShown = sql`c.id = c.person_id and c.deleted_ms is null`;

export async function findContact(db: Database, userId: UserId, id: ContactId): Promise<Contact | null> {
  const { rows } = await sql<Contact>`
    select ${contactColumns} from contacts.contacts c where c.user_id = ${userId} and c.id = ${id} and ${isShown}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** The same, unchanged until the transaction ends; several in the order of their ids, so that two never wait for each other. */
export async function lockContacts(tx: Tx, userId: UserId, ids: readonly ContactId[]): Promise<Contact[]> {
  const { rows } = await sql<Contact>`
    select ${contactColumns} from contacts.contacts c
    where c.user_id = ${userId} and c.id = any(${ids}::uuid[]) and ${isShown} order by c.id for update`.execute(tx);
  return rows;
}

export interface PersonAddress {
  id: ContactId;
  personId: ContactId;
  address: string;
  name: string | null;
}

/** Every address of these people, the one that is written to first. */
export async function listAddresses(db: Database, ids: readonly ContactId[]): Promise<PersonAddress[]> {
  const { rows } = await sql<PersonAddress>`
    select id, person_id as "personId", address, name from contacts.contacts
    where person_id = any(${ids}::uuid[]) order by id <> person_id, address`.execute(db);
  return rows;
}

export interface MetPerson {
  address: string;
  name: string | null;
  /** Whether the meeting is new, which restores a deleted contact. */
  isNew: boolean;
}

/**
 * Adds contacts from meetings, as far as there is room. A missing name is filled in. Counts are updated at the next
 * view.
 */
export async function addMetContacts(
  tx: Tx,
  userId: UserId,
  source: 'booking' | 'calendar',
  people: readonly MetPerson[],
  nowMs: number,
): Promise<void> {
  if (people.length === 0) return;
  // in one order everywhere: two calendars of a person are read at the same time
  const sorted = people.toSorted((one, other) => (one.address < other.address ? -1 : 1));
  await bringBack(
    tx,
    userId,
    sorted.filter((one) => one.isNew).map((one) => one.address),
  );
  const facts = sorted.map(({ address, name }) => ({ address, name, phone: null, company: null, tags: [] }));
  await sql`
    with fresh as (
      select * from unnest(${sorted.map(() => randomUUID())}::uuid[], ${sorted.map((one) => one.address)}::text[],
        ${sorted.map((one) => mailboxOf(one.address))}::text[], ${sorted.map((one) => one.name)}::text[],
        ${sorted.map((one) => nameKey(one.name))}::text[], ${facts.map(contactText)}::text[])
        as f(id, address, address_key, name, name_key, text)
    )
    insert into contacts.contacts as c
      (id, user_id, person_id, address, address_key, name, name_key, text, source, created_ms, changed_ms)
    select id, ${userId}, id, address, address_key, name, name_key, text, ${source}, ${nowMs}, ${nowMs} from fresh f
    where (select count(*) from contacts.contacts k where k.user_id = ${userId}) < ${mostContacts}
      or exists (select from contacts.contacts k where k.user_id = ${userId} and k.address = f.address)
    order by f.address
    on conflict (user_id, address) do update set name = excluded.name, name_key = excluded.name_key,
      text = c.text || excluded.text
    where c.name is null and excluded.name is not null and c.deleted_ms is null`.execute(tx);
  await markDue(
    tx,
    userId,
    sorted.map((one) => one.address),
  );
}

/**
 * Deletes contacts that came with a booking which is another host's now: no booking or event of this person has them any
 * more, and the person added nothing to them. Without a trace, as they return with the next booking. Returns how many.
 */
export async function deleteFormerContacts(tx: Tx, userId: UserId): Promise<number> {
  const none = (table: 'guests' | 'attendances' | 'held') =>
    sql`not exists (select from ${sql.table(`contacts.${table}`)} t where t.user_id = c.user_id and t.address = c.address)`;
  const { numAffectedRows } = await sql`
    delete from contacts.contacts c
    where c.user_id = ${userId} and c.source = 'booking' and c.id = c.person_id
      and c.changed_ms = c.created_ms and c.tags = '{}' and ${none('guests')} and ${none('attendances')} and ${none('held')}
      and not exists (select from contacts.contacts o where o.person_id = c.id and o.id <> c.id)
      and not exists (select from contacts.notes n where n.contact_id = c.id and n.deleted_ms is null)
      and not exists (select from contacts.follow_ups f where f.contact_id = c.id)`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Somebody's number, where none is known of them. */
export async function fillPhone(tx: Tx, userId: UserId, address: string, phone: string): Promise<void> {
  await sql`
    update contacts.contacts c set phone = ${phone}, text = c.text || ${contactText({ phone, name: null, address: '', company: null, tags: [] })}
    where c.phone is null and c.deleted_ms is null and c.id = (
      select person_id from contacts.contacts where user_id = ${userId} and address = ${address})`.execute(tx);
}

/** People with these addresses who were deleted are there again. */
async function bringBack(tx: Tx, userId: UserId, addresses: readonly string[]): Promise<void> {
  await sql`
    update contacts.contacts set deleted_ms = null where deleted_ms is not null and id in (
      select person_id from contacts.contacts where user_id = ${userId} and address = any(${addresses}::text[]))`.execute(
    tx,
  );
}

/** Marks counts as outdated; null: everybody's. Returns how many were not marked before. */
export async function markDue(tx: Database, userId: UserId, addresses: readonly string[] | null): Promise<number> {
  const { numAffectedRows } = await sql`
    update contacts.contacts set due_ms = 0 where user_id = ${userId} and id = person_id
      and due_ms is distinct from 0 and (${addresses === null} or id in (
        select person_id from contacts.contacts
        where user_id = ${userId} and address = any(${addresses ?? []}::text[])))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export interface KnownRow extends ContactFields {
  id: ContactId;
  address: string;
  /** The one that its person is written to by. */
  personAddress: string;
  deleted: boolean;
  notes: string[];
}

/** Contacts of these addresses, deleted ones included, with the person they belong to. */
export async function listKnown(db: Database, userId: UserId, addresses: readonly string[]): Promise<KnownRow[]> {
  const { rows } = await sql<KnownRow>`
    select c.id, p.address, c.address as "personAddress", c.name, c.phone, c.company, c.tags, c.deleted_ms is not null as deleted,
      array(select n.body from contacts.notes n where n.contact_id = c.id and n.deleted_ms is null) as notes
    from contacts.contacts p join contacts.contacts c on c.id = p.person_id
    where p.user_id = ${userId} and p.address = any(${addresses}::text[])`.execute(db);
  return rows;
}

/** Locks the room of a person's contacts until the transaction ends, so that the limit holds; returns the free room. */
export async function lockRoom(tx: Tx, userId: UserId): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('contacts ' || ${userId}::text, 0))`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from contacts.contacts where user_id = ${userId}`.execute(tx);
  return mostContacts - (rows[0]?.count ?? 0);
}

export type WrittenContact = ContactFields & { id: ContactId; address: string };

/** Rows of one statement. */
const writtenAtOnce = 500;

/** Adds contacts, or updates those with these ids; deleted ones are restored. Many of them in slices. */
export async function writeContacts(
  tx: Tx,
  userId: UserId,
  source: 'hand' | 'import',
  contacts: readonly WrittenContact[],
  nowMs: number,
): Promise<void> {
  const rows = await inSlices(toRows(contacts));
  for (let start = 0; start < rows.length; start += writtenAtOnce) {
    const written = JSON.stringify(rows.slice(start, start + writtenAtOnce));
    await sql`
      insert into contacts.contacts as c (id, user_id, person_id, address, address_key, name, name_key, phone, company,
        tags, text, source, created_ms, changed_ms)
      select id, ${userId}, id, address, address_key, name, name_key, phone, company, tags, text, ${source}, ${nowMs},
        ${nowMs}
      from jsonb_to_recordset(${written}::jsonb) as r(id uuid, address text, address_key text, name text,
        name_key text, phone text, company text, tags text[], text text)
      order by id
      on conflict (id) do update set name = excluded.name, name_key = excluded.name_key, phone = excluded.phone,
        company = excluded.company, tags = excluded.tags, text = excluded.text, changed_ms = excluded.changed_ms,
        deleted_ms = null`.execute(tx);
  }
}

function* toRows(contacts: readonly WrittenContact[]) {
  const rows = [];
  for (const one of contacts.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    rows.push({
      ...one,
      address_key: mailboxOf(one.address),
      name_key: nameKey(one.name),
      text: contactText(one),
    });
    yield;
  }
  return rows;
}

/** False where there is none. */
export async function markDeleted(tx: Tx, userId: UserId, id: ContactId, nowMs: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update contacts.contacts c set deleted_ms = ${nowMs} where user_id = ${userId} and id = ${id} and ${isShown}`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/** False where there is none that could be taken back. */
export async function unmarkDeleted(tx: Tx, userId: UserId, id: ContactId, nowMs: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update contacts.contacts set deleted_ms = null
    where user_id = ${userId} and id = ${id} and id = person_id and deleted_ms > ${nowMs - keptMs}`.execute(tx);
  return numAffectedRows === 1n;
}

/** Clears contacts that were deleted long ago. Only the address remains, so that the contact does not return. */
export async function clearDeleted(db: Database, nowMs: number): Promise<void> {
  await sql`
    with old as (
      select id from contacts.contacts where id = person_id and deleted_ms <= ${nowMs - keptMs}
    ), notes as (
      delete from contacts.notes where contact_id in (
        select id from contacts.contacts where person_id in (select id from old))
    ), mails as (
      delete from contacts.follow_ups where contact_id in (
        select id from contacts.contacts where person_id in (select id from old))
    )
    update contacts.contacts set name = null, name_key = null, phone = null, company = null, tags = '{}', brought = null,
      text = ' '
    where person_id in (select id from old) and text <> ' '`.execute(db);
  await sql`delete from contacts.notes where deleted_ms <= ${nowMs - keptMs}`.execute(db);
}

/** Another person's addresses are this one's; answers with their ids, that which was written to first. */
export async function moveAddresses(
  tx: Tx,
  from: ContactId,
  to: ContactId,
  brought: Record<string, unknown>,
): Promise<ContactId[]> {
  await sql`update contacts.contacts set brought = ${JSON.stringify(brought)}::jsonb where id = ${from}`.execute(tx);
  const { rows } = await sql<{ id: ContactId }>`
    update contacts.contacts set person_id = ${to} where person_id = ${from} returning id`.execute(tx);
  return rows.map(({ id }) => id).toSorted((one, other) => Number(other === from) - Number(one === from));
}

/** The values that an address had before it was merged, or null if it is no address of the person. */
export async function findBrought(tx: Tx, personId: ContactId, id: ContactId): Promise<Partial<ContactFields> | null> {
  const { rows } = await sql<{ brought: Partial<ContactFields> | null }>`
    select brought from contacts.contacts where id = ${id} and person_id = ${personId} and id <> ${personId}`.execute(
    tx,
  );
  return rows[0] === undefined ? null : (rows[0].brought ?? {});
}

/** Splits addresses off into a person of their own. */
export async function splitAddresses(
  tx: Tx,
  from: ContactId,
  head: ContactId,
  ids: readonly ContactId[],
): Promise<void> {
  await sql`
    update contacts.contacts set person_id = ${head}, brought = case when id = ${head} then null else brought end, due_ms = 0
    where person_id = ${from} and id <> ${from} and id = any(${ids}::uuid[])`.execute(tx);
}

/** Contacts made by meetings alone that are the person's own or their team's by now, and of which nothing was written. */
export async function deleteOwn(tx: Tx, userId: UserId, own: readonly string[]): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from contacts.contacts c
    where user_id = ${userId} and address = any(${own}::text[]) and source in ('booking', 'calendar') and tags = '{}'
      and not exists (select from contacts.contacts o where o.person_id = c.id and o.id <> c.id)
      and not exists (select from contacts.notes n where n.contact_id = c.id)
      and not exists (select from contacts.follow_ups f where f.contact_id = c.id)`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

export interface WholeContact extends ContactFields {
  id: ContactId;
  address: string;
  notes: unknown;
  followUps: unknown;
}

/** Everything about a person's contacts, for them to take along. */
export async function listEverything(
  db: Database,
  userId: UserId,
  { after, limit }: { after: ContactId | null; limit: number },
): Promise<WholeContact[]> {
  const { rows } = await sql<WholeContact>`
    select c.id, c.person_id as "personId", c.address, c.name, c.phone, c.company, c.tags, c.source, c.bookings, c.met,
      c.last_ms as "lastMs", c.created_ms as "createdMs", c.deleted_ms as "deletedMs",
      (select json_agg(json_build_object('atMs', n.at_ms, 'body', n.body) order by n.at_ms) from contacts.notes n
        where n.contact_id = c.id and n.deleted_ms is null) as notes,
      (select json_agg(json_build_object('atMs', f.at_ms, 'subject', f.subject, 'body', f.body) order by f.at_ms)
        from contacts.follow_ups f where f.contact_id = c.id) as "followUps"
    from contacts.contacts c where c.user_id = ${userId} and (${after}::uuid is null or c.id > ${after})
    order by c.id limit ${limit}`.execute(db);
  return rows;
}
