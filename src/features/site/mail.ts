import type { MailMessage } from '#platform/mail-message.ts';
import { mailWords } from '#platform/mail-words.ts';
import type en from './mail.en.json';
import { confirmDays } from './rules.ts';

const wordsIn = mailWords<typeof en>(import.meta.dirname);

interface Asked {
  /** Names the link and tells nothing about it. */
  key: string;
  to: string;
  locale: string;
  site: string;
  confirmUrl: string;
  expiresAtMs: number;
}

/** Asks whether an address wants news. Nothing of it stays behind: the address may be a stranger's. */
export function subscribeMail({ key, to, locale, site, confirmUrl, expiresAtMs }: Asked): MailMessage {
  const say = wordsIn(locale);
  return {
    key: `site.subscribe:${key}`,
    kind: 'site.subscribe',
    to,
    userId: null,
    locale,
    unproved: { share: 'given', sender: 'newsletter' },
    forget: true,
    expiresAtMs,
    content: {
      subject: say('subscribe.subject', { site }),
      heading: say('subscribe.subject', { site }),
      blocks: [
        { text: say('subscribe.text', { site }) },
        { button: { label: say('subscribe.action'), url: confirmUrl } },
        { small: say('subscribe.why', { days: confirmDays }) },
      ],
    },
  };
}
