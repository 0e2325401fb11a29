import { holdSequence } from '#features/booking/public.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { listMailStates } from '#platform/mail-outbox.ts';
import type { PerformedRun, RenderedOf, StepOutcome } from './rules/action.ts';
import { runKeyOf, stepMailKey, writeStepMail } from './write-step-mail.ts';

/**
 * Hands a step's mails to the outbox, one for each address, under the same keys however often it is called. Who cancels or
 * moves the booking waits for it, and then finds what to withdraw; who did before is seen here.
 */
export function performEmail(
  app: Pick<App, 'db' | 'mail'>,
  run: PerformedRun,
  rendered: RenderedOf<'send-email'>,
): Promise<StepOutcome> {
  const mails = rendered.mails.map((mail, number) => writeStepMail(run, mail, number, rendered));
  return inTransaction(app.db, async (tx) => {
    const { booking } = run;
    if (booking !== null && (await holdSequence(tx, booking.id)) !== booking.sequence)
      return { outcome: 'refused', reason: 'booking-changed', permanent: false, retryAfterMs: 0 };
    const reached = await listReached(tx, run, mails.length);
    for (const [number, mail] of mails.entries()) if (!reached.has(number)) await app.mail.send(tx, mail);
    return {
      outcome: 'done',
      reference: mails.flatMap(({ key }, number) => (reached.has(number) ? [] : [key])).join(' '),
    };
  });
}

/** Whoever has had the mail does not get it again because somebody says to try again. */
async function listReached(tx: Tx, { id, key }: PerformedRun, count: number): Promise<Set<number>> {
  const generation = Number(key.slice(id.length + 1));
  const numberOf = new Map(
    Array.from({ length: generation }, (_, n) => runKeyOf(id, n)).flatMap((earlier) =>
      Array.from({ length: count }, (_, number) => [stepMailKey(earlier, number), number] as const),
    ),
  );
  const states = await listMailStates(tx, [...numberOf.keys()]);
  return new Set(states.flatMap((mail) => (mail.state === 'sent' ? (numberOf.get(mail.key) ?? []) : [])));
}
