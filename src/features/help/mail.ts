import { type MailMessage, quoteName } from '#platform/mail-message.ts';
import { mailWords } from '#platform/mail-words.ts';
import type en from './mail.en.json';

const say = mailWords<typeof en>(import.meta.dirname)('en');

interface Asked {
  id: string;
  to: string;
  from: string;
  site: string;
  message: string;
  diagnostics?: string | undefined;
}

/** To the operator, who reads what was written and nothing that its writer has not seen. */
export function supportMail({ id, to, from, site, message, diagnostics }: Asked): MailMessage {
  return {
    key: `help.support:${id}`,
    kind: 'help.support',
    to,
    userId: null,
    locale: 'en',
    forget: true,
    content: {
      subject: say('support.subject', { from, site }),
      heading: say('support.heading'),
      blocks: [
        { facts: [[say('support.from'), quoteName(from)]] },
        { text: message },
        ...(diagnostics === undefined || diagnostics === ''
          ? []
          : [{ small: `${say('support.sent')}\n\n${diagnostics}` }]),
        { small: say('support.why') },
      ],
    },
  };
}
