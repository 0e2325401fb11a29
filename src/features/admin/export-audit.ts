import { Buffer } from 'node:buffer';
import { recordAct } from '#features/accounts/public.ts';
import type { FileAnswer } from '#kernel/codecs.ts';
import { csvRow } from '#kernel/csv.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { type Filters, findEntries } from './find-entries.ts';
import { viewEntries } from './view-entries.ts';

/** What is in memory of an export, however long it is. */
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

type View = Awaited<ReturnType<typeof viewEntries>>[number];

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
    const views = await viewEntries(db, rows);
    if (format === 'csv') yield Buffer.from(views.map(csvOf).join(''));
    else yield Buffer.from(`${comma}\n${views.map((one) => JSON.stringify(jsonOf(one))).join(',\n')}`);
    comma = ',';
    const last = rows.at(-1)?.position ?? 0;
    rows = rows.length < rowsAtOnce ? [] : await read(last, rowsAtOnce);
  }
  if (format === 'json') yield Buffer.from('\n]\n');
}

const jsonOf = (one: View) => ({
  ...one,
  timestamp: Temporal.Instant.fromEpochMilliseconds(one.timestamp).toString(),
});

const csvOf = (one: View) =>
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
