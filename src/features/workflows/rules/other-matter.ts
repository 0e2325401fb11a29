import * as z from 'zod/mini';

/** An event other than a booking, as stored with its runs. Its texts come from other people. */
export const otherMatterShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('form'),
    form: z.string(),
    answers: z.array(z.strictObject({ label: z.string(), answer: z.union([z.string(), z.boolean()]) })),
    /** The person who filled in the form; null: the form does not ask. */
    guest: z.nullable(
      z.strictObject({
        name: z.string(),
        email: z.string(), // empty: not asked
        phone: z.nullable(z.string()),
        zone: z.string(),
      }),
    ),
  }),
  z.strictObject({ kind: z.literal('calendar'), account: z.string(), problem: z.string() }),
]);
export type OtherMatter = z.infer<typeof otherMatterShape>;
