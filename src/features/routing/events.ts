import * as z from 'zod/mini';
import { announcement } from '#kernel/announcement.ts';
import { saidAnswerShape } from './rules/answers.ts';

/** The live topic of changed forms and submissions. */
export const routingTopic = 'routing';

/**
 * A form was answered. Listeners run in the transaction that stores the answers. The form belongs to a team, or to
 * a person. `name`, `email` and `phone` are the guest's own answers, if the form asks for them.
 */
export const formSubmitted = announcement(
  'routing.form-submitted',
  z.strictObject({
    submissionId: z.string(),
    formId: z.string(),
    formName: z.string(),
    /** The owner of a personal form. */
    userId: z.nullable(z.string()),
    teamId: z.nullable(z.string()),
    name: z.nullable(z.string()),
    email: z.nullable(z.string()),
    phone: z.nullable(z.string()),
    /** In words, in the order of the questions; true and false of questions for yes or no. */
    answers: z.array(saidAnswerShape),
    atMs: z.number(),
  }),
);
