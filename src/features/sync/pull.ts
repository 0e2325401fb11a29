import { loadOwnerZone } from '#features/accounts/public.ts';
import { hasEvents, listRefs, readVersions, weighItems } from '#features/calendar/public.ts';
import { calendarMoved } from '#features/connections/events.ts';
import type { Calendar, Connection } from '#features/connections/public.ts';
import {
  canBeAsked,
  capabilitiesOf,
  findCalendar,
  findConnectionOf,
  openAccount,
  recordFailure,
  recordSuccess,
  updateStatus,
} from '#features/connections/public.ts';
import { ProviderError } from '#kernel/errors.ts';
import type { CalendarId } from '#kernel/ids.ts';
import { WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';
import { describeWorkLimit, readingLimits } from '#kernel/work-limits.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { CalendarProvider, PullEnd } from '#providers/port.ts';
import { pacedCode } from '#providers/port.ts';
import { listingWanted, planningWanted } from './events.ts';
import { backoffMs } from './rules/backoff.ts';
import { secondListingMs } from './rules/breaker.ts';
import { endOfError } from './rules/call-end.ts';
import type { Page } from './rules/settle-own.ts';
import { type Call, countCall } from './store/call-sums.ts';
import { verifyUnchanged } from './store/own-blocks.ts';
import type { PullState } from './store/pulls.ts';
import { deferPull, failPull, findPull, finishPull, wantListing } from './store/pulls.ts';
import { storeChanges } from './store-changes.ts';

/** Items gathered before they are stored: enough for one statement to pay, little enough to hold. */
const batchItems = 1_000;
/** The first batch is small and the next ones double: planning and writing begin with the first answer. */
const firstBatchItems = 50;

export interface PullReport {
  requests: number;
  changed: number;
}

/**
 * Reads what changed in one calendar. Every batch is stored in a transaction of its own, the last one together with the
 * cursor: a crash between repeats, it never loses. A quiet pass is one request and stores no event. A provider's refusal
 * is kept on the calendar for its person; other calendars go on. `isRoutine` false: a ctag is no proof that nothing changed.
 */
export async function pullCalendar(
  app: App,
  calendarId: CalendarId,
  signal: AbortSignal,
  { isRoutine = true }: { isRoutine?: boolean } = {},
): Promise<PullReport | null> {
  const [found, calendar, connection] = await Promise.all([
    findPull(app.db, calendarId),
    findCalendar(app.db, calendarId),
    findConnectionOf(app.db, calendarId),
  ]);
  const state = found && { ...found, routine: found.routine && isRoutine };
  if (state === null || calendar === null || calendar.removed) return null;
  if (connection === null || !canBeAsked(connection)) return null;
  try {
    return await readChanges(app, { state, calendar, connection }, signal);
  } catch (error) {
    const refusal = error instanceof WorkLimitError ? tooMuchWork(error) : error;
    if (!(refusal instanceof ProviderError) || signal.aborted) throw error;
    await keepFailure(app, { state, calendar, connection }, refusal);
    return null;
  }
}

/** Pause after a reading that asked for too much work. The cursor tells where that reading began. */
const tooMuchRestMs = 3_600_000;
const tooMuchCodes = ['TOO_MUCH_WORK', 'TOO_LARGE'];

/** Whether the last reading of a calendar met a limit: then nothing but its rest or its person has it read again. */
export const askedTooMuch = ({ failures, errorCode }: Pick<Calendar, 'failures' | 'errorCode'>): boolean =>
  failures > 0 && errorCode !== null && tooMuchCodes.includes(errorCode);

function tooMuchWork(limit: WorkLimitError): ProviderError {
  const message = `${describeWorkLimit(limit)} Its last known events are kept.`;
  return new ProviderError('rejected', 'TOO_MUCH_WORK', message, { cause: limit });
}

interface Subject {
  state: PullState;
  calendar: Calendar;
  connection: Connection;
}

async function readChanges(app: App, subject: Subject, signal: AbortSignal): Promise<PullReport> {
  const { state, calendar, connection } = subject;
  const startedMs = app.clock.nowMs();
  const provider = await openAccount(app, connection);
  const full = state.wantListing || state.cursor === null;
  const lists = full || capabilitiesOf(connection).listsEachTime === true;
  const startedAt = lists ? state.at : null;
  const unchanged: string[] = [];
  const budget = new WorkBudget(readingLimits);
  const pages = provider.pull({
    calendarRef: calendar.ref,
    cursor: state.cursor,
    full,
    routine: state.routine,
    failures: state.failures,
    async known(refs) {
      const versions = await readVersions(app.db, calendar.id, refs);
      for (const ref of versions.keys()) unchanged.push(ref);
      return versions;
    },
    budget,
    async weigh(items) {
      const ownerZone = await loadOwnerZone(app.db, calendar.userId);
      const zones = { calendarZone: calendar.zone, ownerZone };
      await weighItems(zones, items, app.clock.nowMs(), new WorkBudget(readingLimits));
    },
    signal,
  });
  let batch: Page = { items: [], gone: [], absent: [] };
  let changed = 0;
  let enough = firstBatchItems;
  let waitedMs = 0;
  // the next pages are read while a batch is stored; never more than one of each
  let storing: Promise<void> = Promise.resolve();
  try {
    for (;;) {
      const askedMs = performance.now();
      const step = await pages.next();
      waitedMs += performance.now() - askedMs;
      if (step.done === true) {
        await storing;
        const { refused } = step.value;
        if (refused !== undefined) {
          await keepFailure(app, subject, tooMuchWork(refused), step.value.cursor);
          return { requests: step.value.requests, changed: 0 };
        }
        const missing = await listMissing(app, calendar, step.value, startedAt);
        if (missing.length > 0) await askFor(missing, batch, { provider, calendar, end: step.value }, signal);
        const pass = { startedMs, startedAt, unchanged, missing: missing.length, waitedMs, budget };
        await finish(app, subject, batch, step.value, pass);
        changed += batch.items.length + batch.gone.length + batch.absent.length;
        return { requests: step.value.requests, changed };
      }
      batch.items.push(...step.value.items);
      batch.gone.push(...step.value.gone);
      if (batch.items.length + batch.gone.length < enough) continue;
      enough = Math.min(batchItems, enough * 2);
      const gathered = batch;
      batch = { items: [], gone: [], absent: [] };
      changed += gathered.items.length + gathered.gone.length;
      await storing;
      const asked = { at: state.at, more: true, budget };
      storing = inTransaction(app.db, async (tx) => storeChanges(app, tx, subject.calendar, gathered, asked));
      storing.catch(() => undefined); // told by the await above or below
    }
  } catch (error) {
    // one object that fails keeps none of those back that were read before it
    if (error instanceof ProviderError && batch.items.length + batch.gone.length > 0) {
      await storing;
      await inTransaction(app.db, (tx) => storeChanges(app, tx, calendar, batch, { at: state.at, budget }));
    }
    throw error;
  } finally {
    await storing.catch(() => undefined);
  }
}

/** Stored refs that a complete listing does not contain, within the time that the listing covers. */
async function listMissing(
  app: App,
  calendar: Calendar,
  { listed, covers }: PullEnd,
  startedAt: Temporal.Instant | null,
): Promise<string[]> {
  if (listed === null || startedAt === null) return [];
  const held = await listRefs(app.db, calendar.id, startedAt, covers ?? null);
  return held.filter((ref) => !listed.has(ref));
}

/** A listing of everything proves absence. Where it covers a stretch of time, what is missing may have moved out of it. */
async function askFor(
  missing: string[],
  batch: Page,
  { provider, calendar, end }: { provider: CalendarProvider; calendar: Calendar; end: PullEnd },
  signal: AbortSignal,
): Promise<void> {
  if (end.covers === undefined || provider.readByName === undefined) {
    batch.absent.push(...missing);
    return;
  }
  for await (const page of provider.readByName(calendar.ref, missing, signal)) {
    batch.items.push(...page.items);
    batch.gone.push(...page.gone);
  }
}

/** The last batch, what a complete listing no longer names, and the cursor: one transaction. */
async function finish(
  app: App,
  subject: Subject,
  batch: Page,
  end: PullEnd,
  pass: {
    startedMs: number;
    startedAt: Temporal.Instant | null;
    unchanged: string[];
    missing: number;
    waitedMs: number;
    budget: WorkBudget;
  },
): Promise<void> {
  const { calendar, connection, state } = subject;
  const { listed } = end;
  const complete = listed !== null && pass.startedAt !== null;
  let suspect = complete && listed.size === 0 && pass.missing > 0;
  const changed = batch.items.length + batch.gone.length + batch.absent.length > 0;
  const nowMs = app.clock.nowMs();
  const restMs = end.restMs === undefined ? 0 : jittered(end.restMs);
  const delayMs = Math.max(pollDelayMs(connection, calendar), state.pollMs, restMs);
  const { noticesLeadMs = 0 } = capabilitiesOf(connection);
  const { startedMs } = pass;
  const { provider, profile } = connection;
  const call: Call = { provider, profile, end: 'answered', waitedMs: pass.waitedMs };
  const next = { startedMs, nowMs, noticesLeadMs, nextMs: nowMs + delayMs, notBeforeMs: nowMs + restMs };
  if (!changed && !complete && pass.unchanged.length === 0 && end.cursor === state.cursor) {
    // the quiet pass
    await finishPull(app.db, calendar.id, {
      cursor: end.cursor,
      ...next,
      listed: false,
      suspect: state.suspect,
      changed,
    });
    await Promise.all([recordSuccess(app.db, calendar.id, end.warnings ?? null), count(app, call)]);
    return;
  }
  const named = end.zone ?? null;
  const isMoved =
    end.zone !== undefined && (named === null ? calendar.zoneNamed : !calendar.zoneNamed || named !== calendar.zone);
  await inTransaction(app.db, async (tx) => {
    const moved = isMoved
      ? { zone: named ?? (await loadOwnerZone(tx, calendar.userId)), zoneNamed: named !== null }
      : null;
    if (changed) await storeChanges(app, tx, calendar, batch, { at: state.at, more: false, budget: pass.budget });
    // still without an event of its owner's: that time has gone by, or that we wrote blocks there, decides nothing
    if (state.suspect && !suspect) suspect = !(await hasEvents(tx, calendar.id));
    await Promise.all([
      verifyUnchanged(tx, calendar.id, pass.unchanged),
      // locks the calendar before its pull, in the order of the job that lists calendars
      recordSuccess(tx, calendar.id, end.warnings ?? null, moved),
      moved !== null && app.news.announce(tx, calendarMoved, { userId: calendar.userId }),
      finishPull(tx, calendar.id, { cursor: end.cursor, ...next, listed: complete, suspect, changed }),
      // a mistake of its server is mended as soon as it is over, whether or not anything is mirrored from here
      suspect && !state.suspect && wantListing(tx, [calendar.id], app.clock.nowMs() + secondListingMs + 1_000),
      // a listing may be the second one that a breaker waits for
      complete && app.news.announce(tx, planningWanted, { userId: calendar.userId }),
      (calendar.lastSyncedMs === null || calendar.failures > 0) && app.feed.publish(tx, calendar.userId, 'accounts'),
    ]);
  });
  await count(app, call);
}

/** Adds a reading to the sums of the console. A sum that misses one is better than a reading that fails. */
async function count(app: App, call: Call): Promise<void> {
  await countCall(app.db, call).catch((error: unknown) =>
    app.log.warn({ err: error, provider: call.provider }, 'a reading could not be counted'),
  );
}

/** Up to a fifth longer, so that those who subscribed in one minute do not ask in one minute. */
const jittered = (ms: number) => Math.round(ms * (1 + Math.random() / 5));

/** A calendar whose provider sends notices is looked at all the same: notices get lost. */
const pushedPollMs = 300_000;

function pollDelayMs(connection: Connection, calendar: Calendar): number {
  return calendar.pushLive ? pushedPollMs : capabilitiesOf(connection).pollSeconds * 1000;
}

/**
 * Records the consequence of a refusal for the next pull and for the person. No stored data is dropped. `cursor`: the
 * start of the next pull, if it differs from the start of this one.
 */
async function keepFailure(app: App, subject: Subject, error: ProviderError, cursor?: string | null): Promise<void> {
  const { calendar, connection, state } = subject;
  const nowMs = app.clock.nowMs();
  const { code, message } = error;
  if (code === pacedCode) {
    await deferPull(app.db, calendar.id, nowMs + (error.retryAfterMs ?? 0));
    return;
  }
  const { provider, profile } = connection;
  const call: Call = { provider, profile, end: endOfError[error.kind], waitedMs: null };
  app.log.info({ calendarId: calendar.id, kind: error.kind, code, err: error }, 'a calendar could not be read');
  await count(app, call);
  if (error.kind === 'cursor-expired') {
    await failPull(app.db, calendar.id, { nextMs: nowMs, forget: true });
    return;
  }
  const restMs = tooMuchCodes.includes(code) ? tooMuchRestMs : error.retryAfterMs;
  const delayMs = backoffMs(state.failures + 1, Math.random(), restMs);
  await failPull(app.db, calendar.id, { nextMs: nowMs + delayMs, forget: false, cursor });
  await recordFailure(app.db, calendar.id, { code, message });
  if (error.kind === 'auth') await updateStatus(app.db, connection.id, 'needs-reconnect', { code, message });
  // gone or unshared? the account's list of calendars tells, and nothing of ours is deleted either way
  if (error.kind === 'not-found')
    await inTransaction(app.db, (tx) => app.news.announce(tx, listingWanted, { connectionId: connection.id }));
  if (state.failures === 0 || error.kind === 'auth') {
    await app.feed.publish(app.db, calendar.userId, 'accounts');
  }
}
