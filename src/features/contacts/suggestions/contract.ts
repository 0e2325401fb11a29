import * as z from 'zod/mini';
import { line } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

/** Apart from the other calls of contacts: the event form loads it. */
export const suggestionsContract = {
  suggestGuests: endpoint({
    method: 'GET',
    path: '/api/guest-suggestions',
    auth: 'user',
    summary: 'At most six people to invite: teammates and contacts that match the typed beginning',
    query: z.strictObject({ q: line(200) }),
    output: z.strictObject({
      guests: z.array(z.strictObject({ address: z.string(), name: z.nullable(z.string()), in_team: z.boolean() })),
    }),
  }),
};
