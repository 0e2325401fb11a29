import type { Host } from '#features/accounts/public.ts';
import type { MailMessage } from '#platform/mail-message.ts';
import { mailWords, sayTime } from '#platform/mail-words.ts';
import type en from './mail.en.json';
import type { Notice } from './rules/notices.ts';

const wordsIn = mailWords<typeof en>(import.meta.dirname);

/** What happens to somebody's plan, and what they can do; one mail for each thing it is about. */
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
