import { Buffer } from 'node:buffer';
import type * as z from 'zod/mini';
import { countRequests, listQuestions } from '#features/booking/public.ts';
import { findItem, loadViewer, type Viewer } from '#features/calendar/public.ts';
import { readEventId } from '#features/calendar/rules/read-event-id.ts';
import { listCalendars } from '#features/connections/public.ts';
import { readWanted } from '#features/search/rules.ts';
import { hasMirror, listAudit } from '#features/sync/public.ts';
import type { FileAnswer } from '#kernel/codecs.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { csvRow } from '#kernel/csv.ts';
import { AppError } from '#kernel/errors.ts';
import { compareNames } from '#kernel/languages.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { auditEntryShape, meetingsContract } from './contract.ts';
import { listMeetingRows, listMirrorRows } from './rows.ts';
import { countMeetings, countMirrors, countTabs, listMeetingKeys, listMirrorIds, type RowFilter } from './store.ts';

type Query = Input<typeof meetingsContract.exportMeetings>['query'];

/** The filter of the address, in the terms of the store. */
function toRowFilter(query: Query, viewer: Viewer, nowMs: number): RowFilter {
  const { scope } = query;
  const sort = query.sort ?? (scope === 'mirrors' ? 'health' : 'date');
  const startOf = (day: string, plusDays: number) =>
    Temporal.PlainDate.from(day).add({ days: plusDays }).toZonedDateTime({ timeZone: viewer.ownerZone })
      .epochMilliseconds;
  return {
    calendarIds: calendarsOf(query, viewer, sort),
    typed: query.search?.trim() ?? '',
    words: readWanted(query.search ?? '')?.words ?? [],
    attendee: query.attendee?.trim().toLowerCase() ?? null,
    fromMs: query.from === undefined ? null : startOf(query.from, 0),
    toMs: query.to === undefined ? null : startOf(query.to, 1),
    state: (scope === 'mirrors' ? query.status : query.health) ?? null,
    sort,
    // past meetings: the latest first; upcoming ones: the next first
    descending: query.order === undefined ? scope === 'past' && sort === 'date' : query.order === 'desc',
    nowMs,
  };
}

/** By name, so that they sort rows as well; null where any will do. */
function calendarsOf(query: Query, { faces }: Viewer, sort: RowFilter['sort']): RowFilter['calendarIds'] {
  if (query.calendar === undefined && query.provider === undefined && sort !== 'origin') return null;
  return [...faces.values()]
    .filter(({ calendar }) => query.calendar === undefined || calendar.id === query.calendar)
    .filter(({ provider }) => query.provider === undefined || provider === query.provider)
    .map(({ calendar }) => calendar)
    .toSorted((one, other) => compareNames(one.name, other.name))
    .map(({ id }) => id);
}

type ListQuery = Input<typeof meetingsContract.listMeetings>['query'];
type Answer = Output<typeof meetingsContract.listMeetings>;

const pageRows = 50;

/** A page of the console: which rows, then what they are; a constant number of queries. */
export async function listMeetings(app: App, actor: Actor, query: ListQuery): Promise<Answer> {
  requireSelf(actor, query.user_id);
  const { db } = app;
  const nowMs = app.clock.nowMs();
  const viewer = await loadViewer(db, actor.userId);
  const filter = toRowFilter(query, viewer, nowMs);
  const page = { offset: (Number(query.page ?? 1) - 1) * pageRows, limit: pageRows };
  const [tabs, requests, questions] = await Promise.all([
    countTabs(db, actor.userId, nowMs),
    countRequests(db, actor.userId),
    listQuestions(app, actor.userId),
  ]);
  const answer: Answer = {
    upcoming: [],
    past: [],
    mirrors: [],
    counts: { ...tabs, requests: requests + questions.length },
    matching: 0,
    pages: 1,
  };
  if (query.scope === 'mirrors') {
    const [ids, matching] = await Promise.all([
      listMirrorIds(db, actor.userId, filter, page),
      countMirrors(db, actor.userId, filter),
    ]);
    answer.mirrors = await listMirrorRows(db, actor.userId, viewer, ids, nowMs);
    answer.matching = matching;
  } else {
    const [keys, matching] = await Promise.all([
      listMeetingKeys(db, actor.userId, query.scope, filter, page),
      countMeetings(db, actor.userId, query.scope, filter),
    ]);
    answer[query.scope] = await listMeetingRows(db, actor.userId, viewer, keys, nowMs);
    answer.matching = matching;
  }
  answer.pages = Math.max(1, Math.ceil(answer.matching / pageRows));
  return answer;
}

/** The session decides whose console it is. Another person's id is refused rather than ignored. */
function requireSelf(actor: Actor, userId: string | undefined): void {
  if (userId === undefined || userId === actor.userId) return;
  throw new AppError('forbidden', 'FORBIDDEN', 'You can only see your own meetings.');
}

const mostRows = 100_000;
/** Rows that are in memory at once. */
const batchRows = 500;

/** The filtered rows as a file. The list of rows is fixed at the start, and each is read when it is sent. */
export async function exportMeetings(app: App, actor: Actor, query: Query): Promise<FileAnswer> {
  const { db } = app;
  const nowMs = app.clock.nowMs();
  const viewer = await loadViewer(db, actor.userId);
  const filter = toRowFilter(query, viewer, nowMs);
  const { scope } = query;
  const day = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(viewer.ownerZone).toPlainDate();
  const everything = { offset: 0, limit: mostRows };
  const name = `meetings-${scope}-${day.toString()}.csv`;
  if (scope === 'mirrors') {
    const ids = await listMirrorIds(db, actor.userId, filter, everything);
    const read = (some: typeof ids) => listMirrorRows(db, actor.userId, viewer, some, nowMs);
    return { name, sizeBytes: null, chunks: inBatches(ids, read, mirrorColumns) };
  }
  const keys = await listMeetingKeys(db, actor.userId, scope, filter, everything);
  const read = (some: typeof keys) => listMeetingRows(db, actor.userId, viewer, some, nowMs);
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

const meetingColumns: Columns<Awaited<ReturnType<typeof listMeetingRows>>[number]> = [
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

const mirrorColumns: Columns<Awaited<ReturnType<typeof listMirrorRows>>[number]> = [
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

const mostLines = 500;

/** The trail of a mirror, or of those of an event or instance; it outlives both, so only what never was is not found. */
export async function listMirrorAudit(
  { db }: Pick<App, 'db'>,
  { userId }: Actor,
  eventId: string,
): Promise<z.output<typeof auditEntryShape>[]> {
  const { itemId: id, recId } = readEventId(eventId);
  const [rows, calendars] = await Promise.all([
    listAudit(db, userId, { id, recId }, mostLines),
    listCalendars(db, userId),
  ]);
  if (rows.length === 0 && !(await findItem(db, userId, id)) && !(await hasMirror(db, userId, id)))
    throw new AppError('not-found', 'NOT_FOUND', 'Event or mirror not found.');
  const nameOf = new Map(calendars.map((calendar) => [calendar.id, calendar.name]));
  return rows.map((row) => ({
    id: String(row.id),
    timestamp: row.at.toString({ fractionalSecondDigits: 3 }),
    type: row.type,
    actor: row.actor,
    message: row.message,
    duration_ms: row.durationMs,
    status: row.status,
    error: row.errorCode,
    request_id: row.requestId,
    target: row.targetCalendarId === null ? null : (nameOf.get(row.targetCalendarId) ?? null),
  }));
}
