import * as z from 'zod/mini';
import { line } from '#kernel/codecs.ts';

/** Questions of a form. Ids stay when labels change: rules, prefilled addresses, and kept answers use them. */

export const questionKinds = ['text', 'long', 'email', 'phone', 'number', 'select', 'multi-select', 'yes-no'] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** Names in the address of a form's page that are no answers. */
const reserved = ['embed', 'tz', 'clock', 'attempt'];

export const itemId = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/));
const label = line(200).check(z.trim(), z.minLength(1));

export const mostQuestions = 20;
export const mostOptions = 50;

const optionShape = z.strictObject({
  id: itemId,
  label,
  /** No rule speaks of it, and that is meant so: it goes to the fallback. */
  to_fallback: z.optional(z.boolean()),
});

export const questionShape = z
  .strictObject({
    id: itemId.check(
      z.refine((id: string) => !reserved.includes(id), { error: 'This name is used by the page itself' }),
    ),
    label,
    hint: z.optional(line(300)),
    kind: z.enum(questionKinds),
    required: z.boolean(),
    /** Never shown: only filled in by the address of the page, such as `utm_source` of a campaign. */
    hidden: z.optional(z.boolean()),
    options: z.optional(z.array(optionShape).check(z.minLength(1), z.maxLength(mostOptions))),
  })
  .check(
    z.refine(({ kind, options }) => hasOptions(kind) === (options !== undefined), {
      path: ['options'],
      error: 'A choice needs options, and nothing else has any',
    }),
    z.refine(({ options = [] }) => new Set(options.map(({ id }) => id)).size === options.length, {
      path: ['options'],
      error: 'Two options have the same id',
    }),
    z.refine(({ hidden, kind, required }) => hidden !== true || (kind === 'text' && !required), {
      path: ['hidden'],
      error: 'A hidden question must be text and cannot be required',
    }),
  );
export type Question = z.output<typeof questionShape>;

export const hasOptions = (kind: QuestionKind) => kind === 'select' || kind === 'multi-select';
