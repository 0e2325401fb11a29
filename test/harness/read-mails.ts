import type { MailContent } from '#platform/mail-message.ts';
import { listWaitingMails } from '#platform/mail-outbox.ts';
import type { TestApp } from './test-app.ts';

export interface ReadMail {
  kind: string;
  to: string;
  subject: string;
  content: MailContent;
  /** Where its buttons lead. */
  links: string[];
  /** Codes to type or copy. */
  codes: string[];
}

/** The mails to an address, oldest first. Without an SMTP server, as tests usually run, they stay in the outbox. */
export async function readMails({ app }: TestApp, address: string): Promise<ReadMail[]> {
  const mails = await listWaitingMails(app.db, app.keyring, { to: address });
  return mails.reverse().map(({ kind, to, body: { content } }) => ({
    kind,
    to,
    subject: content.subject,
    content,
    links: content.blocks.flatMap((block) => ('button' in block ? [block.button.url] : [])),
    codes: content.blocks.flatMap((block) => ('code' in block ? [block.code] : [])),
  }));
}
