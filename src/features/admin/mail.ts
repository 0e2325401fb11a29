import type { MailContent } from '#platform/mail-message.ts';
import { mailWords } from '#platform/mail-words.ts';
import type en from './mail.en.json';

const wordsIn = mailWords<typeof en>(import.meta.dirname);

/** The test mail of an administrator. */
export function proofMail(site: string, locale: string): MailContent {
  const say = wordsIn(locale);
  const subject = say('test.subject');
  return { subject, heading: subject, blocks: [{ text: say('test.text', { site }) }] };
}
