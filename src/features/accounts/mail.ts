import { randomUUIDv7 } from 'node:crypto';
import type { UserId } from '#kernel/ids.ts';
import { chooseTongue } from '#kernel/languages.ts';
import type { App } from '#platform/app.ts';
import { sayError } from '#platform/error-words.ts';
import { type MailMessage, quoteName } from '#platform/mail-message.ts';
import { mailWords, sayTime } from '#platform/mail-words.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type en from './mail.en.json';
import type { Remains } from './store/deletion.ts';

const wordsOf = mailWords<typeof en>(import.meta.dirname);

/** The last mail to somebody: their account is gone, and what of it stands elsewhere all the same. */
export function accountDeleted(
  leaver: { id: UserId; email: string; locale: string },
  remains: readonly Remains[],
): MailMessage {
  const say = wordsOf(leaver.locale);
  const { language } = chooseTongue([leaver.locale]);
  return {
    key: `accounts.deleted:${leaver.id}`,
    kind: 'accounts.deleted',
    to: leaver.email,
    userId: null,
    locale: leaver.locale,
    forget: true,
    content: {
      subject: say('deleted.subject'),
      heading: say('deleted.heading'),
      blocks: [
        { text: say('deleted.text') },
        ...(remains.length === 0
          ? []
          : [
              { text: say('deleted.remains') },
              {
                facts: remains.map(({ place, blocks, reason }) => {
                  const why = reason === '' ? [] : [sayError(reason, language)];
                  return [quoteName(place), [say('deleted.blocks', { count: blocks }), ...why].join('\n')] as const;
                }),
              },
              { text: say('deleted.remainsHint') },
            ]),
        { small: say('deleted.why') },
      ],
    },
  };
}

/** The owner of the key that a mail is about, and their language. */
export interface KeyOwner {
  id: UserId;
  email: string;
  zone: string;
  locale: string;
  time_format: '12h' | '24h';
}

interface KeyFacts {
  atMs: number;
  publicUrl: string;
  /** Null where an administrator did it. */
  ip: string | null;
}

export const factsOf = (app: Pick<App, 'clock' | 'config'>, request: RequestFacts | null): KeyFacts => ({
  atMs: app.clock.nowMs(),
  publicUrl: app.config.publicUrl,
  ip: request?.ip ?? null,
});

/** Tells somebody that a key opens their account: it may not have been they who made it. */
export function keyMadeMail(
  owner: KeyOwner,
  key: { name: string; scopes: readonly string[]; expiresMs: number },
  facts: KeyFacts,
): MailMessage {
  const say = wordsOf(owner.locale);
  return keyMail(owner, 'key-made', facts, [
    [say('key.name'), quoteName(key.name)],
    [say('key.scopes'), key.scopes.join(', ')],
    [say('key.until'), sayTime(key.expiresMs, timeOf(owner))],
  ]);
}

export function keysEndedMail(owner: KeyOwner, names: readonly string[], facts: KeyFacts): MailMessage {
  const say = wordsOf(owner.locale);
  return keyMail(
    owner,
    'keys-ended',
    facts,
    names.map((name) => [say('key.name'), quoteName(name)] as const),
  );
}

/** Tells somebody that a secret address opens their calendar: it may not have been they who published it. */
export function feedPublishedMail(owner: KeyOwner, content: 'events' | 'busy', facts: KeyFacts): MailMessage {
  const say = wordsOf(owner.locale);
  return keyMail(owner, 'feed-published', facts, [[say('key.feed'), say(`feed.${content}`)]]);
}

function keyMail(
  owner: KeyOwner,
  deed: 'key-made' | 'keys-ended' | 'feed-published',
  { atMs, publicUrl, ip }: KeyFacts,
  facts: readonly (readonly [string, string])[],
): MailMessage {
  const say = wordsOf(owner.locale);
  const kind = `accounts.${deed}`;
  const when = [say('key.at'), sayTime(atMs, timeOf(owner))] as const;
  return {
    key: `${kind}:${randomUUIDv7()}`,
    kind,
    to: owner.email,
    userId: owner.id,
    locale: owner.locale,
    content: {
      subject: say(`${deed}.subject`),
      heading: say(`${deed}.subject`),
      blocks: [
        { text: say(`${deed}.text`) },
        { facts: [...facts, when, ...(ip === null ? [] : [[say('key.network'), ip] as const])] },
        { text: say(`${deed}.why`) },
        { button: { label: say('key.choosePassword'), url: `${publicUrl}/password/forgot` } },
      ],
    },
  };
}

const timeOf = ({ locale, zone, time_format: timeFormat }: KeyOwner) => ({ locale, zone, timeFormat });
