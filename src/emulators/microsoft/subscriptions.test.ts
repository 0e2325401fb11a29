import { beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '#emulators/kit/clock.ts';
import type { Call, Heard } from '#emulators/kit/exchange.ts';
import { connectGraph, type GraphClient } from './graph-client.ts';
import { embedMicrosoft } from './launch.ts';

/** Change notifications [change-notifications-delivery-webhooks, change-notifications-lifecycle-events, subscription]. */

const clock = createClock();
const hook = 'http://127.0.0.1:9/graph/notify';
const life = 'http://127.0.0.1:9/graph/life';
/** Calls that the receiver got, and its answer to all but validations. */
let received: Call[] = [];
let respond: (call: Call) => Heard;

const echo = (call: Call): Heard => {
  const token = new URL(call.url).searchParams.get('validationToken');
  if (token === null) return { status: 202, body: '', tookMs: 5, contentType: '' };
  return { status: 200, body: token, tookMs: 5, contentType: 'text/plain; charset=utf-8' };
};
const microsoft = embedMicrosoft({
  clock,
  send: async (call) => {
    received.push(call);
    return respond(call);
  },
});
const { control } = microsoft;
const account = 'ada@contoso.example';
let graph: GraphClient;
let side: string;

const iso = (minutes: number) => Temporal.Instant.fromEpochMilliseconds(clock.now() + minutes * 60_000).toString();
const wanted = (more: Record<string, unknown> = {}) => ({
  changeType: 'created,updated,deleted',
  resource: `me/calendars/${side}/events`,
  notificationUrl: hook,
  lifecycleNotificationUrl: life,
  clientState: 'secret',
  expirationDateTime: iso(4_320),
  ...more,
});

interface Notified {
  url: string;
  items: Record<string, unknown>[];
}

async function pump(): Promise<Notified[]> {
  received = [];
  await control.deliver({ do: 'pump' });
  return received.map(({ url, body }) => ({
    url,
    items: (JSON.parse(body) as { value: Record<string, unknown>[] }).value,
  }));
}

async function subscribe(more: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await graph.send('POST', '/subscriptions', wanted(more));
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

const edit = (event: string, subject: string) => control.act({ account, do: 'edit', event, changes: { subject } });

beforeEach(async () => {
  clock.freeze();
  clock.set(Temporal.Instant.from('2026-11-23T08:00:00Z').epochMilliseconds);
  await control.reset();
  received = [];
  respond = echo;
  await control.seed({
    account,
    calendars: [
      { key: 'home' },
      {
        key: 'side',
        events: [
          { key: 'a', subject: 'A', start: '2026-12-02T09:00' },
          { key: 'b', subject: 'B', start: '2026-12-03T09:00' },
        ],
      },
    ],
  });
  graph = await connectGraph(microsoft, account);
  side = (await control.snapshot()).accounts[account]!.calendars.side!.id;
});

describe('subscriptions', () => {
  it('a subscription is created after both URLs echo their decoded validation token as plain text', async () => {
    const { status, body } = await graph.send('POST', '/subscriptions', wanted());
    expect(status).toBe(201);
    expect(body).toMatchObject({
      resource: `me/calendars/${side}/events`,
      clientState: 'secret',
      expirationDateTime: '2026-11-26T08:00:00.0000000Z',
    });
    expect(received.map(({ method, url }) => [method, url.split('?')[0]])).toEqual([
      ['POST', hook],
      ['POST', life],
    ]);
    expect(received[0]!.url).toMatch(/\?validationToken=Validation%3A\+Testing\+/);
    expect((await graph.get('/subscriptions')).body.value).toHaveLength(1);
  });

  it.each([
    ['answers something else', { status: 200, body: 'no', tookMs: 1, contentType: 'text/plain' }],
    ['answers 202', { status: 202, body: '', tookMs: 1 }],
    ['answers JSON', null],
    ['does not answer within ten seconds', { status: null, body: '', tookMs: 10_000 }],
  ])('a subscription is refused when a URL %s', async (_, heard) => {
    respond = (call) =>
      call.url.startsWith(life) ? (heard ?? { ...echo(call), contentType: 'application/json' }) : echo(call);
    const { status, body } = await graph.send('POST', '/subscriptions', wanted());
    expect([status, body.error.code]).toEqual([400, 'ValidationError']);
    expect((await control.snapshot()).subscriptions).toEqual([]);
  });

  it('a notification URL keeps its query, and is the only one validated without a lifecycle URL', async () => {
    await subscribe({ notificationUrl: `${hook}?tenant=1`, lifecycleNotificationUrl: undefined });
    expect(received.map(({ url }) => url)).toEqual([expect.stringMatching(/\?tenant=1&validationToken=/)]);
  });

  it('a second subscription for the same resource and changes is refused with 409', async () => {
    await subscribe();
    expect((await graph.send('POST', '/subscriptions', wanted())).status).toBe(409);
    await subscribe({ resource: '/me/events' });
  });

  it.each([
    ['more than 10080 minutes', { expirationDateTime: '2026-11-30T08:01:00Z' }],
    ['a time that has passed', { expirationDateTime: '2026-11-23T07:00:00Z' }],
    ['another kind of change', { changeType: 'moved' }],
    ['another resource', { resource: 'me/messages' }],
    ['a clientState of 129 characters', { clientState: 'x'.repeat(129) }],
    ['no address', { notificationUrl: undefined }],
    ['an unknown property', { filter: 'a' }],
  ])('a subscription with %s is refused', async (_, wrong) => {
    const { status, body } = await graph.send('POST', '/subscriptions', wanted(wrong));
    expect([status, body.error.code]).toEqual([400, 'ValidationError']);
  });

  it('a subscription lives at least 45 minutes and is renewed by PATCH', async () => {
    const { body } = await graph.send('POST', '/subscriptions', wanted({ expirationDateTime: iso(5) }));
    expect(body).toMatchObject({ expirationDateTime: '2026-11-23T08:45:00.0000000Z' });
    const renewed = await graph.send('PATCH', `/subscriptions/${body.id}`, { expirationDateTime: iso(10_080) });
    expect([renewed.status, renewed.body]).toMatchObject([200, { expirationDateTime: '2026-11-30T08:00:00.0000000Z' }]);
    const late = await graph.send('PATCH', `/subscriptions/${body.id}`, { lifecycleNotificationUrl: life });
    expect(late.status).toBe(400);
  });

  it('an expired or deleted subscription answers 404', async () => {
    const id = await subscribe({ expirationDateTime: iso(60) });
    clock.advance(61 * 60_000);
    graph = await connectGraph(microsoft, account);
    expect((await graph.send('PATCH', `/subscriptions/${id}`, { expirationDateTime: iso(60) })).status).toBe(404);
    const again = await subscribe();
    expect((await graph.send('DELETE', `/subscriptions/${again}`)).status).toBe(204);
    expect((await graph.send('DELETE', `/subscriptions/${again}`)).body.error.code).toBe('ResourceNotFound');
  });
});

describe('notifications', () => {
  it('a notification names its subscription, change and event, in the id form of the subscription', async () => {
    const id = await subscribe();
    const { id: event } = await edit('a', 'A2');
    const [post] = await pump();
    expect(post).toEqual({
      url: hook,
      items: [
        {
          id: expect.any(String),
          subscriptionId: id,
          subscriptionExpirationDateTime: '2026-11-26T08:00:00.0000000Z',
          clientState: 'secret',
          changeType: 'updated',
          tenantId: expect.any(String),
          resource: expect.stringMatching(/^Users\/.+\/Events\/.+/),
          resourceData: {
            '@odata.type': '#Microsoft.Graph.Event',
            '@odata.id': expect.any(String),
            '@odata.etag': expect.any(String),
            id: event,
          },
        },
      ],
    });
  });

  it('a notification is sent only for the subscribed calendar and changes, until the subscription expires', async () => {
    await subscribe({ changeType: 'deleted' });
    await edit('a', 'A2');
    await control.act({ account, do: 'create', calendar: 'home', event: { key: 'h', start: '2026-12-01T09:00' } });
    await control.act({ account, do: 'delete', event: 'h' });
    expect(await pump()).toEqual([]);
    await control.act({ account, do: 'delete', event: 'a' });
    expect(await pump()).toMatchObject([{ items: [{ changeType: 'deleted' }] }]);
    clock.advance(4_321 * 60_000);
    await control.act({ account, do: 'delete', event: 'b' });
    expect((await pump()).filter(({ url }) => url === hook)).toEqual([]);
  });

  it("a notification also reports the client's own changes", async () => {
    await subscribe();
    const made = await graph.send('POST', `/me/calendars/${side}/events`, {
      subject: 'Own',
      start: { dateTime: '2026-12-01T09:00:00', timeZone: 'UTC' },
      end: { dateTime: '2026-12-01T10:00:00', timeZone: 'UTC' },
    });
    expect(await pump()).toMatchObject([{ items: [{ changeType: 'created', resourceData: { id: made.body.id } }] }]);
  });

  it('notifications waiting for the same URL are sent in one POST', async () => {
    await subscribe();
    await subscribe({ resource: 'me/events', clientState: 'other' });
    await edit('a', 'A2');
    await edit('b', 'B2');
    const posts = await pump();
    expect(posts).toHaveLength(1);
    expect(posts[0]!.items.map(({ clientState }) => clientState)).toEqual(['secret', 'other', 'secret', 'other']);
  });

  it('a notification that is not answered with 2xx is retried with backoff for four hours', async () => {
    await subscribe();
    await edit('a', 'A2');
    respond = () => ({ status: 500, body: '', tookMs: 1 });
    await control.deliver({ do: 'mode', mode: 'held' });
    let attempts = 0;
    const startedMs = clock.now();
    for (;;) {
      const { list } = await control.deliver({ do: 'pump' });
      attempts += list!.filter(({ channel }) => !channel.startsWith('lifecycle')).length;
      const waiting = (await control.deliveries()).list.filter(
        ({ state, channel }) => state === 'waiting' && !channel.startsWith('lifecycle'),
      );
      if (waiting.length === 0) break;
      clock.set(waiting[0]!.dueMs);
    }
    expect(attempts).toBeGreaterThan(10);
    expect(clock.now() - startedMs).toBeGreaterThan(3 * 3_600_000);
    expect(clock.now() - startedMs).toBeLessThanOrEqual(4 * 3_600_000);
  });

  it('the notification queue can drop, duplicate and reorder', async () => {
    await control.knobs({ batchNotifications: false });
    await subscribe();
    await edit('a', 'A2');
    await edit('b', 'B2');
    const { list } = await control.deliveries();
    const [first, second] = list.filter(({ url, state }) => url === hook && state === 'waiting');
    await control.deliver({ do: 'reorder', ids: [second!.id, first!.id] });
    await control.deliver({ do: 'duplicate', ids: [first!.id] });
    expect(await pump()).toHaveLength(3);
    await edit('a', 'A3');
    await control.deliver({ do: 'drop', ids: (await control.deliveries()).list.map(({ id }) => id) });
    expect(await pump()).toEqual([]);
  });

  it('a slow receiver gets notifications late, and a slower one loses them and gets missed', async () => {
    await control.knobs({ batchNotifications: false, requestsPer10Minutes: 100_000 });
    await subscribe();
    respond = (call) => ({ ...echo(call), tookMs: 4_000 });
    for (let n = 0; n < 100; n += 1) await edit('a', `A${n}`);
    expect(await pump()).toHaveLength(100);
    await edit('a', 'late');
    expect(await pump()).toEqual([]);
    clock.advance(600_000);
    respond = (call) => ({ ...echo(call), tookMs: 11_000 });
    expect(await pump()).toHaveLength(1);
    for (let n = 0; n < 100; n += 1) await edit('a', `B${n}`);
    expect(await pump()).toHaveLength(100);
    await edit('a', 'lost');
    clock.advance(600_000);
    expect(await pump()).toMatchObject([{ url: life, items: [{ lifecycleEvent: 'missed' }] }]);
  });
});

describe('subscription lifecycle', () => {
  it.each(['missed', 'reauthorizationRequired', 'subscriptionRemoved'] as const)(
    'a %s event is sent to the lifecycle URL',
    async (event) => {
      const id = await subscribe();
      await control.act({ account, do: 'lifecycle', event });
      expect(await pump()).toEqual([
        {
          url: life,
          items: [
            {
              lifecycleEvent: event,
              subscriptionId: id,
              subscriptionExpirationDateTime: expect.any(String),
              clientState: 'secret',
              tenantId: expect.any(String),
            },
          ],
        },
      ]);
      const { status } = await graph.get(`/subscriptions/${id}`);
      expect(status).toBe(event === 'subscriptionRemoved' ? 404 : 200);
    },
  );

  it('notifications stop without the required reauthorization and resume after it', async () => {
    const id = await subscribe();
    const flows = async () => {
      await edit('a', `A${clock.now()}`);
      return (await pump()).some(({ url }) => url === hook);
    };
    await control.act({ account, do: 'lifecycle', event: 'reauthorizationRequired' });
    expect(await flows()).toBe(true);
    clock.advance(61 * 60_000);
    expect(await flows()).toBe(false);
    expect((await graph.send('POST', `/subscriptions/${id}/reauthorize`)).status).toBe(200);
    expect(await flows()).toBe(true);
  });

  it('reauthorization is required an hour before expiry, unless the subscription was renewed', async () => {
    await subscribe({ expirationDateTime: iso(120) });
    clock.advance(60 * 60_000);
    expect(await pump()).toMatchObject([{ url: life, items: [{ lifecycleEvent: 'reauthorizationRequired' }] }]);
    const id = await subscribe({ resource: 'me/events', expirationDateTime: iso(120) });
    await graph.send('PATCH', `/subscriptions/${id}`, { expirationDateTime: iso(4_320) });
    clock.advance(60 * 60_000);
    expect(await pump()).toEqual([]);
  });

  it('M19 sends mixed, forged and unknown items in one notification', async () => {
    const id = await subscribe();
    await control.act({
      account,
      do: 'notify',
      url: hook,
      items: [
        { subscription: id, event: 'a' },
        { subscription: id, clientState: 'forged' },
        { subscription: 'unknown' },
      ],
    });
    const [post] = await pump();
    expect(post!.items).toMatchObject([
      { clientState: 'secret' },
      { clientState: 'forged' },
      { subscriptionId: 'unknown' },
    ]);
  });

  it.each([
    ['validation', 400, 'ValidationError'],
    ['duplicate', 409, 'Conflict'],
    ['denied', 403, 'ExtensionError'],
  ])('M18 fails the creation of a subscription with %s', async (variant, status, code) => {
    await control.addFaults({ name: 'M18', variant });
    const refused = await graph.send('POST', '/subscriptions', wanted());
    expect([refused.status, refused.body.error.code]).toEqual([status, code]);
    await subscribe();
  });
});
