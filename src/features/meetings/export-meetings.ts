import { Buffer } from 'node:buffer';
import { loadViewer } from '#features/calendar/public.ts';
import type { FileAnswer } from '#kernel/codecs.ts';
import type { Input } from '#kernel/contract.ts';
import { csvRow } from '#kernel/csv.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { meetingsContract } from './contract.ts';
import { readMeetings } from './read-meetings.ts';
import { readMirrors } from './read-mirrors.ts';
import { readRowFilter } from './read-row-filter.ts';
import { findMeetings, findMirrors } from './store/find-rows.ts';

type Query = Input<typeof meetingsContract.exportMeetings>['query'];

const mostRows = 100_000;
/** Rows that are in memory at once. */
const batchRows = 500;

/** The filtered rows as a file. The list of rows is fixed at the start, and each is read when it is sent. */
export async function exportMeetings(app: App, actor: Actor, query: Query): Promise<FileAnswer> {
  const { db } = app;
  const nowMs = app.clock.nowMs();
  const viewer = await loadViewer(db, actor.userId);
  const filter = readRowFilter(query, viewer, nowMs);
  const { scope } = query;
  const day = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(viewer.ownerZone).toPlainDate();
  const everything = { offset: 0, limit: mostRows };
  const name = `meetings-${scope}-${day.toString()}.csv`;
  if (scope === 'mirrors') {
    const ids = await findMirrors(db, actor.userId, filter, everything);
    const read = (some: typeof ids) => readMirrors(db, actor.userId, viewer, some, nowMs);
    return { name, sizeBytes: null, chunks: inBatches(ids, read, mirrorColumns) };
  }
  const keys = await findMeetings(db, actor.userId, scope, filter, everything);
  const read = (some: typeof keys) => readMeetings(db, actor.userId, viewer, some, nowMs);
  return { name, sizeBytes: null, chunks: inBatches(keys, read, meetingColumns) };
}

async function* inBatches<Key, Row>(
  keys: Key[],
  read: (some: Key[]) => Promise<Row[]>,
  columns: Columns<Row>,
): AsyncGenerator<Uint8Array> {
  // Excel takes a file for UTF-8 only where it begins so
  yield Buffer.from(`\uFEFF${csvRow(columns.map(([name]) => name))}`);
  for (let start = 0; start < keys.length; start += batchRows) {
    const rows = await read(keys.slice(start, start + batchRows));
    yield Buffer.from(rows.map((row) => csvRow(columns.map(([, cell]) => cell(row)))).join(''));
  }
}

type Columns<Row> = readonly (readonly [string, (row: Row) => string | number])[];

const meetingColumns: Columns<Awaited<ReturnType<typeof readMeetings>>[number]> = [
  ['Starts', (row) => row.starts_at],
  ['Ends', (row) => row.ends_at],
  ['All day', (row) => (row.all_day ? 'yes' : 'no')],
  ['Event type', (row) => row.eventType],
  ['Status', (row) => row.status],
  ['Invitee', (row) => row.invitee],
  ['Email', (row) => row.email],
  ['Invitees', (row) => row.invitees.length],
  ['Provider', (row) => row.origin.provider],
  ['Account', (row) => row.origin.account],
  ['Calendar', (row) => row.origin.subcalendar],
  ['Mirrors created', (row) => row.mirrorHealth.created],
  ['Mirrors pending', (row) => row.mirrorHealth.pending],
  ['Mirrors failed', (row) => row.mirrorHealth.failed],
  ['Meeting link', (row) => row.meetingLink ?? ''],
];

const mirrorColumns: Columns<Awaited<ReturnType<typeof readMirrors>>[number]> = [
  ['Starts', (row) => row.starts_at ?? ''],
  ['Title', (row) => row.title],
  ['Shown as', (row) => row.shown_as],
  ['Origin account', (row) => row.origin.account],
  ['Origin calendar', (row) => row.origin.subcalendar],
  ['Target account', (row) => row.target.account],
  ['Target calendar', (row) => row.target.subcalendar],
  ['Status', (row) => row.status],
  ['Written', (row) => row.last_sync ?? ''],
  ['Checked', (row) => row.verified_at ?? ''],
  ['Attempts', (row) => row.attempts],
  ['Reason or error', (row) => row.error ?? row.reason ?? ''],
];
