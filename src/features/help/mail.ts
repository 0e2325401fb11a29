import { type MailMessage, quoteAddress, quoteName, quoteText } from '#platform/mail-message.ts';
import { mailWords } from '#platform/mail-words.ts';
import type en from './mail.en.json';

const wordsIn = mailWords<typeof en>(import.meta.dirname);

interface Asked {
  id: string;
  to: string;
  from: string;
  name: string;
  /** The sender's locale: the operator has none. */
  locale: string;
  site: string;
  message: string;
  diagnostics?: string | undefined;
}

/** As long as a paragraph of a mail may be. */
const longest = 4_000;

/** The mail to the operator. It contains only what the sender saw on the screen. */
export function supportMail({ id, to, from, name, locale, site, message, diagnostics }: Asked): MailMessage {
  const say = wordsIn(locale);
  return {
    key: `help.support:${id}`,
    kind: 'help.support',
    to,
    fromName: name,
    replyTo: { name, address: from },
    userId: null,
    locale,
    forget: true,
    content: {
      subject: say('support.subject', { from: quoteAddress(from), site }),
      heading: say('support.heading'),
      blocks: [
        { facts: [[say('support.from'), quoteName(from)]] },
        { text: quoteText(message, longest) },
        ...(diagnostics === undefined || diagnostics === ''
          ? []
          : [{ small: `${say('support.sent')}\n\n${quoteText(diagnostics)}` }]),
        { small: say('support.why') },
      ],
    },
  };
}
