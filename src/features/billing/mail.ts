import { type Host, listHosts } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { MailMessage } from '#platform/mail-message.ts';
import { mailWords, sayTime } from '#platform/mail-words.ts';
import { isBillingOn, isLiveKey } from './billing.ts';
import type en from './mail.en.json';
import { type Notice, newsMs, noticeMs, planNotice } from './rules.ts';
import { listChanging } from './store/people.ts';
import { listPlans } from './store/plans.ts';

const wordsIn = mailWords<typeof en>(import.meta.dirname);

/** A mail about a change of the plan, and the user's options. One mail per change. */
export function noticeMail(host: Host, { kind, of, atMs }: Notice, publicUrl: string): MailMessage {
  const say = wordsIn(host.locale);
  const subject = say(`${kind}.subject`);
  return {
    key: `billing.${kind}:${host.userId}:${of}`,
    kind: `billing.${kind}`,
    to: host.email,
    userId: host.userId,
    locale: host.locale,
    content: {
      subject,
      heading: subject,
      blocks: [
        { text: say(`${kind}.text`, { time: sayTime(atMs, host) }) },
        { button: { label: say(`${kind}.button`), url: `${publicUrl}/billing` } },
        { small: say('why') },
      ],
    },
    // too late to be of use
    ...(kind === 'ended' ? {} : { expiresAtMs: atMs }),
  };
}

const pageRows = 200;

/**
 * Writes to people whose trial ends soon, whose payment failed, or whose subscription has ended. The outbox accepts one
 * mail for each, however often this runs. A suspended person is notified after the suspension, if the notice is still
 * true.
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
