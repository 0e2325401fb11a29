import { isLeaving } from '#features/accounts/public.ts';
import type { Calendar, Connection } from '#features/connections/public.ts';
import {
  findConnectionById,
  listCalendars,
  loadMirrorSigner,
  openAccount,
  recordRefusal,
  updateStatus,
} from '#features/connections/public.ts';
import { ProviderError } from '#kernel/errors.ts';
import type { CalendarId, ConnectionId, MirrorId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { MirrorSigner } from '#platform/mirror-signer.ts';
import type { CalendarProvider } from '#providers/port.ts';
import { calendarGoneCode, pacedCode } from '#providers/port.ts';
import { DueRows } from './due-rows.ts';
import { listingWanted } from './events.ts';
import { findLimiter } from './find-limiter.ts';
import type { AccountLimiter } from './limiter.ts';
import { OutcomeBook } from './outcome-book.ts';
import { backoffMs, maxAttempts } from './rules/backoff.ts';
import { clearAccountPause, pauseAccount, takeFence } from './store/fences.ts';
import { giveUpRemovals } from './store/leaving.ts';
import type { DueMirror } from './store/mirrors.ts';
import { findNextDue, listDue } from './store/mirrors.ts';
import { writeBlock } from './write-block.ts';

/** Rows read at once; their order is the order of writing. */
const batchRows = 1_000;
/** A run ends after this and is sent again, so that no job outlives its queue's patience. */
const runMs = 240_000;
/** So many refusals by silence in a row are an outage of the account, not a fault of the rows. */
const outageAfter = 4;
/**
 * Fewer rows than that never make one: so many runs of them that get no answer are repeated within seconds (an answer may
 * have been lost on the wire), then they are outages too.
 */
const quickRuns = 3;
/** An account that is to leave and does not answer is waited for through so many outages, half an hour in all. */
const leavingTries = 5;
/** Where it leaves with its person, whom nobody can ask later, it is waited for this long. */
const leavingWithPersonMs = 3 * 86_400_000;
/** A calendar that refuses writes as such is left alone this long. */
const parkedMs = 3_600_000;
/** Refusals that are the calendar's, not the object's. */
const calendarCodes = new Set(['READ_ONLY', 'QUOTA', 'FORBIDDEN']);

/**
 * Writes what is due at one account: the only writer it has (one job per account, fenced by token). Answers with the
 * time of the next row that waits, epoch ms, or null.
 */
export async function writeMirrors(app: App, connectionId: ConnectionId, signal: AbortSignal): Promise<number | null> {
  const connection = await findConnectionById(app.db, connectionId);
  if (connection === null || connection.status === 'needs-reconnect' || connection.status === 'suspended') return null;
  const [fence, owned] = await Promise.all([takeFence(app.db, connectionId), listCalendars(app.db, connection.userId)]);
  if (fence.notBeforeMs > app.clock.nowMs()) return fence.notBeforeMs;
  const calendars = new Map<CalendarId, Calendar>(owned.map((calendar) => [calendar.id, calendar]));
  const run = new WriteRun(app, connection, calendars, fence.failures);
  await run.write(fence.token, signal);
  return run.stoppedUntilMs ?? run.nextMs;
}

interface WriteTools {
  provider: CalendarProvider;
  signer: MirrorSigner;
  limiter: AccountLimiter;
  book: OutcomeBook;
}

class WriteRun {
  readonly #app: App;
  readonly #connection: Connection;
  readonly #calendars: Map<CalendarId, Calendar>;
  readonly #failuresBefore: number;
  readonly #parked = new Map<CalendarId, ProviderError>();
  #silent = 0;
  #lastSilence: ProviderError | null = null;
  #answered = false;
  stoppedUntilMs: number | null = null;
  /** When the next row is due, epoch ms, as this run's end found it. */
  nextMs: number | null = null;

  constructor(app: App, connection: Connection, calendars: Map<CalendarId, Calendar>, failuresBefore: number) {
    this.#app = app;
    this.#connection = connection;
    this.#calendars = calendars;
    this.#failuresBefore = failuresBefore;
  }

  async write(token: number, signal: AbortSignal): Promise<void> {
    const app = this.#app;
    const endMs = performance.now() + runMs;
    const [provider, signer] = await Promise.all([openAccount(app, this.#connection), loadMirrorSigner(app)]);
    const limiter = findLimiter(this.#connection);
    const book = new OutcomeBook(app, this.#connection, this.#calendars, token);
    const isLate = () => performance.now() > endMs;
    // outcomes are stored meanwhile, and waited for where too many gather
    const read = async (inHand: MirrorId[]) => {
      const unstored = book.unstored();
      if (this.stoppedUntilMs !== null || book.failed || isLate() || unstored.length >= batchRows) return null;
      const due = { nowMs: app.clock.nowMs(), limit: batchRows, without: [...inHand, ...unstored] };
      return listDue(app.db, this.#connection.id, due);
    };
    try {
      while (this.stoppedUntilMs === null) {
        const due = new DueRows(read);
        await this.#writeRows(due, { provider, signer, limiter, book }, signal);
        await book.flushed();
        if (due.hasMore && !isLate()) continue;
        // finished writes may have released rows that waited for them
        this.nextMs = await findNextDue(app.db, this.#connection.id);
        if (isLate() || this.nextMs === null || this.nextMs > app.clock.nowMs()) break;
      }
    } finally {
      await book.close();
    }
    if (!this.#answered && this.#lastSilence !== null && this.stoppedUntilMs === null) {
      const failures = this.#failuresBefore + 1;
      const delayMs = failures <= quickRuns ? 1_000 * 2 ** failures : backoffMs(failures - quickRuns, Math.random());
      await this.#stop(this.#app.clock.nowMs() + delayMs);
      if (failures > leavingTries + quickRuns) await this.#letGoUnlessPatient(this.#lastSilence);
    }
    if (this.#answered && this.stoppedUntilMs === null && this.#failuresBefore > 0)
      await clearAccountPause(app.db, this.#connection.id);
  }

  /** In their order, by as many writers as the limiter may ever let in; none outlives this call. */
  async #writeRows(due: DueRows, tools: WriteTools, signal: AbortSignal): Promise<void> {
    const { limiter, book } = tools;
    let broken = false;
    const writer = async () => {
      try {
        for (let row = await due.take(); row !== null && !broken; row = await due.take()) {
          const taken = row;
          await limiter.run(() => book.call(() => this.#writeRow(taken, tools, signal)), signal);
          due.done(taken);
        }
      } catch (error) {
        broken = true;
        throw error;
      }
    };
    const writers = Array.from({ length: limiter.maxConcurrency }, writer);
    const ended = await Promise.allSettled(writers);
    for (const end of ended) if (end.status === 'rejected') throw end.reason;
  }

  async #writeRow(row: DueMirror, { provider, signer, book }: WriteTools, signal: AbortSignal): Promise<void> {
    if (this.stoppedUntilMs !== null || book.failed) return;
    signal.throwIfAborted();
    const calendar = this.#calendars.get(row.targetCalendarId);
    const parked = this.#parked.get(row.targetCalendarId);
    // a removal is asked for even there: it may be what an account waits for that leaves
    const isGone = calendar?.removed === true && row.state === 'pending';
    if (calendar === undefined || isGone || parked !== undefined) {
      this.#postpone(book, row, parked ?? calendarUnknown());
      return;
    }
    const startMs = performance.now();
    try {
      const identity = signer.identityUnder(row.identityKey, row.generation);
      const result = await writeBlock(provider, calendar.ref, row, identity, signal);
      this.#answered = true;
      this.#silent = 0;
      book.done(row, result, performance.now() - startMs);
      if (calendar.writeErrorCode !== null) await this.#tell(calendar, null);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      signal.throwIfAborted();
      await this.#refused(book, row, error, performance.now() - startMs);
    }
  }

  async #refused(book: OutcomeBook, row: DueMirror, error: ProviderError, durationMs: number): Promise<void> {
    const nowMs = this.#app.clock.nowMs();
    switch (error.kind) {
      case 'auth':
        await this.#stop(nowMs + parkedMs);
        await this.#letGoIfLeaving(error);
        await updateStatus(this.#app.db, this.#connection.id, 'needs-reconnect', error);
        book.later(row, error, { notBeforeMs: nowMs, counts: false, durationMs });
        return;
      case 'rate-limited':
        if (error.code === pacedCode) {
          // nothing was asked: the row waits as it is
          await this.#stop(nowMs + (error.retryAfterMs ?? 0), 'paced');
          return;
        }
        await this.#stop(nowMs + backoffMs(this.#failuresBefore + 1, Math.random(), error.retryAfterMs));
        book.later(row, error, { notBeforeMs: nowMs, counts: false, durationMs });
        if (this.#failuresBefore >= leavingTries) await this.#letGoUnlessPatient(error);
        return;
      case 'not-found':
        // the calendar itself: its account's list tells whether it is gone for good
        this.#parked.set(row.targetCalendarId, error);
        this.#postpone(book, row, error);
        await inTransaction(this.#app.db, (tx) =>
          this.#app.news.announce(tx, listingWanted, { connectionId: this.#connection.id }),
        );
        return;
      case 'rejected':
        if (calendarCodes.has(error.code)) {
          this.#parked.set(row.targetCalendarId, error);
          this.#postpone(book, row, error);
          await this.#tell(this.#calendars.get(row.targetCalendarId), error);
        } else {
          book.failedFor(row, error, durationMs);
        }
        return;
      case 'precondition':
      case 'cursor-expired':
      case 'transient': {
        this.#silent += 1;
        this.#lastSilence = error;
        if (this.#silent >= outageAfter) {
          book.later(row, error, { notBeforeMs: nowMs, counts: false, durationMs });
          await this.#stop(nowMs + backoffMs(this.#failuresBefore + 1, Math.random()));
          if (this.#failuresBefore >= leavingTries) await this.#letGoUnlessPatient(error);
          return;
        }
        // a row is to blame only where others got through; an answer lost on the wire is asked for again at once
        const counts = this.#answered;
        const delayMs = counts ? backoffMs(row.attempts + 1, Math.random()) : 1_000 * 2 ** this.#silent;
        const isLast = counts && row.attempts + 1 >= maxAttempts && !(await this.#isPatient());
        if (isLast) book.failedFor(row, error, durationMs);
        else book.later(row, error, { notBeforeMs: nowMs + delayMs, counts, durationMs });
      }
    }
  }

  /** An account that leaves and cannot be written to keeps what stands there; its person is told. */
  async #letGoIfLeaving(error: ProviderError): Promise<void> {
    if (this.#connection.status === 'disconnecting') await giveUpRemovals(this.#app.db, this.#connection.id, error);
  }

  async #letGoUnlessPatient(error: ProviderError): Promise<void> {
    if (!(await this.#isPatient())) await this.#letGoIfLeaving(error);
  }

  /** A refusal that may pass is not the last word where an account leaves with its person. */
  async #isPatient(): Promise<boolean> {
    const { status, updatedAt, userId } = this.#connection;
    if (status !== 'disconnecting') return false;
    if (this.#app.clock.nowMs() - updatedAt.epochMilliseconds > leavingWithPersonMs) return false;
    return isLeaving(this.#app.db, userId);
  }

  /** The calendar refuses, not the block: it is asked again later, or not at all where its account leaves. */
  #postpone(book: OutcomeBook, row: DueMirror, error: ProviderError): void {
    if (this.#connection.status === 'disconnecting') {
      book.failedFor(row, error, 0);
      return;
    }
    book.later(row, error, { notBeforeMs: this.#app.clock.nowMs() + parkedMs, counts: false, durationMs: 0 });
  }

  /** Shows the person at the calendar why nothing is written there. */
  async #tell(calendar: Calendar | undefined, reason: ProviderError | null): Promise<void> {
    if (calendar === undefined) return;
    calendar.writeErrorCode = reason?.code ?? null;
    const { db, feed } = this.#app;
    if (await recordRefusal(db, calendar.id, reason)) await feed.publish(db, calendar.userId, 'accounts');
  }

  async #stop(untilMs: number, why: 'failed' | 'paced' = 'failed'): Promise<void> {
    if (this.stoppedUntilMs !== null) return;
    this.stoppedUntilMs = untilMs;
    await pauseAccount(this.#app.db, this.#connection.id, untilMs, why);
  }
}

const calendarUnknown = () => new ProviderError('not-found', calendarGoneCode, 'The calendar no longer exists.');
