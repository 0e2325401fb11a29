import { listHosts } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { isBillingOn, isLiveKey } from './is-billing-on.ts';
import { noticeMail } from './mail.ts';
import { newsMs, noticeMs, planNotice } from './rules/notices.ts';
import { listChanging } from './store/people.ts';
import { listPlans } from './store/plans.ts';

const pageRows = 200;

/**
 * Writes to people whose trial ends soon, whose payment failed, or whose subscription has ended; the outbox takes one mail for
 * each of these, however often this runs. Who is suspended is told once they are not, while it is still so.
 */
export async function sendNotices({ config, clock, db, mail }: App, signal: AbortSignal): Promise<void> {
  if (!isBillingOn(config)) return;
  const live = isLiveKey(config);
  const nowMs = clock.nowMs();
  const plans = await listPlans(db);
  for (let after: UserId | null = null; ; ) {
    const within = { untilMs: nowMs + noticeMs, nowMs, sinceMs: nowMs - newsMs };
    const page = await listChanging(db, live, within, { after, limit: pageRows });
    signal.throwIfAborted();
    const due = page.flatMap(({ userId, ...standing }) => {
      const notice = planNotice({ plans, ...standing }, nowMs);
      return notice === null ? [] : [{ userId, notice }];
    });
    const hosts = await listHosts(
      db,
      due.map(({ userId }) => userId),
    );
    const mails = due.flatMap(({ userId, notice }) => {
      const host = hosts.get(userId);
      return host === undefined || host.suspended ? [] : [noticeMail(host, notice, config.publicUrl)];
    });
    if (mails.length > 0) await inTransaction(db, (tx) => mail.sendAll(tx, mails));
    after = page.at(-1)?.userId ?? null;
    if (page.length < pageRows) return;
  }
}
