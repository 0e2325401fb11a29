import * as z from 'zod/mini';
import { line } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

/** Addresses, and domains as `@example.org` with their subdomains. */
const entries = z.array(line(320)).check(z.maxLength(500));
const listShape = z.strictObject({ entries: z.array(z.string()) });

export const blockedEndpoints = {
  readBlockedGuests: endpoint({
    method: 'GET',
    path: '/api/blocked-guests',
    auth: 'user',
    summary: 'Addresses and domains that cannot book with the caller or answer their forms',
    output: listShape,
  }),
  changeBlockedGuests: endpoint({
    method: 'PUT',
    path: '/api/blocked-guests',
    auth: 'user',
    summary: 'Block these addresses and domains, and no others',
    body: z.strictObject({ entries }),
    output: listShape,
  }),
};
