import type { UserId } from '#kernel/ids.ts';
import { type MailMessage, quoteName } from '#platform/mail-message.ts';
import { mailWords } from '#platform/mail-words.ts';
import type en from './mail.en.json';

const wordsIn = mailWords<typeof en>(import.meta.dirname);

/** A follow-up mail to a contact, with the user as the address for replies. */
export function followUpMail(mail: {
  id: string;
  userId: UserId;
  to: string;
  by: { name: string; shownEmail: string | null; locale: string };
  subject: string;
  body: string;
}): MailMessage {
  const { name, shownEmail, locale } = mail.by;
  const say = wordsIn(locale);
  const names = { by: quoteName(name) };
  return {
    key: `contacts.follow-up:${mail.id}`,
    kind: 'contacts.follow-up',
    to: mail.to,
    fromName: name,
    ...(shownEmail === null ? {} : { replyTo: { name, address: shownEmail } }),
    userId: mail.userId,
    locale,
    content: {
      subject: mail.subject,
      heading: say('followUp.heading', names),
      blocks: [{ text: mail.body }, { small: say(shownEmail === null ? 'followUp.hidden' : 'followUp.small', names) }],
    },
    forget: true,
  };
}
