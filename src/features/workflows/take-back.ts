import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { listMailStates, withdrawMails } from '#platform/mail-outbox.ts';
import type { ClaimedRun } from './store/run-rows.ts';
import { stepMailKeys } from './write-step-mail.ts';

/**
 * What an earlier attempt handed over before its worker died is taken back, now that it is not wanted. Answers with the keys of
 * what was on its way already: it was sent, and the log has to say so.
 */
export function takeBack(app: Pick<App, 'db'>, run: ClaimedRun): Promise<string[]> {
  const keys = stepMailKeys(run);
  return inTransaction(app.db, async (tx) => {
    await withdrawMails(tx, keys);
    const mails = await listMailStates(tx, keys);
    return mails.flatMap(({ key, state, error }) => (state === 'failed' && error === 'withdrawn' ? [] : [key]));
  });
}
