import { createHash } from 'node:crypto';
import { type Call, find, isAsked, listPage, type Route } from './call.ts';
import { invalid } from './errors.ts';
import { boolOf, demand, intOf, metadataOf, textOf, textsOf } from './read-form.ts';
import { apiVersion, nextId, type TestClock, type WebhookEndpoint } from './world.ts';

/** Webhook endpoints, events, test clocks, and what an account tells of itself. */
export const hookRoutes: readonly Route[] = [
  {
    operation: 'account.read',
    method: 'GET',
    path: /^\/v1\/account$/,
    answer: () => ({
      id: 'acct_1EMULATED0000000',
      object: 'account',
      country: 'DE',
      default_currency: 'usd',
      charges_enabled: true,
      settings: { dashboard: { display_name: 'Emulated account', timezone: 'Europe/Berlin' } },
    }),
  },
  { operation: 'hooks.create', method: 'POST', path: /^\/v1\/webhook_endpoints$/, answer: createEndpoint },
  {
    operation: 'hooks.list',
    method: 'GET',
    path: /^\/v1\/webhook_endpoints$/,
    answer: (call) => listPage(call, '/v1/webhook_endpoints', call.world.endpoints.values()),
  },
  {
    operation: 'hooks.update',
    method: 'POST',
    path: /^\/v1\/webhook_endpoints\/(\w+)$/,
    answer({ world, path: [id], form }) {
      const endpoint = find(world.endpoints, 'webhook endpoint', id);
      const events = textsOf(form, 'enabled_events');
      const disabled = boolOf(form, 'disabled');
      return Object.assign(endpoint, {
        url: textOf(form, 'url') ?? endpoint.url,
        enabled_events: events.length > 0 ? events : endpoint.enabled_events,
        ...(disabled !== null && { status: disabled ? 'disabled' : 'enabled' }),
        metadata: metadataOf(form, endpoint.metadata),
      });
    },
  },
  {
    operation: 'hooks.delete',
    method: 'DELETE',
    path: /^\/v1\/webhook_endpoints\/(\w+)$/,
    answer({ world, path: [id] }) {
      const endpoint = find(world.endpoints, 'webhook endpoint', id);
      world.endpoints.delete(endpoint.id);
      world.secrets.delete(endpoint.id);
      return { id: endpoint.id, object: 'webhook_endpoint', deleted: true };
    },
  },
  {
    operation: 'events.list',
    method: 'GET',
    path: /^\/v1\/events$/,
    answer(call) {
      const types = textsOf(call.form, 'types');
      const asked = call.world.events.filter(
        ({ type }) => isAsked(call.form, 'type', type) && (types.length === 0 || types.includes(type)),
      );
      return listPage(call, '/v1/events', asked);
    },
  },
  {
    operation: 'events.read',
    method: 'GET',
    path: /^\/v1\/events\/(\w+)$/,
    answer: ({ world, path: [id] }) => find(new Map(world.events.map((one) => [one.id, one])), 'event', id),
  },
  {
    operation: 'clocks.create',
    method: 'POST',
    path: /^\/v1\/test_helpers\/test_clocks$/,
    answer({ world, now, form }) {
      const frozen = intOf(form, 'frozen_time');
      if (frozen === null) throw invalid('Missing required param: frozen_time.', 'frozen_time', 'parameter_missing');
      const clock: TestClock = {
        id: nextId(world, 'clock'),
        object: 'test_helpers.test_clock',
        created: now,
        name: textOf(form, 'name'),
        frozen_time: frozen,
        status: 'ready',
      };
      world.clocks.set(clock.id, clock);
      return clock;
    },
  },
  {
    operation: 'clocks.read',
    method: 'GET',
    path: /^\/v1\/test_helpers\/test_clocks\/(\w+)$/,
    answer: ({ world, path: [id] }) => find(world.clocks, 'test clock', id),
  },
  {
    operation: 'clocks.advance',
    method: 'POST',
    path: /^\/v1\/test_helpers\/test_clocks\/(\w+)\/advance$/,
    answer({ world, path: [id], form }) {
      const clock = find(world.clocks, 'test clock', id);
      const to = intOf(form, 'frozen_time');
      if (to === null || to <= clock.frozen_time)
        throw invalid('Test clock time must be after its current frozen time.', 'frozen_time');
      clock.frozen_time = to;
      return clock;
    },
  },
];

function createEndpoint({ world, now, form }: Call): WebhookEndpoint & { secret: string } {
  const url = demand(form, 'url');
  if (!/^https?:\/\//.test(url))
    throw invalid('Invalid URL: An explicit scheme (such as https) must be provided.', 'url');
  const events = textsOf(form, 'enabled_events');
  if (events.length === 0)
    throw invalid('Missing required param: enabled_events.', 'enabled_events', 'parameter_missing');
  if (world.endpoints.size >= 16) throw invalid('You have reached the maximum of 16 test webhook endpoints.');
  const id = nextId(world, 'we');
  const endpoint: WebhookEndpoint = {
    id,
    object: 'webhook_endpoint',
    created: now,
    metadata: metadataOf(form),
    url,
    status: 'enabled',
    enabled_events: events,
    api_version: textOf(form, 'api_version') ?? apiVersion,
    description: textOf(form, 'description'),
  };
  // told once, in the answer that makes it
  const secret = `whsec_${createHash('sha256').update(`emulated ${id}`).digest('hex').slice(0, 32)}`;
  world.endpoints.set(id, endpoint);
  world.secrets.set(id, secret);
  return { ...endpoint, secret };
}
