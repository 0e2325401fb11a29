import { expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod/mini';
import { instant } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import type { Actor } from './actor.ts';
import { bindRoutes, type Context } from './routes.ts';

const contract = {
  open: endpoint({ method: 'GET', path: '/open', auth: 'public', summary: '', output: z.object({ at: instant }) }),
  mine: endpoint({
    method: 'POST',
    path: '/mine/{id}',
    auth: 'user',
    summary: '',
    params: z.strictObject({ id: z.string() }),
    body: z.strictObject({ at: instant }),
    output: z.void(),
    status: 204,
  }),
};
const at = Temporal.Instant.from('2027-01-01T00:00:00Z');

test('every contract entry is bound in order to a handler of exactly its types', () => {
  const group = bindRoutes(contract, { open: () => ({ at }), mine: () => undefined });
  expect(group.map((route) => route.name)).toEqual(['open', 'mine']);
  expectTypeOf<Context<(typeof contract)['open']>['actor']>().toEqualTypeOf<Actor | null>();
  expectTypeOf<Context<(typeof contract)['mine']>['actor']>().toEqualTypeOf<Actor>();
  const neverRun = () => {
    // @ts-expect-error: a handler is missing
    bindRoutes(contract, { open: () => ({ at }) });
    // @ts-expect-error: a handler for nothing
    bindRoutes(contract, { open: () => ({ at }), mine: () => undefined, other: () => undefined });
    // @ts-expect-error: the wire form where the value belongs
    bindRoutes(contract, { open: () => ({ at: '2027-01-01T00:00:00Z' }), mine: () => undefined });
    bindRoutes(contract, {
      // @ts-expect-error: a public endpoint has perhaps no actor
      open: ({ actor }) => ({ at, who: actor.userId }),
      // @ts-expect-error: this endpoint has no query
      mine: ({ input }) => void input.query.page,
    });
    // @ts-expect-error: an actor cannot be written by hand
    const forged: Actor = { userId: 'u', role: 'admin', sessionId: 's' };
    return forged;
  };
  expect(neverRun).toBeTypeOf('function');
});
