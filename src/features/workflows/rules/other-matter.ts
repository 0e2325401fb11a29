import * as z from 'zod/mini';

/** What happened where no booking is concerned, as it is kept with its runs. Texts are what others typed. */
export const otherMatterShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('form'),
    form: z.string(),
    answers: z.array(z.strictObject({ label: z.string(), answer: z.union([z.string(), z.boolean()]) })),
    /** Who filled it in, where they were asked. */
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
