import { randomUUID } from 'node:crypto';
import type { Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { ContactId, NoteId, UserId } from '#kernel/ids.ts';
import type { Sliced } from '#kernel/work-budget.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { inSlices } from '#platform/in-slices.ts';
import type { contactsContract } from '../contract.ts';
import { contactsTopic } from '../events.ts';
import {
  type KnownRow,
  listKnown,
  lockRoom,
  markDue,
  type WrittenContact,
  writeContacts,
} from '../store/contact-rows.ts';
import { insertNotes } from '../store/note-rows.ts';
import { readCsv } from './csv.ts';
import { fillIn, type PlannedRow, planImport, readRows, readVcard } from './rules.ts';

type Answer = Output<typeof contactsContract.importContacts>;

/** Rows told of in an answer besides those that are refused. */
const mostShown = 100;
/** Refused rows that are told of. */
const mostRefused = 500;

/** The result of an import without writing anything. *Errors*: AppError unprocessable (`IMPORT_UNREADABLE`, `TOO_MANY_COLUMNS`). */
export function previewImport(app: Pick<App, 'db'>, { userId }: Actor, file: Uint8Array): Promise<Answer> {
  return readFile(file).then((read) =>
    inTransaction(app.db, async (tx) => showPlan((await planOf(tx, userId, read)).rows)),
  );
}

/** Takes a file in. The same file again changes nothing. *Errors*: as `previewImport`. */
export async function importContacts(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  { userId }: Actor,
  file: Uint8Array,
): Promise<Answer> {
  const read = await readFile(file);
  return inTransaction(app.db, async (tx) => {
    const nowMs = app.clock.nowMs();
    const { rows, known } = await planOf(tx, userId, read);
    const { written, notes } = await inSlices(changesOf(rows, known, nowMs));
    await writeContacts(tx, userId, 'import', [...written.values()], nowMs);
    await insertNotes(tx, notes);
    await markDue(tx, userId, [...written.values()].map(({ address }) => address).sort());
    if (written.size > 0) await app.feed.publish(tx, userId, contactsTopic);
    return showPlan(rows);
  });
}

interface NewNote {
  id: NoteId;
  contactId: ContactId;
  body: string;
  atMs: number;
}

function* changesOf(
  rows: readonly PlannedRow[],
  known: ReadonlyMap<string, KnownRow>,
  nowMs: number,
): Sliced<{ written: Map<ContactId, WrittenContact>; notes: NewNote[] }> {
  // several addresses of a file may be one person here
  const written = new Map<ContactId, WrittenContact>();
  const notes: NewNote[] = [];
  for (const row of rows) {
    yield;
    if (row.what !== 'added' && row.what !== 'changed') continue;
    const before = known.get(row.draft.address);
    const id = before?.id ?? (randomUUID() as ContactId);
    const last = written.get(id) ?? before ?? { name: null, phone: null, company: null, tags: [] };
    const { name, phone, company, tags } = fillIn(last, row.draft);
    const address = before?.personAddress ?? row.draft.address;
    written.set(id, { id, address, name, phone, company, tags: [...tags] });
    if (row.draft.note !== null && !(before?.notes ?? []).includes(row.draft.note))
      notes.push({ id: randomUUID() as NoteId, contactId: id, body: row.draft.note, atMs: nowMs });
  }
  return { written, notes };
}

/** A long file takes a while, and no connection to the database. */
async function readFile(file: Uint8Array) {
  const text = decode(file);
  const raw = /^\s*BEGIN:VCARD/i.test(text) ? await inSlices(readVcard(text)) : await readCsv(text);
  if (raw === null || raw.length === 0)
    throw new AppError(
      'unprocessable',
      'IMPORT_UNREADABLE',
      'We found no contacts in this file. A CSV file needs a header row with an Email column. A vCard file begins with BEGIN:VCARD.',
    );
  return inSlices(readRows(raw));
}

async function planOf(tx: Tx, userId: UserId, read: Awaited<ReturnType<typeof readFile>>) {
  const room = await lockRoom(tx, userId);
  const known = await knownOf(
    tx,
    userId,
    read.flatMap((row) => ('draft' in row ? [row.draft.address] : [])),
  );
  return { rows: await inSlices(planImport(read, known, room)), known };
}

async function knownOf(tx: Tx, userId: UserId, addresses: string[]): Promise<Map<string, KnownRow>> {
  return new Map((await listKnown(tx, userId, addresses)).map((one) => [one.address, one]));
}

/** UTF-8 or UTF-16 by its mark; what is not UTF-8 was written by a spreadsheet on Windows. */
function decode(file: Uint8Array): string {
  if (file[0] === 0xff && file[1] === 0xfe) return new TextDecoder('utf-16le').decode(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return new TextDecoder('windows-1252').decode(file);
  }
}

function showPlan(rows: readonly PlannedRow[]): Answer {
  const count = (what: PlannedRow['what']) => rows.filter((row) => row.what === what).length;
  const shown = [
    ...rows.filter((row) => row.what === 'refused').slice(0, mostRefused),
    ...rows.filter((row) => row.what !== 'refused').slice(0, mostShown),
  ].toSorted((one, other) => one.line - other.line);
  return {
    added: count('added'),
    changed: count('changed'),
    same: count('same'),
    refused: count('refused'),
    rows: shown.map((row) => ({
      line: row.line,
      what: row.what,
      address: row.what === 'refused' ? row.shown : row.draft.address,
      name: row.what === 'refused' ? null : row.draft.name,
      gains: row.what === 'changed' ? row.gains : [],
      reason: row.what === 'refused' ? row.reason : null,
    })),
  };
}
