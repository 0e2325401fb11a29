import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { showSaying } from './show-saying.ts';
import { confirmWaiting, findWaiting } from './store/subscribers.ts';

/** Opened, the link of the mail only asks: programs that look at mails open links too. Sent, it counts. */
export async function confirmSubscription(app: App, call: PageCall): Promise<PageAnswer> {
  const token = call.params.token ?? '';
  const find = call.method === 'POST' ? confirmWaiting : findWaiting;
  const email = token.length > 100 ? null : await find(app.db, hashToken(token));
  if (email === null) return showSaying(app, call, 'subscribe.gone', { status: 404 });
  if (call.method === 'POST') return showSaying(app, call, 'subscribe.done', { email });
  const action = { to: `/subscribe/${token}`, label: 'subscribe.confirm-button' } as const;
  return showSaying(app, call, 'subscribe.confirm', { email, action });
}
