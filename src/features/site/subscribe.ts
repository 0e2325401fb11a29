import { randomUUID } from 'node:crypto';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { AppError } from '#kernel/errors.ts';
import { solutionField } from '#kernel/solve-challenge.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { takeNetworkAllowance } from '#platform/limits.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { demandWork } from '#platform/proof-of-work.ts';
import { askSubscriber } from './jobs.ts';
import { readSiteVisitor } from './read-site-visitor.ts';
import { asksPerNetwork, busySubscribing } from './rules/limits.ts';
import { showSaying } from './show-saying.ts';
import { keepSubscriber } from './store/subscribers.ts';

/**
 * Somebody typed an address that wants news. Whether it is on the list already is neither told nor to be seen from the
 * time this takes: what is mailed is a job's to decide.
 */
export async function subscribe(app: App, call: PageCall): Promise<PageAnswer> {
  const email = canonicalEmail(call.form.get('email') ?? '');
  if (email === null) return showSaying(app, call, 'subscribe.wrong', { status: 422 });
  const solution = call.form.get(solutionField) ?? undefined;
  try {
    await takeNetworkAllowance(app.db, asksPerNetwork, call.request.ip);
    await demandWork(app, busySubscribing, solution);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'CHALLENGE') return showChallenge(app, call, email, error.fields?.challenge);
    if (error.kind !== 'limited') throw error;
    return showSaying(app, call, solution === '' ? 'subscribe.busy' : 'subscribe.limited', { status: 429 });
  }
  const { locale } = readSiteVisitor(app, call);
  await inTransaction(app.db, async (tx) => {
    const id = await keepSubscriber(tx, randomUUID(), email);
    await app.jobs.send(askSubscriber, { id, locale }, { tx, key: id });
  });
  return showSaying(app, call, 'subscribe.asked');
}

const showChallenge = (app: App, call: PageCall, email: string, challenge: string | undefined) =>
  showSaying(app, call, 'subscribe.working', {
    status: 409,
    action: { to: '/subscribe', label: 'subscribe.button', fields: { email, [solutionField]: '' } },
    challenge,
  });
