import { randomUUIDv7 } from 'node:crypto';
import { deviceOf } from '#features/accounts/rules/device.ts';
import type { UserId } from '#kernel/ids.ts';
import { type MailBlock, type MailContent, type MailMessage, quoteName } from '#platform/mail-message.ts';
import { mailWords, sayTime } from '#platform/mail-words.ts';
import type { RequestFacts } from '#platform/routes.ts';
import en from './mail.en.json' with { type: 'json' };
import type { MintedMailCode } from './mint-mail-code.ts';

/** Whose account a mail is about. */
interface Reader {
  id: UserId;
  email: string;
  zone: string;
  locale: string;
  time_format: '12h' | '24h';
}

/** What somebody did, for the person to tell whether it was they. */
interface Deed {
  atMs: number;
  request: RequestFacts;
  publicUrl: string;
}

const wordsIn = mailWords({ en });
type Say = ReturnType<typeof wordsIn>;

export function verificationMail(reader: Reader, code: MintedMailCode): MailMessage {
  return withCode('verification', reader, reader.email, code, (say) => ({
    subject: say('verification.subject'),
    heading: say('verification.subject'),
    blocks: [
      { text: say('verification.text') },
      { button: { label: say('verification.action'), url: code.link } },
      { small: say('verification.why') },
    ],
  }));
}

export function resetMail(reader: Reader, code: MintedMailCode): MailMessage {
  return withCode('reset', reader, reader.email, code, (say) => ({
    subject: say('reset.subject'),
    heading: say('reset.subject'),
    blocks: [
      { text: say('reset.text') },
      { button: { label: say('reset.action'), url: code.link } },
      { small: say('reset.why') },
    ],
  }));
}

/** To the address that an account is to have. */
export function newAddressMail(reader: Reader, newAddress: string, code: MintedMailCode): MailMessage {
  return withCode('new-address', reader, newAddress, code, (say) => ({
    subject: say('newAddress.subject'),
    heading: say('newAddress.subject'),
    blocks: [
      { text: say('newAddress.text') },
      { button: { label: say('newAddress.action'), url: code.link } },
      { small: say('newAddress.why') },
    ],
  }));
}

export function passwordChangedMail(reader: Reader, deed: Deed): MailMessage {
  return notice('password-changed', reader, (say) => ({
    subject: say('passwordChanged.subject'),
    heading: say('passwordChanged.subject'),
    blocks: [
      { text: say('passwordChanged.text') },
      factsOf(say, reader, deed),
      { text: say('passwordChanged.why') },
      choosePassword(say, deed),
    ],
  }));
}

export function addressChangeAskedMail(reader: Reader, newAddress: string, deed: Deed): MailMessage {
  return notice('address-change-asked', reader, (say) => ({
    subject: say('addressChangeAsked.subject'),
    heading: say('addressChangeAsked.subject'),
    blocks: [
      { text: say('addressChangeAsked.text') },
      factsOf(say, reader, deed, newAddress),
      { text: say('addressChangeAsked.why') },
      choosePassword(say, deed),
    ],
  }));
}

/** To the address that the account had. */
export function addressChangedMail(reader: Reader, newAddress: string, deed: Deed): MailMessage {
  return notice('address-changed', reader, (say) => ({
    subject: say('addressChanged.subject'),
    heading: say('addressChanged.subject'),
    blocks: [
      { text: say('addressChanged.text') },
      factsOf(say, reader, deed, newAddress),
      { text: say('addressChanged.why') },
    ],
  }));
}

/** Turned on or off, or what stands in for it made anew. */
export function secondFactorMail(
  change: 'mfaEnabled' | 'mfaDisabled' | 'backupCodesMade' | 'backupCodeUsed',
  reader: Reader,
  deed: Deed,
): MailMessage {
  return notice(
    change.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`),
    reader,
    (say) => ({
      subject: say(`${change}.subject`),
      heading: say(`${change}.subject`),
      blocks: [
        { text: say(`${change}.text`) },
        factsOf(say, reader, deed),
        { text: say(`${change}.why`) },
        choosePassword(say, deed),
      ],
    }),
  );
}

type Content = (say: Say) => MailContent;

/** Of no use once its code has ended. */
function withCode(
  kind: string,
  { id, locale }: Reader,
  to: string,
  code: MintedMailCode,
  content: Content,
): MailMessage {
  const named = { key: `access.${kind}:${code.id}`, kind: `access.${kind}` };
  return { ...named, to, userId: id, locale, content: content(wordsIn(locale)), expiresAtMs: code.expiresAtMs };
}

function notice(kind: string, { id, email, locale }: Reader, content: Content): MailMessage {
  const named = { key: `access.${kind}:${randomUUIDv7()}`, kind: `access.${kind}` };
  return { ...named, to: email, userId: id, locale, content: content(wordsIn(locale)) };
}

function factsOf(say: Say, reader: Reader, { atMs, request }: Deed, newAddress?: string): MailBlock {
  const { program, system } = deviceOf(request.userAgent ?? null);
  const { locale, zone, time_format: timeFormat } = reader;
  return {
    facts: [
      [say('facts.at'), sayTime(atMs, { locale, zone, timeFormat })],
      [say('facts.device'), say('device', { program: program ?? say('unknown'), system: system ?? say('unknown') })],
      [say('facts.network'), request.ip],
      ...(newAddress === undefined ? [] : [[say('facts.newAddress'), quoteName(newAddress)] as const]),
    ],
  };
}

const choosePassword = (say: Say, { publicUrl }: Deed): MailBlock => ({
  button: { label: say('choosePassword'), url: `${publicUrl}/password/forgot` },
});
