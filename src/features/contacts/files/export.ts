import { Buffer } from 'node:buffer';
import type { FileAnswer } from '#kernel/codecs.ts';
import type { Input } from '#kernel/contract.ts';
import { csvRow } from '#kernel/csv.ts';
import type { ContactId, UserId } from '#kernel/ids.ts';
import type { Sliced } from '#kernel/work-budget.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, listPart } from '#platform/export-part.ts';
import { inSlices } from '#platform/in-slices.ts';
import { readFilter } from '../contacts.ts';
import type { contactsContract } from '../contract.ts';
import { type Contact, listAddresses, listEverything } from '../store/contact-rows.ts';
import { type Cursor, findContacts } from '../store/find-contacts.ts';
import { countDue } from '../store/meeting-rows.ts';
import { listNotes } from '../store/note-rows.ts';
import { isoOfMs } from '../views.ts';
import { type ExportedContact, writeVcard } from './rules.ts';

type Query = Input<typeof contactsContract.exportVcard>['query'];

/** Contacts that are in memory at once. */
const batchRows = 100;
const csvColumns = [
  'Name',
  'Email',
  'Other addresses',
  'Phone',
  'Company',
  'Tags',
  'Total bookings',
  'Total meetings',
  'Last meeting',
  'Notes',
];

/** The filtered contacts as CSV or vCard. */
export function exportContacts(
  app: Pick<App, 'db' | 'clock'>,
  actor: Actor,
  query: Query,
  format: 'csv' | 'vcard',
): FileAnswer {
  if (format === 'vcard') return answer(app, actor, query, 'vcf', '', (one) => writeVcard(one, query.version ?? '4.0'));
  // Excel takes a file for UTF-8 only where it begins so
  return answer(app, actor, query, 'csv', `\uFEFF${csvRow(csvColumns)}`, (one) =>
    csvRow([
      one.name ?? '',
      one.addresses[0] ?? '',
      one.addresses.slice(1).join('; '),
      one.phone ?? '',
      one.company ?? '',
      one.tags.join('; '),
      one.bookings,
      one.met,
      one.lastMs === null ? '' : isoOfMs(one.lastMs),
      one.notes.join('\n\n'),
    ]),
  );
}

function answer(
  app: Pick<App, 'db' | 'clock'>,
  actor: Actor,
  query: Query,
  extension: string,
  head: string,
  write: (one: Contact & ExportedContact) => string,
): FileAnswer {
  const day = Temporal.Instant.fromEpochMilliseconds(app.clock.nowMs()).toString().slice(0, 10);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(head);
    for await (const batch of inBatches(app, actor, query)) yield Buffer.from(await inSlices(writeEach(batch, write)));
  }
  return { name: `contacts-${day}.${extension}`, sizeBytes: null, chunks: chunks() };
}

function* writeEach<One>(batch: readonly One[], write: (one: One) => string): Sliced<string> {
  let text = '';
  for (const one of batch) {
    text += write(one);
    yield;
  }
  return text;
}

async function* inBatches(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: Actor,
  query: Query,
): AsyncGenerator<(Contact & ExportedContact)[]> {
  const nowMs = clock.nowMs();
  const filter = readFilter(query, nowMs);
  await countDue(db, userId, nowMs);
  for (let after: Cursor | null = null; ; ) {
    const rows: Awaited<ReturnType<typeof findContacts>> = await findContacts(db, userId, filter, {
      order: 'name',
      after,
      limit: batchRows,
    });
    const ids = rows.map(({ id }) => id);
    const [addresses, notes] = await Promise.all([listAddresses(db, ids), listNotes(db, ids)]);
    const addressesOf = Map.groupBy(addresses, ({ personId }) => personId);
    const notesOf = Map.groupBy(notes, ({ personId }) => personId);
    yield rows.map((one) => ({
      ...one,
      addresses: (addressesOf.get(one.id) ?? []).map(({ address }) => address),
      notes: (notesOf.get(one.id) ?? []).map(({ body }) => body),
    }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchRows) return;
    after = { value: last.sortedBy, id: last.id };
  }
}

/** Whom a person met, with what they wrote about and to them. Deleted ones too, as long as something of them is kept. */
export function exportEveryContact({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    listPart('contacts.json', (page: { after: ContactId | null; limit: number }) => listEverything(db, userId, page)),
  ];
}
