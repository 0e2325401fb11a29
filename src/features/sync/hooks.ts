import * as z from 'zod/mini';
import { isSameSecret } from '#platform/crypto.ts';
import type { RawRoute } from '#platform/raw-route.ts';
import { hookKey } from './hook-key.ts';
import { type Notice, takeNotices } from './take-notices.ts';

/**
 * Where providers knock. Whatever comes is answered at once and with success: what an answer says of a channel is
 * nobody's business, and a refusal only makes a provider try again.
 */

/** Source: Google Calendar API, "Push notifications": everything is in the headers. */
const google: RawRoute = {
  method: 'POST',
  path: '/hooks/google',
  bodyLimit: 16 * 1024,
  async handle(app, { headers }) {
    const secret = headers['x-goog-channel-token'];
    // `sync` only says that the channel stands; it may come before the answer to opening it
    if (secret !== undefined && secret.length <= 256 && headers['x-goog-resource-state'] !== 'sync') {
      await takeNotices(app, [{ secret, says: 'changed' }]);
    }
    return { status: 200 };
  },
};

/** Graph names no limit. A notice has some ten values in 700 bytes. */
const mostGraphBytes = 4_000_000;
const mostGraphElements = 100_000;

const graphNotices = z.object({
  value: z
    .array(
      z.object({
        clientState: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
        lifecycleEvent: z.optional(z.nullable(z.string())),
      }),
    )
    .check(z.maxLength(5_000)),
});

/**
 * Notices about the channel itself; `missed` asks for a pull, as a change does. Source: Graph,
 * change-notifications-lifecycle-events.
 */
const lifecycle: Record<string, Notice['says']> = {
  reauthorizationRequired: 'renew',
  subscriptionRemoved: 'removed',
};

/** Source: Graph, change-notifications-delivery-webhooks: a validation token is given back, a notice is accepted. */
function graph(path: string): RawRoute {
  return {
    method: 'POST',
    path,
    provedBody: { bytes: mostGraphBytes, isProved: (app, { key }) => isSameSecret(key ?? '', hookKey(app)) },
    async handle(app, { query, json }) {
      const { validationToken } = query;
      if (validationToken !== undefined) {
        return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: validationToken };
      }
      const given = graphNotices.safeParse(json(mostGraphElements));
      if (given.success) {
        await takeNotices(
          app,
          given.data.value.flatMap(({ clientState, lifecycleEvent }) =>
            clientState ? { secret: clientState, says: lifecycle[lifecycleEvent ?? ''] ?? 'changed' } : [],
          ),
        );
      }
      return { status: 202 };
    },
  };
}

export const hooks: readonly RawRoute[] = [google, graph('/hooks/microsoft'), graph('/hooks/microsoft/lifecycle')];
