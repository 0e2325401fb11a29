import { randomUUIDv7 } from 'node:crypto';
import { deviceOf } from '#features/accounts/rules/device.ts';
import type { UserId } from '#kernel/ids.ts';
import { type MailBlock, type MailMessage, quoteName } from '#platform/mail-message.ts';
import { mailWords, sayTime } from '#platform/mail-words.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type en from './mail.en.json';
import type { MailCodePurpose, MintedMailCode } from './rules/mail-code.ts';
import { type SignInProvider, signInServices } from './rules/sign-in-providers.ts';

/** The person whose account a mail is about. */
export interface Reader {
  id: UserId;
  email: string;
  zone: string;
  locale: string;
  time_format: '12h' | '24h';
}

const wordsIn = mailWords<typeof en>(import.meta.dirname);
type Say = ReturnType<typeof wordsIn>;

/** Takes a code to the address that it proves; of no use once the code has ended. */
export function codeMail(
  purpose: MailCodePurpose,
  reader: Reader,
  to: string,
  code: MintedMailCode,
  madeAt?: { provider: SignInProvider; label: string },
): MailMessage {
  const say = wordsIn(reader.locale);
  const kind = `access.${purpose}`;
  return {
    key: `${kind}:${code.id}`,
    kind,
    to,
    userId: reader.id,
    locale: reader.locale,
    expiresAtMs: code.expiresAtMs,
    content: {
      subject: say(`${purpose}.subject`),
      heading: say(`${purpose}.subject`),
      blocks: [
        { text: say(`${purpose}.text`) },
        ...(madeAt === undefined ? [] : [{ text: say('openedBy', openedBy(madeAt)) }]),
        { button: { label: say(`${purpose}.action`), url: code.link } },
        { small: say(`${purpose}.why`) },
      ],
    },
  };
}

const openedBy = ({ provider, label }: { provider: SignInProvider; label: string }) => ({
  service: signInServices[provider],
  account: quoteName(label),
});

/** Changes that a person is notified of by mail, because somebody else may have made them. */
export type Deed =
  | 'password-changed'
  | 'password-reset'
  | 'address-change-asked'
  | 'address-changed'
  | 'mfa-enabled'
  | 'mfa-disabled'
  | 'backup-codes-made'
  | 'backup-code-used'
  | 'passkey-added'
  | 'passkey-removed'
  | 'identity-linked'
  | 'identity-unlinked';

export interface DeedFacts {
  atMs: number;
  request: RequestFacts;
  publicUrl: string;
  about?: DeedSubject | undefined;
}

/** The changed thing, for example the added passkey, by the name that its person gave it. */
export interface DeedSubject {
  fact: 'newAddress' | 'passkey' | 'identity';
  name: string;
}

/** Tells somebody what was done to their account, and what to do if that was not they. */
export function deedMail(deed: Deed, reader: Reader, facts: DeedFacts): MailMessage {
  const say = wordsIn(reader.locale);
  const kind = `access.${deed}`;
  const choosePassword = { label: say('choosePassword'), url: `${facts.publicUrl}/password/forgot` };
  return {
    key: `${kind}:${randomUUIDv7()}`,
    kind,
    to: reader.email,
    userId: reader.id,
    locale: reader.locale,
    content: {
      subject: say(`${deed}.subject`),
      heading: say(`${deed}.subject`),
      blocks: [
        { text: say(`${deed}.text`) },
        factsBlock(say, reader, facts),
        { text: say(`${deed}.why`) },
        // The address this goes to gets no new password any more once it has been replaced.
        ...(deed === 'address-changed' ? [] : [{ button: choosePassword }]),
      ],
    },
  };
}

function factsBlock(say: Say, reader: Reader, { atMs, request, about }: DeedFacts): MailBlock {
  const { program, system } = deviceOf(request.userAgent ?? null);
  const { locale, zone, time_format: timeFormat } = reader;
  return {
    facts: [
      [say('facts.at'), sayTime(atMs, { locale, zone, timeFormat })],
      [say('facts.device'), say('device', { program: program ?? say('unknown'), system: system ?? say('unknown') })],
      [say('facts.network'), request.ip],
      ...(about === undefined ? [] : [[say(`facts.${about.fact}`), quoteName(about.name)] as const]),
    ],
  };
}
