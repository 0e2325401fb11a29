import { createHash, randomUUID } from 'node:crypto';
import type { UserId } from '#kernel/ids.ts';
import type { BrandWatch } from './brand.ts';
import type { Keyring } from './crypto.ts';
import type { Tx } from './db.ts';
import type { Jobs } from './jobs.ts';
import { deliverBatch, deliverMail } from './mail-delivery.ts';
import { checkMessage, fitContent, type MailMessage, nameInstall } from './mail-message.ts';
import { insertMails, type NewMail, withdrawMail, withdrawMailsOf } from './mail-outbox.ts';
import type { Mailbox, MailTransport } from './mail-transport.ts';

/**
 * Mail to people. It is written down in the transaction of the change that calls for it and sent once that commits: never
 * for work that was rolled back, at least once otherwise, always under the same Message-ID.
 */
export interface Mail {
  /** *Errors*: AppError invalid for what cannot be one mail to one address (`mail-message.ts`). */
  send(tx: Tx, message: MailMessage): Promise<void>;
  /** The same of many, in as few statements and jobs as that takes. */
  sendAll(tx: Tx, messages: readonly MailMessage[]): Promise<void>;
  /** Takes a mail back that nobody has begun to send; where there is none, nothing. */
  withdraw(tx: Tx, key: string): Promise<void>;
  /** The same of all mails of the last hour to or about these people whose keys begin with one of the prefixes. */
  withdrawAll(tx: Tx, of: { userIds: readonly UserId[]; prefixes: readonly string[] }): Promise<void>;
  readonly from: Mailbox;
  /** Null where no SMTP server is set: mails then wait in the outbox. */
  readonly transport: MailTransport | null;
}

export interface MailOptions {
  jobs: Jobs;
  keyring: Keyring;
  from: Mailbox;
  transport: MailTransport | null;
  brand: Pick<BrandWatch, 'current'>;
}

/** Of one job: others send the next ones meanwhile, and a worker that dies leaves no more than that. */
const mostInBatch = 100;

export function createMail({ jobs, keyring, from, transport, brand }: MailOptions): Mail {
  const toRow = (message: MailMessage): NewMail => {
    const content = fitContent(nameInstall(message.content, brand.current().name));
    checkMessage({ ...message, content });
    const { key, kind, to, userId, locale, calendar, stopUrl, expiresAtMs, forget = false } = message;
    const body = {
      locale,
      content,
      ...(calendar === undefined ? {} : { calendar }),
      ...(stopUrl === undefined ? {} : { stopUrl }),
    };
    return { id: randomUUID(), key, messageId: messageIdOf(key, from), kind, to, userId, body, expiresAtMs, forget };
  };
  return {
    from,
    transport,
    async send(tx, message) {
      for (const id of await insertMails(tx, keyring, [toRow(message)]))
        if (transport !== null) await jobs.send(deliverMail, { id }, { tx, key: id });
    },
    async sendAll(tx, messages) {
      const rows = messages.map(toRow);
      for (let start = 0; start < rows.length; start += mostInBatch) {
        const id = randomUUID();
        const isNew = await insertMails(tx, keyring, rows.slice(start, start + mostInBatch), id);
        if (isNew.length > 0 && transport !== null) await jobs.send(deliverBatch, { id }, { tx, key: id });
      }
    },
    withdraw: withdrawMail,
    withdrawAll: withdrawMailsOf,
  };
}

/** The same for the same key: programs that get a mail twice under one id show it once. */
function messageIdOf(key: string, from: Mailbox): string {
  return `${createHash('sha256').update(key, 'utf8').digest('hex').slice(0, 32)}@${from.address.split('@')[1]}`;
}
