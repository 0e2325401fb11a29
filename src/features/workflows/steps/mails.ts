import { holdSequence, holdSequences } from '#features/booking/public.ts';
import type { RunId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import type { MailMessage } from '#platform/mail-message.ts';
import { listMailStates } from '#platform/mail-outbox.ts';
import { askMail, sayAnswer, stepFooter } from '../mail.ts';
import { admitMails } from '../readers.ts';
import type { Handed, PerformedRun, RenderedOf, StepOutcome } from '../rules/action.ts';

type Mailer = Pick<App, 'db' | 'mail' | 'config'>;

/**
 * Hands a step's mails to the outbox, one for each address, under the same keys however often it is called. A
 * concurrent cancellation or move waits for this transaction and then finds the mails to withdraw. An earlier one is
 * detected here.
 */
export function performEmail(app: Mailer, run: PerformedRun, rendered: RenderedOf<'send-email'>): Promise<StepOutcome> {
  return inTransaction(app.db, async (tx) => {
    const { booking } = run;
    if (booking !== null && (await holdSequence(tx, booking.id)) !== booking.sequence) return overtaken;
    const { byRun, asks } = await listOutgoing(app, tx, [{ run, rendered }]);
    const outgoing = byRun.get(run.id);
    for (const mail of [...asks, ...(outgoing?.mails ?? [])]) await app.mail.send(tx, mail);
    return outcomeOf(outgoing);
  });
}

/**
 * Hands over the mails of many steps. Bookings that are being changed now are left out, because they would block this
 * transaction.
 */
export function performEmails(app: Mailer, handed: readonly Handed<'send-email'>[]): Promise<Map<RunId, StepOutcome>> {
  const bookingIds = handed.flatMap(({ run }) => run.booking?.id ?? []);
  return inTransaction(app.db, async (tx) => {
    const held = await holdSequences(tx, [...new Set(bookingIds)]);
    const free = handed.filter(({ run }) => run.booking === null || held.has(run.booking.id));
    const { byRun, asks } = await listOutgoing(
      app,
      tx,
      free.filter(({ run }) => run.booking === null || held.get(run.booking.id) === run.booking.sequence),
    );
    await app.mail.sendAll(tx, [...asks, ...[...byRun.values()].flatMap(({ mails }) => mails)]);
    return new Map(free.map(({ run: { id } }) => [id, outcomeOf(byRun.get(id))] as const));
  });
}

const overtaken: StepOutcome = { outcome: 'refused', reason: 'booking-changed', permanent: false, retryAfterMs: 0 };

interface Outgoing {
  mails: MailMessage[];
  /** Why those do not go out that are left out. */
  refusals: string[];
}

function outcomeOf(outgoing: Outgoing | undefined): StepOutcome {
  if (outgoing === undefined) return overtaken;
  const { mails, refusals } = outgoing;
  const [refusal] = refusals;
  if (mails.length === 0 && refusals.includes('unproved')) return { outcome: 'waits', reason: 'unproved' };
  if (mails.length === 0 && refusal !== undefined) return { outcome: 'skipped', reason: refusal };
  return { outcome: 'done', reference: mails.map(({ key }) => key).join(' ') };
}

/**
 * The mails of each run, and those that ask readers to confirm their address. A reader who has had a mail does not get it
 * again because somebody says to try again.
 */
async function listOutgoing(
  app: Mailer,
  tx: Tx,
  handed: readonly Handed<'send-email'>[],
): Promise<{ byRun: Map<RunId, Outgoing>; asks: MailMessage[] }> {
  const earlierKeys = ({ id, key }: PerformedRun, number: number) =>
    Array.from({ length: Number(key.slice(id.length + 1)) }, (_, n) => stepMailKey(runKeyOf(id, n), number));
  const states = await listMailStates(
    tx,
    handed.flatMap(({ run, rendered }) => rendered.mails.flatMap((_, number) => earlierKeys(run, number))),
  );
  const sent = new Set(states.flatMap(({ key, state }) => (state === 'sent' ? [key] : [])));
  const { admissions, asks } = await admitMails(tx, handed);
  const byRun = new Map(
    handed.map(({ run, rendered }) => {
      const outgoing: Outgoing = { mails: [], refusals: [] };
      for (const [number, mail] of rendered.mails.entries()) {
        if (earlierKeys(run, number).some((key) => sent.has(key))) continue;
        const admission = admissions.get(run.id)?.[number];
        if (admission === undefined) continue;
        if (admission.refusal !== null) outgoing.refusals.push(admission.refusal);
        else outgoing.mails.push(writeStepMail(app, run, mail, number, { ...rendered, readerId: admission.readerId }));
      }
      return [run.id, outgoing] as const;
    }),
  );
  return { byRun, asks: asks.map((ask) => askMail(ask, app.config.publicUrl)) };
}

const mostParagraphs = 28;

/** One of a step's mails: the author's paragraphs as they are, and a footer of ours that says why it comes and how to stop it. */
export function writeStepMail(
  { config }: Pick<App, 'config'>,
  { key, userId, booking, isTest }: PerformedRun,
  { to, subject, body, ...people }: RenderedOf<'send-email'>['mails'][number],
  number: number,
  {
    ics,
    expiresAtMs,
    reason,
    readerId,
  }: Pick<RenderedOf<'send-email'>, 'ics' | 'expiresAtMs' | 'reason'> & { readerId: string | null },
): MailMessage {
  const stop = readerId === null ? null : `${config.publicUrl}/unsubscribe/${readerId}`;
  const paragraphs = body.split(/\n{2,}/);
  const texts = [...paragraphs.slice(0, mostParagraphs - 1), paragraphs.slice(mostParagraphs - 1).join('\n\n')];
  return {
    key: stepMailKey(key, number),
    kind: isTest ? 'workflows.test' : 'workflows.step',
    ...(booking ? { about: [booking.id] } : {}),
    to: to.address,
    ...people,
    userId,
    locale: to.locale,
    content: {
      subject,
      heading: subject,
      blocks: [
        ...texts.filter((text) => text.trim() !== '').map((text) => ({ text: text.slice(0, 4_000) })),
        ...sayAnswer(to, reason),
        stepFooter(to, reason, stop ?? `${config.publicUrl}/workflows`),
      ],
    },
    ...(ics === null ? {} : { calendar: { method: 'PUBLISH', ics } }),
    ...(stop === null ? {} : { stopUrl: stop }),
    expiresAtMs,
  };
}

/** The key of the mail to one recipient of a run. */
const stepMailKey = (runKey: string, number: number) => `workflows.run:${runKey}:${number}`;

/** The host's guest and the ten they may bring. */
const mostRecipients = 11;

/** All keys that mails of a run may have. */
export const stepMailKeys = ({ id, generation }: { id: string; generation: number }) => {
  const key = runKeyOf(id, generation);
  return Array.from({ length: mostRecipients }, (_, number) => stepMailKey(key, number));
};

/** Names the work of a run: another one when somebody says to try again. */
export const runKeyOf = (id: string, generation: number) => (generation === 0 ? id : `${id}.${generation}`);
