import { randomUUID } from 'node:crypto';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { networkOf, takeAllowance } from '#platform/limits.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { askSubscriber } from './jobs.ts';
import { readSiteVisitor } from './read-site-visitor.ts';
import { asksPerNetwork } from './rules/limits.ts';
import { showSaying } from './show-saying.ts';
import { keepSubscriber } from './store/subscribers.ts';

/**
 * Somebody typed an address that wants news. Whether it is on the list already is neither told nor to be seen from the
 * time this takes: what is mailed is a job's to decide.
 */
export async function subscribe(app: App, call: PageCall): Promise<PageAnswer> {
  const email = canonicalEmail(call.form.get('email') ?? '');
  if (email === null) return showSaying(app, call, 'subscribe.wrong', { status: 422 });
  try {
    await takeAllowance(app.db, asksPerNetwork, networkOf(call.request.ip));
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'limited') throw error;
    return showSaying(app, call, 'subscribe.limited', { status: 429 });
  }
  const { locale } = readSiteVisitor(app, call);
  await inTransaction(app.db, async (tx) => {
    const id = await keepSubscriber(tx, randomUUID(), email);
    await app.jobs.send(askSubscriber, { id, locale }, { tx, key: id });
  });
  return showSaying(app, call, 'subscribe.asked');
}
