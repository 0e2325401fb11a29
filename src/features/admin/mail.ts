import type { MailContent } from '#platform/mail-message.ts';
import { mailWords } from '#platform/mail-words.ts';
import type en from './mail.en.json';

const say = mailWords<typeof en>(import.meta.dirname)('en');

/** What an administrator sends to see that mail leaves. */
export function proofMail(url: string): MailContent {
  const subject = say('test.subject');
  return { subject, heading: subject, blocks: [{ text: say('test.text', { url }) }] };
}
