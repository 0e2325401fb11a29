/**
 * Owns: a user's progress with the first steps, and messages to the operator.
 * Announces: nothing.
 * Never: stores a message to the operator after it was sent.
 */
import * as z from 'zod/mini';
import { text } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

const firstStepsShape = z.strictObject({
  connected: z.boolean(), // an account of a calendar service
  mirrored: z.boolean(), // one calendar into another, on or off
  hours: z.boolean(), // saved, not those that everybody begins with
  link: z.boolean(), // an event type
  copied: z.boolean(), // a link, by them
  skipped: z.boolean(), // the person hides this list
});

export const longestMessage = 5_000;
export const longestDiagnostics = 4_000;

export const helpContract = {
  readFirstSteps: endpoint({
    method: 'GET',
    path: '/api/first-steps',
    auth: 'user',
    summary: 'Progress of the caller with the first steps',
    output: firstStepsShape,
  }),
  changeFirstSteps: endpoint({
    method: 'PATCH',
    path: '/api/first-steps',
    auth: 'user',
    summary: 'Record that the caller copied a link, or hide or show the list of first steps',
    body: z.strictObject({ copied: z.optional(z.literal(true)), skipped: z.optional(z.boolean()) }),
    output: firstStepsShape,
  }),
  readSupport: endpoint({
    method: 'GET',
    path: '/api/help/support',
    auth: 'user',
    summary: 'Support contact, or null without one',
    output: z.strictObject({ operator: z.nullable(z.string()), contact: z.nullable(z.string()) }),
  }),
  askSupport: endpoint({
    method: 'POST',
    path: '/api/help/support',
    auth: 'user',
    summary: 'Write to the administrator. Replies go to the email address of the account',
    body: z.strictObject({
      message: text(longestMessage).check(z.trim(), z.minLength(1)),
      diagnostics: z.optional(text(longestDiagnostics)),
    }),
    output: z.strictObject({ sent: z.literal(true) }),
    errors: ['NO_SUPPORT'],
  }),
};
