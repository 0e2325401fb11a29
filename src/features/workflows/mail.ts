import type { UserId } from '#kernel/ids.ts';
import { type MailMessage, quoteName } from '#platform/mail-message.ts';
import { mailWords } from '#platform/mail-words.ts';
import type en from './mail.en.json';

const wordsIn = mailWords<typeof en>(import.meta.dirname);

/** Asks whoever reads an address whether steps may write to it. */
export function addressMail({
  userId,
  address,
  code,
  by,
  locale,
  nowMs,
}: {
  userId: UserId;
  address: string;
  code: string;
  by: string;
  /** Of who asks: nobody knows how the reader reads. */
  locale: string;
  nowMs: number;
}): MailMessage {
  const say = wordsIn(locale);
  const names = { by: quoteName(by) };
  return {
    key: `workflows.address:${userId}:${address}:${nowMs}`,
    kind: 'workflows.address',
    to: address,
    userId,
    locale,
    content: {
      subject: say('address.subject', names),
      heading: say('address.heading'),
      blocks: [{ text: say('address.text', names) }, { code }, { small: say('address.why') }],
    },
    forget: true,
    expiresAtMs: nowMs + 3_600_000,
  };
}
