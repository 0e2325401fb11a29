import { Buffer } from 'node:buffer';
import {
  type EntriesWanted,
  type Entry,
  listActorsLike,
  listEntries,
  recordAct,
} from '#features/accounts/audit/public.ts';
import { listAddresses } from '#features/accounts/people/public.ts';
import type { FileAnswer } from '#kernel/codecs.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { csvRow } from '#kernel/csv.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type { adminContract } from '../contract.ts';
import { entriesPerPage } from './contract.ts';
import { everything } from './rules.ts';

type List = typeof adminContract.listAudit;

/** A page of the log. */
export async function listAudit(
  { db }: Pick<App, 'db'>,
  { before, ...filters }: Input<List>['query'],
): Promise<Output<List>> {
  const read = await findEntries(db, filters);
  const found = await read(before ?? null, entriesPerPage + 1);
  const shown = found.slice(0, entriesPerPage);
  return {
    entries: await toShownEntries(db, shown),
    next: found.length > entriesPerPage ? (shown.at(-1)?.position ?? null) : null,
  };
}

type Filters = Input<typeof adminContract.exportAuditCsv>['query'];

/** The most people that the text of an actor filter may match. */
const mostActors = 20;

/** Reads pages of what a filter asks for; who is meant by its actor is looked up once. */
async function findEntries(
  db: Database,
  { actor, actorType, action, text, from, to }: Filters,
): Promise<(before: number | null, limit: number) => Promise<Entry[]>> {
  const wanted: EntriesWanted = {
    ...everything,
    bySystem: actorType === undefined ? null : actorType === 'System',
    action: action ?? null,
    text: text ?? null,
    fromMs: from ?? null,
    toMs: to ?? null,
  };
  const typed = actor?.trim() ?? '';
  if (typed === '') return (before, limit) => listEntries(db, { ...wanted, before }, limit);
  const actors = wanted.bySystem === true ? [] : await listActorsLike(db, typed, mostActors);
  return async (before, limit) => {
    const found = await Promise.all(actors.map((actorId) => listEntries(db, { ...wanted, actorId, before }, limit)));
    return found
      .flat()
      .toSorted((one, other) => other.position - one.position)
      .slice(0, limit);
  };
}

type EntryView = Output<typeof adminContract.readUser>['audit'][number];

/** Entries with the addresses that people have now; one statement. */
export async function toShownEntries(db: Database, entries: readonly Entry[]): Promise<EntryView[]> {
  const people = entries.flatMap(({ actorId, subjectKind, subjectId }) => [
    ...(actorId === null ? [] : [actorId]),
    ...(subjectKind === 'user' && subjectId !== null ? [subjectId] : []),
  ]);
  const emails = people.length === 0 ? new Map<string, string>() : await listAddresses(db, [...new Set(people)]);
  return entries.map((one) => ({
    id: one.position,
    timestamp: one.atMs,
    actor: one.actorId === null ? null : (emails.get(one.actorId) ?? null),
    actorId: one.actorId,
    actorType: one.actorId === null ? 'System' : 'Admin',
    actionType: one.action,
    subject:
      one.subjectKind === null || one.subjectId === null
        ? null
        : { kind: one.subjectKind, id: one.subjectId, email: emails.get(one.subjectId) ?? null },
    reason: one.reason,
    details: one.details,
    requestId: one.requestId,
    hash: one.hash,
  }));
}

/** Entries of an export that are in memory at once. */
const rowsAtOnce = 1_000;

const columns = [
  'id',
  'timestamp',
  'actor',
  'actorId',
  'actorType',
  'actionType',
  'subject',
  'subjectId',
  'reason',
  'details',
  'requestId',
  'hash',
];

/** All that a filter asks for, read as fast as it is taken; up to the moment it is asked for, this line of it not included. */
export async function exportAudit(
  app: Pick<App, 'db' | 'clock'>,
  actor: Actor,
  filters: Filters,
  format: 'csv' | 'json',
  request: RequestFacts,
): Promise<FileAnswer> {
  const read = await findEntries(app.db, filters);
  const first = await read(null, rowsAtOnce);
  await inTransaction(app.db, (tx) =>
    recordAct(tx, {
      actorId: actor.userId,
      action: 'audit_export',
      reason: null,
      request,
      details: { format, filters: Object.keys(filters).join(' ') },
    }),
  );
  const day = Temporal.Instant.fromEpochMilliseconds(app.clock.nowMs()).toString().slice(0, 10);
  return { name: `audit-logs-${day}.${format}`, sizeBytes: null, chunks: chunksOf(app, first, read, format) };
}

async function* chunksOf(
  { db }: Pick<App, 'db'>,
  first: Awaited<ReturnType<Awaited<ReturnType<typeof findEntries>>>>,
  read: Awaited<ReturnType<typeof findEntries>>,
  format: 'csv' | 'json',
): AsyncGenerator<Uint8Array> {
  // Excel takes a file for UTF-8 only where it begins so
  yield Buffer.from(format === 'csv' ? `\uFEFF${csvRow(columns)}` : '[');
  let comma = '';
  for (let rows = first; rows.length > 0; ) {
    const views = await toShownEntries(db, rows);
    if (format === 'csv') yield Buffer.from(views.map(csvOf).join(''));
    else yield Buffer.from(`${comma}\n${views.map((one) => JSON.stringify(jsonOf(one))).join(',\n')}`);
    comma = ',';
    const last = rows.at(-1)?.position ?? 0;
    rows = rows.length < rowsAtOnce ? [] : await read(last, rowsAtOnce);
  }
  if (format === 'json') yield Buffer.from('\n]\n');
}

const jsonOf = (one: EntryView) => ({
  ...one,
  timestamp: Temporal.Instant.fromEpochMilliseconds(one.timestamp).toString(),
});

const csvOf = (one: EntryView) =>
  csvRow([
    one.id,
    jsonOf(one).timestamp,
    one.actor ?? '',
    one.actorId ?? '',
    one.actorType,
    one.actionType,
    one.subject?.email ?? one.subject?.kind ?? '',
    one.subject?.id ?? '',
    one.reason ?? '',
    Object.keys(one.details).length === 0 ? '' : JSON.stringify(one.details),
    one.requestId ?? '',
    one.hash,
  ]);
