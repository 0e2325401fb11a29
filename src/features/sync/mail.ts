import type { UserId } from '#kernel/ids.ts';
import { chooseTongue } from '#kernel/languages.ts';
import { sayError } from '#platform/error-words.ts';
import { type MailMessage, quoteName } from '#platform/mail-message.ts';
import { mailWords, sayTime } from '#platform/mail-words.ts';
import type en from './mail.en.json';

export interface Reader {
  id: UserId;
  email: string;
  zone: string;
  locale: string;
  time_format: '12h' | '24h';
}

export type ToldTrouble =
  | { kind: 'reconnect' | 'stopped'; sinceMs: number; account: string; reason: string | null }
  | { kind: 'breaker'; sinceMs: number; source: string; target: string; blocks: number };

const wordsIn = mailWords<typeof en>(import.meta.dirname);
/** More than this is one cause with many effects. */
const mostFacts = 10;

/** The sync problems of a person, since when they exist, and the page that mends each. */
export function troubleMail(reader: Reader, troubles: readonly ToldTrouble[], publicUrl: string): MailMessage {
  const say = wordsIn(reader.locale);
  const { language } = chooseTongue([reader.locale]);
  const [first] = troubles;
  if (first === undefined) throw new Error('a mail about nothing');
  const time = { locale: reader.locale, zone: reader.zone, timeFormat: reader.time_format };
  const count = troubles.length;
  const isReview = troubles.every(({ kind }) => kind === 'breaker');
  const subject = count === 1 ? say(`trouble.${first.kind}.subject`) : say('trouble.several', { count });
  const facts = troubles.slice(0, mostFacts).map((one) => {
    const since = say('trouble.since', { time: sayTime(one.sinceMs, time) });
    if (one.kind === 'breaker') {
      const [source, target] = [quoteName(one.source), quoteName(one.target)];
      return [
        say('trouble.pair', { source, target }),
        `${say('trouble.breaker.text', { count: one.blocks })}\n${since}`,
      ] as const;
    }
    const why = one.reason === null ? [] : [sayError(one.reason, language)];
    return [quoteName(one.account), [say(`trouble.${one.kind}.text`), ...why, since].join('\n')] as const;
  });
  return {
    key: `sync.trouble:${reader.id}:${first.kind}:${first.sinceMs}`,
    kind: 'sync.trouble',
    to: reader.email,
    userId: reader.id,
    locale: reader.locale,
    content: {
      subject,
      heading: subject,
      blocks: [
        { text: say('trouble.kept') },
        { facts },
        {
          button: isReview
            ? { label: say('trouble.review'), url: `${publicUrl}/integrations/mirrors` }
            : { label: say('trouble.mend'), url: `${publicUrl}/integrations` },
        },
        { small: say('trouble.why'), link: { label: say('trouble.settings'), url: `${publicUrl}/profile` } },
      ],
    },
  };
}
