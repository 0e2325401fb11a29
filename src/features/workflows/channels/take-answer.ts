import { trimEndOf } from '#kernel/trim-text.ts';
import type { App } from '#platform/app.ts';
import { readPhone } from './read-phone.ts';
import { insertConsent } from './store/consents.ts';
import type { CredentialRow } from './store/credentials.ts';

/** Source: CTIA Messaging Principles, opt-out; Twilio, "Support for STOP, START, and HELP keywords". */
const stopWords = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'];
const startWords = ['START', 'YES', 'UNSTOP'];

/** What somebody answers from their phone: all that counts is whether they want more. */
export async function takeAnswer(
  app: App,
  { userId }: Pick<CredentialRow, 'userId'>,
  { id, from, body }: { id: string; from: string; body: string },
): Promise<void> {
  const phone = await readPhone(from);
  const word = trimEndOf(body.trim(), '.!').toUpperCase();
  const given = startWords.includes(word);
  if (phone === null || (!given && !stopWords.includes(word))) return;
  await insertConsent(app.db, userId, {
    phone,
    given,
    source: 'message',
    sourceId: id.slice(0, 100),
    atMs: app.clock.nowMs(),
  });
  await app.feed.publish(app.db, userId, 'channels');
}
