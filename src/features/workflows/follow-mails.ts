import type { App } from '#platform/app.ts';
import { listMailStates } from '#platform/mail-outbox.ts';
import { runsTopic } from './events.ts';
import { listHanded, noteHanded } from './store/run-rows.ts';

const mostAtOnce = 500;
const askAgainMs = 15_000;

/** Asks the outbox what became of mails that were handed to it. */
export async function followMails(app: App, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const nowMs = app.clock.nowMs();
    const handed = await listHanded(app.db, nowMs, mostAtOnce);
    if (handed.length === 0) return;
    const keys = handed.flatMap(({ reference }) => reference.split(' '));
    const states = new Map((await listMailStates(app.db, keys)).map((mail) => [mail.key, mail]));
    const ends = handed.map(({ id, reference }) => {
      // what the outbox has forgotten was settled long ago
      const mails = reference.split(' ').flatMap((mailKey) => states.get(mailKey) ?? []);
      if (mails.some(({ state }) => state === 'queued' || state === 'sending'))
        return { id, state: 'handed' as const, reason: null, nextMs: nowMs + askAgainMs };
      const lost = mails.find(({ state }) => state !== 'sent');
      if (lost === undefined) return { id, state: 'done' as const, reason: null, nextMs: null };
      if (lost.error === 'withdrawn' || lost.error === 'stopped')
        return { id, state: 'skipped' as const, reason: lost.error, nextMs: null };
      const reason = lost.state === 'bounced' ? 'bounced' : 'mail-refused';
      return { id, state: 'dead' as const, reason, nextMs: null };
    });
    for (const userId of await noteHanded(app.db, ends)) await app.feed.publish(app.db, userId, runsTopic);
    if (handed.length < mostAtOnce) return;
  }
}
