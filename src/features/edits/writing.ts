import { findConfirmedAddress } from '#features/accounts/people/public.ts';
import { isSuspended, loadOwner } from '#features/accounts/public.ts';
import { listStored, type StoredItem, takePlans } from '#features/calendar/public.ts';
import {
  type Connection,
  findCalendar,
  findConnectionById,
  openAccount,
  updateStatus,
} from '#features/connections/public.ts';
import { readingWanted } from '#features/sync/events.ts';
import { findLimiter, storeChanges } from '#features/sync/public.ts';
import { ProviderError } from '#kernel/errors.ts';
import { contentHash } from '#kernel/event-hash.ts';
import type { ConnectionId } from '#kernel/ids.ts';
import type { Reply } from '#kernel/itip/write-reply.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { takeAllowances } from '#platform/limits.ts';
import { isMailable } from '#platform/mail-message.ts';
import { type CalendarProvider, pacedCode } from '#providers/port.ts';
import { updateEdit } from './calendar-events.ts';
import { editingWanted, itemRenamed } from './events.ts';
import { answerMail } from './mail.ts';
import { instanceIn } from './rules/answer.ts';
import type { EditableBody } from './rules/event.ts';
import { overwriteStep } from './rules/merge.ts';
import { maxAttempts, retryAfterMs, type Step } from './rules/steps.ts';
import { type StepResult, type Written, writeStep } from './steps.ts';
import { claimEdit, type Edit, findNextDue, noteWaiting, renameItem } from './store/edits.ts';

/** A run ends after this and is sent again, so that no job outlives its queue's patience. */
const runMs = 240_000;
const untilConnected = 'Waiting for the account to be reconnected.';

/**
 * Writes what people changed in one account, an edit at a time and a step at a time: one provider call, outside any
 * transaction, then its outcome. Answers with the time of the next edit that waits, epoch ms, or null.
 */
export async function writeEdits(app: App, connectionId: ConnectionId, signal: AbortSignal): Promise<number | null> {
  const connection = await findConnectionById(app.db, connectionId);
  if (connection === null || connection.status === 'disconnecting' || connection.status === 'suspended') return null;
  if (connection.status === 'needs-reconnect') {
    if (await noteWaiting(app.db, connectionId, untilConnected))
      await app.feed.publish(app.db, connection.userId, 'edits');
    return null;
  }
  const provider = await openAccount(app, connection);
  const endMs = performance.now() + runMs;
  for (;;) {
    signal.throwIfAborted();
    const edit = await claimEdit(app.db, connectionId, app.clock.nowMs());
    if (edit === null) {
      const nextMs = await findNextDue(app.db, connectionId);
      if (nextMs === null || nextMs > app.clock.nowMs() || performance.now() > endMs) return nextMs;
      continue;
    }
    const untilMs = await writeNext(app, connection, provider, edit, signal);
    if (untilMs !== null) return untilMs;
    if (await isSuspended(app.db, connection.userId)) return null;
    if (performance.now() > endMs) return app.clock.nowMs();
  }
}

/** One step of an edit. Answers with when the account may be asked again, where it refuses as a whole. */
async function writeNext(
  app: App,
  connection: Connection,
  provider: CalendarProvider,
  edit: Edit,
  signal: AbortSignal,
): Promise<number | null> {
  const step = edit.steps[edit.step];
  if (step === undefined) throw new Error(`edit ${edit.id} is pending without a step`);
  const [calendar, [stored = null]] = await Promise.all([
    findCalendar(app.db, step.calendarId),
    listStored(app.db, edit.userId, { ids: [step.itemId] }),
  ]);
  const { events } = provider;
  try {
    if (calendar === null || calendar.removed)
      throw new ProviderError('rejected', 'CALENDAR_GONE', 'The calendar no longer exists.');
    if (events === undefined)
      throw new ProviderError('rejected', 'READ_ONLY', "Events in this kind of calendar can't be changed here.");
    const isOwn = connection.provider === 'holdfast';
    const subject = { events, calendarRef: calendar.ref, step, tellGuests: edit.tellGuests, stored, isOwn };
    const result = await findLimiter(connection).run(() => writeStep(subject, signal), signal);
    await storeOutcome(app, edit, step, { stored, result });
    return null;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    signal.throwIfAborted();
    return await storeRefusal(app, connection, edit, error);
  }
}

/** The outcome, what now stands in the calendar, and who has to look: one transaction, under the newest claim only. */
async function storeOutcome(
  app: App,
  edit: Edit,
  step: Step,
  { stored, result }: { stored: StoredItem | null; result: StepResult },
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    // a pull of the same calendar has stored what it saw before this, or sees what is stored here
    await takePlans(tx, [step.calendarId]);
    const nowMs = app.clock.nowMs();
    const isConflict = result.kind === 'conflict';
    const done = edit.step + 1;
    const next = edit.steps[done];
    const stands = result.kind === 'written' ? result.item.body : null;
    const steps = edit.steps.map((one) =>
      one !== step || (stands?.kind !== 'single' && stands?.kind !== 'series') ? one : { ...one, result: stands },
    );
    const held = await updateEdit(
      tx,
      edit,
      isConflict
        ? atConflict(edit, step, result.theirs, nowMs)
        : next === undefined
          ? { state: 'done', steps, step: done, message: null, settledMs: nowMs }
          : { steps, step: done, connectionId: next.connectionId, attempts: 0, notBeforeMs: 0, message: null },
    );
    // somebody else has taken it over, or its account has gone: what this writer knows is out of date
    if (held === null) return;
    const unsent = result.reply ? await sendReply(app, tx, { edit, step, reply: result.reply }) : null;
    if (unsent !== null) await updateEdit(tx, edit, { message: unsentTexts[unsent] });
    const calendar = await findCalendar(tx, step.calendarId);
    const isStanding =
      result.kind === 'removed' ||
      (result.kind === 'written' && !(await isOvertaken(tx, edit, { step, stored, result })));
    if (calendar !== null && isStanding) {
      const items = result.kind === 'written' ? [{ ...result.item, id: step.itemId }] : [];
      const gone = result.kind === 'removed' && result.ref !== null ? [result.ref] : [];
      await storeChanges(app, tx, calendar, { items, gone, absent: [] });
      if (result.kind === 'written') {
        const [kept] = await listStored(tx, edit.userId, { calendarId: calendar.id, refs: [result.item.ref] });
        if (kept !== undefined && kept.itemId !== step.itemId) {
          await renameItem(tx, edit.userId, step.itemId, kept.itemId);
          const { userId } = edit;
          await app.news.announce(tx, itemRenamed, { userId, from: step.itemId, to: kept.itemId });
        }
      }
    }
    if (calendar !== null) await app.news.announce(tx, readingWanted, { calendarId: calendar.id });
    if (!isConflict && next !== undefined && next.connectionId !== edit.connectionId)
      await app.news.announce(tx, editingWanted, { connectionId: next.connectionId });
    await app.feed.publish(tx, edit.userId, 'edits');
  });
}

/** Replies to organizers by our own mail, a day and person. */
const repliesOfPerson = { action: 'replies to organizers per person', burst: 30, periodSeconds: 86_400 } as const;

const unsentTexts = {
  unconfirmed:
    'Your answer is in your calendar. The organizer got no email, because the invitation is not to your confirmed address.',
  unmailable:
    'Your answer is in your calendar. The organizer got no email, because no email can be sent to their address.',
  limited: 'Your answer is in your calendar. The organizer got no email, because you sent 30 answers within a day.',
};

/**
 * Mails the organizer an answer, in the transaction of its outcome: one mail for each edit. Only from an address that its person
 * has confirmed here, as a server may call any address its user's. The answer itself is in the calendar in any case. Resolves
 * to the reason why there is no mail that its person would expect, or null.
 */
async function sendReply(
  app: App,
  tx: Tx,
  { edit, step: { after, answer }, reply }: { edit: Edit; step: Step; reply: Reply },
): Promise<keyof typeof unsentTexts | null> {
  const part = answer?.parts[0] ?? '';
  const self = after === null ? undefined : instanceIn(after, part)?.core.self;
  if (self === undefined || self === 'none' || self === 'organizer') return null;
  const { id: editId, itemId, userId, title } = edit;
  if ((await findConfirmedAddress(tx, userId))?.toLowerCase() !== reply.attendee.toLowerCase()) return 'unconfirmed';
  const mail = answerMail({ editId, itemId, userId, by: await loadOwner(tx, userId), title, answer: self, reply });
  if (!isMailable(mail)) return 'unmailable';
  if ((await takeAllowances(tx, repliesOfPerson, [userId])).size === 0) return 'limited';
  await app.mail.send(tx, mail);
  return null;
}

/**
 * Whether others changed or deleted the event after it was written, and a pull has stored that by now. Versions have no
 * order: what is neither what was written nor what it was written over is newer, unless a server says the same otherwise.
 */
async function isOvertaken(
  tx: Tx,
  { userId }: Edit,
  { step, stored, result }: { step: Step; stored: StoredItem | null; result: Written },
): Promise<boolean> {
  const { item, over } = result;
  const [now] = await listStored(tx, userId, { calendarId: step.calendarId, refs: [item.ref] });
  if (now === undefined) return stored?.ref === item.ref;
  return ![item.version, over, stored?.version].includes(now.version) && now.hash !== contentHash(item.body);
}

/** A person is asked; what was asked for in their name insists, but for what they deleted. */
function atConflict(edit: Edit, step: Step, theirs: EditableBody | null, nowMs: number) {
  if (!edit.insists)
    return { state: 'conflict' as const, theirs, message: conflictWords(theirs === null), settledMs: null };
  if (theirs === null) return { state: 'undone' as const, message: null, settledMs: nowMs };
  return { steps: edit.steps.map((one) => (one === step ? overwriteStep(step, theirs) : one)), notBeforeMs: 0 };
}

const conflictWords = (isGone: boolean) =>
  isGone
    ? "This event was deleted in another app. Your change wasn't saved. Choose which version to keep."
    : "This event was changed in another app. Your change wasn't saved. Choose which version to keep.";

/** Stores a refusal for the edit and its account. The edit itself is kept, whatever the reason. */
async function storeRefusal(
  app: App,
  connection: Connection,
  edit: Edit,
  error: ProviderError,
): Promise<number | null> {
  const nowMs = app.clock.nowMs();
  app.log.info({ editId: edit.id, kind: error.kind, code: error.code, err: error }, 'an edit was not taken');
  const wait = (untilMs: number, message: string, counts: boolean) =>
    inTransaction(app.db, async (tx) => {
      const attempts = counts ? edit.attempts : edit.attempts - 1;
      await updateEdit(tx, edit, { notBeforeMs: untilMs, message, attempts });
      await app.feed.publish(tx, edit.userId, 'edits');
    });
  if (error.kind === 'auth') {
    await wait(nowMs, untilConnected, false);
    const { code, message } = error;
    await updateStatus(app.db, connection.id, 'needs-reconnect', { code, message });
    await app.feed.publish(app.db, edit.userId, 'accounts');
    return nowMs + 3_600_000;
  }
  if (error.kind === 'rate-limited') {
    const untilMs =
      nowMs + Math.max(error.retryAfterMs ?? 0, error.code === pacedCode ? 0 : retryAfterMs(edit.attempts));
    await wait(untilMs, "The calendar is receiving too many changes. We'll try again shortly.", false);
    return untilMs;
  }
  const isFinal = error.kind === 'rejected' || error.kind === 'not-found' || edit.attempts >= maxAttempts;
  if (!isFinal) {
    const untilMs = nowMs + retryAfterMs(edit.attempts);
    await wait(untilMs, "The calendar didn't respond. We'll try again.", true);
    return untilMs;
  }
  const reached = error.kind === 'rejected' || error.kind === 'not-found';
  const message = reached
    ? error.message
    : `The calendar didn't respond to ${maxAttempts} attempts (${error.message}). The change may have been saved. We'll know when the calendar responds.`;
  const refusal = isLasting(error) ? error.code : null;
  await inTransaction(app.db, async (tx) => {
    await updateEdit(tx, edit, { state: 'failed', message, refusal, settledMs: nowMs });
    await app.feed.publish(tx, edit.userId, 'edits');
  });
  return null;
}

/** Refusals that lie in the edit or in what the provider can do. Rights and full calendars can change. */
const lastingCodes = new Set(['UNSUPPORTED', 'NOT_ORGANIZER', 'NOT_INVITED', 'TOO_LARGE', 'NO_SUCH_INSTANCE']);

const isLasting = ({ kind, code }: ProviderError) => kind === 'rejected' && lastingCodes.has(code);
