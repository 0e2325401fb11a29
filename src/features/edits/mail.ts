import type { SelfResponse } from '#kernel/event.ts';
import type { EditId, ItemId, UserId } from '#kernel/ids.ts';
import type { Reply } from '#kernel/itip/write-reply.ts';
import { type MailMessage, quoteName } from '#platform/mail-message.ts';
import { mailWords } from '#platform/mail-words.ts';
import type en from './mail.en.json';

const wordsIn = mailWords<typeof en>(import.meta.dirname);

interface AnswerFacts {
  editId: EditId;
  itemId: ItemId;
  userId: UserId;
  by: { name: string; locale: string };
  title: string;
  answer: Exclude<SelfResponse, 'none' | 'organizer'>;
  reply: Reply;
}

/** An answer to the organizer of an event on a server that sends none: in the language of the one who answers. */
export function answerMail({ editId, itemId, userId, by, title, answer, reply }: AnswerFacts): MailMessage {
  const say = wordsIn(by.locale);
  const subject = say(`answer.${answer}`, { title: quoteName(title) });
  return {
    key: `edits.answer:${editId}`,
    kind: 'edits.answer',
    about: [itemId],
    to: reply.organizer,
    fromName: by.name,
    replyTo: { name: by.name, address: reply.attendee },
    userId,
    locale: by.locale,
    unproved: { share: 'named', sender: userId },
    calendar: { method: 'REPLY', ics: reply.ics },
    forget: true,
    content: {
      subject,
      heading: subject,
      blocks: [{ text: say(`answer.text.${answer}`, { name: quoteName(by.name) }) }, { small: say('answer.small') }],
    },
  };
}
