import type { UserId } from '#kernel/ids.ts';
import { type MailMessage, quoteName } from '#platform/mail-message.ts';
import { mailWords } from '#platform/mail-words.ts';
import type en from './mail.en.json';
import type { Remains } from './store/remains.ts';

const wordsOf = mailWords<typeof en>(import.meta.dirname);

/** The last mail to somebody: their account is gone, and what of it stands elsewhere all the same. */
export function accountDeleted(
  leaver: { id: UserId; email: string; locale: string },
  remains: readonly Remains[],
): MailMessage {
  const say = wordsOf(leaver.locale);
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
                facts: remains.map(
                  ({ place, blocks, reason }) =>
                    [quoteName(place), say('deleted.blocks', { count: blocks, reason })] as const,
                ),
              },
              { text: say('deleted.remainsHint') },
            ]),
        { small: say('deleted.why') },
      ],
    },
  };
}
