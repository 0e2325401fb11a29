import * as z from 'zod/mini';
import { id, line, text } from '#kernel/codecs.ts';

/** The result for a person who answered a form. */

/** An address that a page may show as a link: nothing that a browser runs, and nobody's password in it. */
const webAddress = line(2_000).check(
  z.refine((address: string) => isWebAddress(address), {
    error: 'Expected an address that begins with https:// or http://',
  }),
);

function isWebAddress(address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === '' &&
    !/\s/.test(address)
  );
}

export const actionShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('event-type'),
    event_type_id: id<'event-type'>(),
    /** Only these hosts: a pool within a round robin, or the hosts of a collective. Null: as the event type says. */
    user_ids: z.nullable(
      z.array(id<'user'>()).check(
        z.minLength(1),
        z.maxLength(100),
        z.refine((ids: string[]) => new Set(ids).size === ids.length, { error: 'The same person is listed twice' }),
      ),
    ),
    /** Round robin: who looks after the guest's address gets it, where they are one of the hosts and free. */
    contact_owner_first: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('url'), url: webAddress }),
  z.strictObject({ kind: z.literal('message'), text: text(2_000).check(z.trim(), z.minLength(1)) }),
]);
export type Action = z.output<typeof actionShape>;

/** Why an action cannot be carried out as it stands: its event type is gone or closed, or none of those hosts is left. */
export const troubles = ['type-gone', 'type-paused', 'hosts-gone'] as const;
export type Trouble = (typeof troubles)[number];
