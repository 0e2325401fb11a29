import { createHash, randomUUID } from 'node:crypto';
import { chooseTongue } from '#kernel/languages.ts';
import type { BrandWatch } from './brand.ts';
import type { Clock } from './clock.ts';
import type { Keyring } from './crypto.ts';
import type { Tx } from './db.ts';
import type { Jobs } from './jobs.ts';
import { deliverBatch, deliverMail } from './mail-delivery.ts';
import {
  checkMessage,
  fitContent,
  type MailBlock,
  type Mailbox,
  type MailMessage,
  nameInstall,
  plainName,
  senderName,
} from './mail-message.ts';
import { insertMails, listMailStates, type NewMail, withdrawMail } from './mail-outbox.ts';
import type { MailTransport } from './mail-transport.ts';
import { ownWords } from './own-words.ts';
import { admitMails, stopPath } from './recipients.ts';

/**
 * Mail to people. It is written down in the transaction of the change that calls for it and sent once that commits: never
 * for work that was rolled back, at least once otherwise, always under the same Message-ID.
 */
export interface Mail {
  /**
   * False: its address is unproved, and gets no more mails for now.
   * *Errors*: AppError invalid for what cannot be one mail to one address (`mail-message.ts`).
   */
  send(tx: Tx, message: MailMessage): Promise<boolean>;
  /** The same of many, in as few statements and jobs as that takes; those that do not go out. */
  sendAll(tx: Tx, messages: readonly MailMessage[]): Promise<MailMessage[]>;
  /** Takes a mail back that nobody has begun to send; where there is none, nothing. */
  withdraw(tx: Tx, key: string): Promise<void>;
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
  clock: Clock;
  publicUrl: string;
}

/** Mails of one job. More jobs send in parallel, and a worker that dies leaves no more than this many. */
const mostInBatch = 100;

export function createMail({ jobs, keyring, from, transport, brand, clock, publicUrl }: MailOptions): Mail {
  const toRow = (message: MailMessage): NewMail => {
    const content = fitContent(nameInstall(message.content, brand.current().name));
    const people = plainPeople(message);
    checkMessage({ ...message, ...people, content });
    const {
      key,
      kind,
      to,
      userId,
      locale,
      color,
      logo,
      calendar,
      stopUrl,
      about,
      expiresAtMs,
      forget = false,
    } = message;
    const body = {
      locale,
      content,
      ...people,
      ...(color === undefined ? {} : { color }),
      ...(logo === undefined ? {} : { logo: { ...logo, name: plainName(logo.name) } }),
      ...(calendar === undefined ? {} : { calendar }),
      ...(stopUrl === undefined ? {} : { stopUrl }),
    };
    const expiresInMs = expiresAtMs === undefined ? undefined : expiresAtMs - clock.nowMs();
    return {
      id: randomUUID(),
      key,
      messageId: messageIdOf(key, from),
      kind,
      to,
      userId,
      body,
      about,
      expiresInMs,
      forget,
    };
  };
  return {
    from,
    transport,
    async send(tx, message) {
      const { admitted, withheld } = await admit(tx, [message], publicUrl);
      for (const id of await insertMails(tx, keyring, admitted.map(toRow)))
        if (transport !== null) await jobs.send(deliverMail, { id }, { tx, key: id });
      return withheld.length === 0;
    },
    async sendAll(tx, messages) {
      const { admitted, withheld } = await admit(tx, messages, publicUrl);
      const rows = admitted.map(toRow);
      for (let start = 0; start < rows.length; start += mostInBatch) {
        const id = randomUUID();
        const isNew = await insertMails(tx, keyring, rows.slice(start, start + mostInBatch), id);
        if (isNew.length > 0 && transport !== null) await jobs.send(deliverBatch, { id }, { tx, key: id });
      }
      return withheld;
    },
    withdraw: withdrawMail,
  };
}

/** Mails to unproved addresses as far as these may get any, with the way to stop them. */
async function admit(
  tx: Tx,
  messages: readonly MailMessage[],
  publicUrl: string,
): Promise<{ admitted: MailMessage[]; withheld: MailMessage[] }> {
  const open = messages.flatMap((message) =>
    message.unproved === undefined ? [] : [{ message, key: message.key, address: message.to, ...message.unproved }],
  );
  if (open.length === 0) return { admitted: [...messages], withheld: [] };
  // the rows are locked before the outbox is asked: a mail that several jobs write at once is counted once
  await admitMails(
    tx,
    open.map((one) => ({ ...one, isCounted: false })),
  );
  const keys = open.map(({ key }) => key);
  const known = new Set((await listMailStates(tx, keys)).map(({ key }) => key));
  const fresh = open.filter(({ key }) => !known.has(key));
  const ids = await admitMails(
    tx,
    fresh.map((one) => ({ ...one, isCounted: one.as !== 'counted', isOwed: one.as === 'owed' })),
  );
  const idOf = new Map(fresh.map(({ message }, n) => [message, ids[n] ?? null]));
  const [admitted, withheld]: [MailMessage[], MailMessage[]] = [[], []];
  for (const message of messages) {
    const id = idOf.get(message);
    if (id === null) withheld.push(message);
    else if (id !== undefined) admitted.push(withStop(message, `${publicUrl}${stopPath(id, message.to)}`));
    else if (!known.has(message.key)) admitted.push(message);
  }
  return { admitted, withheld };
}

function withStop({ content, ...message }: MailMessage, stopUrl: string): MailMessage {
  const words = ownWords(chooseTongue([message.locale]).language);
  const stop: MailBlock = { small: words['mail.unproved'], link: { label: words['mail.stop'], url: stopUrl } };
  return { ...message, stopUrl, content: { ...content, blocks: [...content.blocks, stop] } };
}

/** Names of people as headers may have them: a name must not be why nobody is told. */
function plainPeople({ fromName, replyTo }: MailMessage): Pick<MailMessage, 'fromName' | 'replyTo'> {
  return {
    ...(fromName === undefined ? {} : { fromName: senderName(fromName) }),
    ...(replyTo === undefined ? {} : { replyTo: { ...replyTo, name: senderName(replyTo.name) } }),
  };
}

/** The same for the same key: programs that get a mail twice under one id show it once. */
function messageIdOf(key: string, from: Mailbox): string {
  return `${createHash('sha256').update(key, 'utf8').digest('hex').slice(0, 32)}@${from.address.split('@')[1]}`;
}
