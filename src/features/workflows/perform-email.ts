import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { PerformedRun, RenderedOf, StepOutcome } from './rules/action.ts';
import { writeStepMail } from './write-step-mail.ts';

/** Hands a step's mails to the outbox, one for each address: under the same keys however often it is called. */
export async function performEmail(
  app: App,
  run: PerformedRun,
  rendered: RenderedOf<'send-email'>,
): Promise<StepOutcome> {
  if (rendered.to.length === 0) return { outcome: 'refused', reason: 'no-recipient', permanent: true };
  const mails = rendered.to.map((recipient, number) => writeStepMail(run, recipient, number, rendered));
  await inTransaction(app.db, async (tx) => {
    for (const mail of mails) await app.mail.send(tx, mail);
  });
  return { outcome: 'done', reference: mails.map(({ key }) => key).join(' ') };
}
