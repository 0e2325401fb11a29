import type { MailMessage } from '#platform/mail-message.ts';
import type { PerformedRun, Recipient, RenderedOf } from './rules/action.ts';

/** One of a step's mails: what its author wrote, in paragraphs as they stand. */
export function writeStepMail(
  { id, userId, isTest }: PerformedRun,
  { address, locale }: Recipient,
  number: number,
  { subject, body, ics, expiresAtMs }: RenderedOf<'send-email'>,
): MailMessage {
  return {
    key: stepMailKey(id, number),
    kind: isTest ? 'workflows.test' : 'workflows.step',
    to: address,
    userId,
    locale,
    content: {
      subject,
      heading: subject,
      blocks: body
        .split(/\n{2,}/)
        .slice(0, 28)
        .map((text) => ({ text })),
    },
    ...(ics === null ? {} : { calendar: { method: 'PUBLISH', ics } }),
    expiresAtMs,
  };
}

const stepMailKey = (runId: string, number: number) => `workflows.run:${runId}:${number}`;
