import { randomUUID } from 'node:crypto';
import { writeMailDate } from '#kernel/http-date.ts';
import { isLoopbackHost } from '#kernel/loopback-host.ts';
import { redactText } from './log.ts';
import type { Mailbox, MailCalendar } from './mail-message.ts';

/** A PNG that the HTML names by `cid:`. */
export interface InlinePicture {
  cid: string;
  bytes: Uint8Array;
}

/** A mail ready to be sent. */
export interface OutgoingMail {
  from: Mailbox;
  /** Address for answers. */
  replyTo?: Mailbox | undefined;
  to: string;
  subject: string;
  text: string;
  html: string;
  calendar: MailCalendar | undefined;
  /** Where its reader stops mails of its kind. */
  stopUrl?: string | undefined;
  /** Shown within it. */
  picture?: InlinePicture | undefined;
  messageId: string;
  /** The same on every attempt. */
  dateMs: number;
}

/** The outcome of an attempt. `error` is the server's text on one line, without the data that we sent. */
export type Attempt =
  | { outcome: 'sent' }
  /** The server is sure that there is no such mailbox. */
  | { outcome: 'bounced'; error: string }
  /** The server will not take this mail, now or later. */
  | { outcome: 'failed'; error: string }
  /** Nothing is wrong with the mail: the server was not reached, is busy, or does not accept us. */
  | { outcome: 'again'; error: string };

export interface MailTransport {
  /** Never throws: every end of an attempt is an answer. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<Attempt>;
  /** Says hello to the server and signs in; throws what nodemailer throws. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/**
 * How `SMTP_URL` says how the server is reached. Encryption is demanded, by STARTTLS or from the start, unless the server
 * is on this machine or the operator adds `?tls=optional` (then also its certificate is not looked at).
 */
export function readSmtpUrl(smtpUrl: string) {
  const url = new URL(smtpUrl);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  const isOptional =
    (url.searchParams.get('tls') ?? (isLoopbackHost(url.hostname) ? 'optional' : 'required')) === 'optional';
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && !isOptional,
    opportunisticTLS: isOptional,
    tls: { rejectUnauthorized: !isOptional, minVersion: 'TLSv1.2' as const },
    ...(url.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
  };
}

export interface MailTransportOptions {
  smtpUrl: string;
  /** Host name for EHLO. */
  name: string;
  /** How long the server may take for its next word. */
  patienceMs?: number;
}

/** No text of ours is read as the name of a file or an address to fetch. */
const closed = { disableFileAccess: true, disableUrlAccess: true } as const;

export function openMailTransport({ smtpUrl, name, patienceMs = 30_000 }: MailTransportOptions): MailTransport {
  const open = async () => {
    // read with the first mail: who waits for nothing has not to hold it
    const { createTransport } = await import('nodemailer');
    return createTransport({
      ...readSmtpUrl(smtpUrl),
      name,
      pool: true,
      // four for batches, one for what somebody waits for
      maxConnections: 5,
      // a lost connection is told to us, who count attempts
      maxRequeues: 0,
      // less than any server waits before it closes
      idleTimeout: 20_000,
      dnsTimeout: patienceMs,
      connectionTimeout: patienceMs,
      greetingTimeout: patienceMs,
      socketTimeout: patienceMs,
      ...closed,
    });
  };
  let opened: ReturnType<typeof open> | undefined;
  const transportOf = () => (opened ??= open());
  return {
    async send(mail, signal) {
      const envelope = { from: mail.from.address, to: [mail.to] };
      try {
        const [transport, raw] = await Promise.all([transportOf(), writeMime(mail)]);
        await transport.sendMail({ envelope, messageId: `<${mail.messageId}>`, raw, signal });
        return { outcome: 'sent' };
      } catch (error) {
        return judge(error as SmtpError);
      }
    },
    async verify() {
      await (await transportOf()).verify();
    },
    async close() {
      (await opened)?.close({ force: true });
    },
  };
}

/** A mail as it is sent (RFC 5322), in one piece: as nodemailer makes it, it would be written to the socket in a dozen. */
export async function writeMime(mail: OutgoingMail): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  return new MailComposer({ ...toMime(mail), ...closed }).compile().build();
}

/** Structured fields only: no text of ours is read as a header or as a list of addresses. */
function toMime(mail: OutgoingMail) {
  const { from, replyTo, to, subject, text, html, calendar, picture, messageId, dateMs, stopUrl } = mail;
  return {
    from: literal(from),
    ...(replyTo === undefined ? {} : { replyTo: literal(replyTo) }),
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${messageId}>`,
    // from a pool: nodemailer reads /dev/urandom for each part of each mail
    baseBoundary: randomUUID(),
    date: writeMailDate(dateMs),
    // nobody's "I am on holiday" shall answer
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...stopHeaders(stopUrl) },
    ...(picture === undefined
      ? {}
      : {
          attachments: [
            {
              cid: picture.cid,
              filename: 'logo.png',
              content: Buffer.from(picture.bytes),
              contentType: 'image/png',
              contentDisposition: 'inline' as const,
            },
          ],
        }),
    ...(calendar === undefined
      ? {}
      : { icalEvent: { method: calendar.method, filename: 'invite.ics', content: calendar.ics } }),
  };
}

/** Programs decode encoded words (RFC 2047) in quoted names too: a name that looks like one is taken apart. */
const literal = ({ name, address }: Mailbox): Mailbox => ({ name: name.replaceAll('=?', '= ?'), address });

/** RFC 2369, and RFC 8058, which wants an address with https. */
function stopHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {};
  const header = { 'List-Unsubscribe': `<${url}>` };
  return url.startsWith('https:') ? { ...header, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : header;
}

interface SmtpError extends Error {
  code?: string;
  /** The SMTP command that was answered: `RCPT TO`, `DATA`, … */
  command?: string;
  response?: string;
  responseCode?: number;
  permanent?: boolean;
}

function judge(error: SmtpError): Attempt {
  const { command = '', response } = error;
  // which of our words was answered: the same 550 means something else after each
  const said = sayShortly(response === undefined ? error.message : `${command}: ${response}`);
  // A refused password, sender or greeting is mended in the settings, not by giving up the mail.
  const isAboutTheMail = command === 'RCPT TO' || command === 'DATA' || error.code === 'EMESSAGE';
  if (error.permanent !== true || !isAboutTheMail) return { outcome: 'again', error: said };
  // 5.7.x: not allowed (RFC 3463 3.8), e.g. to relay; the mailbox may well exist
  const isNoMailbox = command === 'RCPT TO' && !/^\d{3}[ -]5\.7\./.test(response ?? '');
  return { outcome: isNoMailbox ? 'bounced' : 'failed', error: said };
}

const sayShortly = (text: string) =>
  // a server that refuses a text may repeat it, with the code in it
  redactText(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 300);
