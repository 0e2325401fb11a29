import type { App } from '#platform/app.ts';
import type { MailMessage } from '#platform/mail-message.ts';
import { sayAnswer, stepFooter } from './mail.ts';
import type { PerformedRun, RenderedOf } from './rules/action.ts';

const mostParagraphs = 28;

/** One of a step's mails: the author's paragraphs as they are, and a footer of ours that says why it comes and how to stop it. */
export function writeStepMail(
  { config }: Pick<App, 'config'>,
  { key, userId, isTest }: PerformedRun,
  { to, subject, body, ...people }: RenderedOf<'send-email'>['mails'][number],
  number: number,
  {
    ics,
    expiresAtMs,
    reason,
    readerId,
  }: Pick<RenderedOf<'send-email'>, 'ics' | 'expiresAtMs' | 'reason'> & { readerId: string | null },
): MailMessage {
  const stop = readerId === null ? null : `${config.publicUrl}/unsubscribe/${readerId}`;
  const paragraphs = body.split(/\n{2,}/);
  const texts = [...paragraphs.slice(0, mostParagraphs - 1), paragraphs.slice(mostParagraphs - 1).join('\n\n')];
  return {
    key: stepMailKey(key, number),
    kind: isTest ? 'workflows.test' : 'workflows.step',
    to: to.address,
    ...people,
    userId,
    locale: to.locale,
    content: {
      subject,
      heading: subject,
      blocks: [
        ...texts.filter((text) => text.trim() !== '').map((text) => ({ text: text.slice(0, 4_000) })),
        ...sayAnswer(to, reason),
        stepFooter(to, reason, stop ?? `${config.publicUrl}/workflows`),
      ],
    },
    ...(ics === null ? {} : { calendar: { method: 'PUBLISH', ics } }),
    ...(stop === null ? {} : { stopUrl: stop }),
    expiresAtMs,
  };
}

/** Of the mail to one of a run's recipients, by the run's key. */
export const stepMailKey = (runKey: string, number: number) => `workflows.run:${runKey}:${number}`;

/** The host's guest and the ten they may bring. */
const mostRecipients = 11;

/** All keys that mails of a run may have. */
export const stepMailKeys = ({ id, generation }: { id: string; generation: number }) => {
  const key = runKeyOf(id, generation);
  return Array.from({ length: mostRecipients }, (_, number) => stepMailKey(key, number));
};

/** Names the work of a run: another one when somebody says to try again. */
export const runKeyOf = (id: string, generation: number) => (generation === 0 ? id : `${id}.${generation}`);
