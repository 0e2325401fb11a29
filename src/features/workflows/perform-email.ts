import { holdSequence, holdSequences } from '#features/booking/public.ts';
import type { RunId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import type { MailMessage } from '#platform/mail-message.ts';
import { listMailStates } from '#platform/mail-outbox.ts';
import type { Handed, PerformedRun, RenderedOf, StepOutcome } from './rules/action.ts';
import { runKeyOf, stepMailKey, writeStepMail } from './write-step-mail.ts';

type Mailer = Pick<App, 'db' | 'mail'>;

/**
 * Hands a step's mails to the outbox, one for each address, under the same keys however often it is called. Who cancels or
 * moves the booking waits for it, and then finds what to withdraw; who did before is seen here.
 */
export function performEmail(app: Mailer, run: PerformedRun, rendered: RenderedOf<'send-email'>): Promise<StepOutcome> {
  return inTransaction(app.db, async (tx) => {
    const { booking } = run;
    if (booking !== null && (await holdSequence(tx, booking.id)) !== booking.sequence) return overtaken;
    const mails = [...(await listUnreached(tx, [{ run, rendered }])).values()].flat();
    for (const mail of mails) await app.mail.send(tx, mail);
    return handedOver(mails);
  });
}

/** The same of many. Those whose booking somebody is changing just now are left out: they would have to be waited for. */
export function performEmails(app: Mailer, handed: readonly Handed<'send-email'>[]): Promise<Map<RunId, StepOutcome>> {
  const bookingIds = handed.flatMap(({ run }) => run.booking?.id ?? []);
  return inTransaction(app.db, async (tx) => {
    const held = await holdSequences(tx, [...new Set(bookingIds)]);
    const free = handed.filter(({ run }) => run.booking === null || held.has(run.booking.id));
    const mails = await listUnreached(
      tx,
      free.filter(({ run }) => run.booking === null || held.get(run.booking.id) === run.booking.sequence),
    );
    await app.mail.sendAll(tx, [...mails.values()].flat());
    return new Map(
      free.map(({ run: { id } }) => {
        const own = mails.get(id);
        return [id, own === undefined ? overtaken : handedOver(own)] as const;
      }),
    );
  });
}

const overtaken: StepOutcome = { outcome: 'refused', reason: 'booking-changed', permanent: false, retryAfterMs: 0 };

const handedOver = (mails: readonly MailMessage[]): StepOutcome => ({
  outcome: 'done',
  reference: mails.map(({ key }) => key).join(' '),
});

/** The mails of each run. Whoever has had one does not get it again because somebody says to try again. */
async function listUnreached(tx: Tx, handed: readonly Handed<'send-email'>[]): Promise<Map<RunId, MailMessage[]>> {
  const earlierKeys = ({ id, key }: PerformedRun, number: number) =>
    Array.from({ length: Number(key.slice(id.length + 1)) }, (_, n) => stepMailKey(runKeyOf(id, n), number));
  const states = await listMailStates(
    tx,
    handed.flatMap(({ run, rendered }) => rendered.mails.flatMap((_, number) => earlierKeys(run, number))),
  );
  const sent = new Set(states.flatMap(({ key, state }) => (state === 'sent' ? [key] : [])));
  return new Map(
    handed.map(({ run, rendered }) => [
      run.id,
      rendered.mails.flatMap((mail, number) =>
        earlierKeys(run, number).some((key) => sent.has(key)) ? [] : [writeStepMail(run, mail, number, rendered)],
      ),
    ]),
  );
}
