import { expect, expectTypeOf, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { instant, queryInt, queryList } from '#kernel/codecs.ts';
import { type CallInput, type ErrorCode, endpoint, type Input, type Output, pathParameters } from '#kernel/contract.ts';
import { ApiError, createClient, errorCodeOf, errorMessage, urlOf } from '#kernel/contract-client.ts';

const contract = {
  listThings: endpoint({
    method: 'GET',
    path: '/api/things',
    auth: 'user',
    summary: 'Things',
    query: z.strictObject({ limit: z.optional(queryInt(1, 100)), ids: z.optional(queryList(z.string(), 5)) }),
    output: z.object({ at: instant }),
  }),
  renameThing: endpoint({
    method: 'PATCH',
    path: '/api/things/{thingId}/parts/{partId}',
    auth: 'user',
    summary: 'Rename',
    params: z.strictObject({ thingId: z.string(), partId: z.string() }),
    body: z.strictObject({ name: z.string(), at: instant }),
    output: z.void(),
    status: 204,
    errors: ['NAME_TAKEN', 'THING_LOCKED'],
  }),
  ping: endpoint({
    method: 'GET',
    path: '/ping',
    auth: 'public',
    summary: 'Ping',
    output: z.object({ ok: z.boolean() }),
  }),
};
type C = typeof contract;

test('absent parts of an input are undefined and present ones typed exactly', () => {
  expectTypeOf<Input<C['ping']>>().toEqualTypeOf<{ params: undefined; query: undefined; body: undefined }>();
  expectTypeOf<Input<C['renameThing']>['params']>().toEqualTypeOf<{ thingId: string; partId: string }>();
  expectTypeOf<Input<C['renameThing']>['query']>().toEqualTypeOf<undefined>();
  expectTypeOf<Input<C['renameThing']>['body']>().toEqualTypeOf<{ name: string; at: Temporal.Instant }>();
  expectTypeOf<Output<C['listThings']>>().toEqualTypeOf<{ at: Temporal.Instant }>();
  expectTypeOf<Output<C['renameThing']>>().toEqualTypeOf<void>();
});

test('a caller passes exactly the declared parts and checks only declared error codes', () => {
  expectTypeOf<CallInput<C['ping']>>().toEqualTypeOf<Record<string, never>>();
  expectTypeOf<keyof CallInput<C['renameThing']>>().toEqualTypeOf<'params' | 'body'>();
  type Declared = Exclude<ErrorCode<C['renameThing']>, ErrorCode<C['ping']>>;
  expectTypeOf<Declared>().toEqualTypeOf<'NAME_TAKEN' | 'THING_LOCKED'>();

  const client = createClient(contract);
  const neverRun = () => {
    void client.ping();
    void client.listThings();
    void client.listThings({ query: { limit: 3 } });
    // @ts-expect-error: the parameters are missing
    void client.renameThing({ body: { name: 'a', at: Temporal.Instant.from('2027-01-01T00:00:00Z') } });
    // @ts-expect-error: an input is required
    void client.renameThing();
    // @ts-expect-error: a wire string where an instant belongs
    void client.renameThing({ params: { thingId: '1', partId: '2' }, body: { name: 'a', at: '2027-01-01T00:00:00Z' } });
    // @ts-expect-error: this call has no query
    void client.ping({ query: { limit: 3 } });
    // @ts-expect-error: no such call
    void client.pong();
    // @ts-expect-error: a code that nobody declared
    if (errorCodeOf(contract.renameThing, null) === 'NAME_TAKN') return;
    // @ts-expect-error: an endpoint has no such property
    endpoint({ method: 'GET', path: '/x', auth: 'public', summary: '', output: z.void(), bodyLimt: 3 });
  };
  expect(neverRun).toBeTypeOf('function');
});

function answering(status: number, body: string, headers: Record<string, string> = {}) {
  const fetch = vi.fn<typeof globalThis.fetch>(
    async () => new Response(status === 204 ? null : body, { status, headers }),
  );
  return { fetch, client: createClient(contract, { fetch, baseUrl: 'http://h' }) };
}

test('path parameters are escaped, queries encoded and bodies written by their codecs', async () => {
  const { fetch, client } = answering(204, '');
  await client.renameThing({
    params: { thingId: 'a/b?c', partId: '..' },
    body: { name: 'n', at: Temporal.Instant.from('2027-01-01T01:00:00+01:00') },
  });
  const [url, init] = fetch.mock.calls[0] ?? [];
  expect(url).toBe('http://h/api/things/a%2Fb%3Fc/parts/..');
  expect(init?.body).toBe('{"name":"n","at":"2027-01-01T00:00:00Z"}');
  expect(urlOf(contract.listThings, { query: { limit: 7, ids: ['a', 'b'] } })).toBe('/api/things?limit=7&ids=a%2Cb');
  expect(urlOf(contract.listThings, {})).toBe('/api/things');
});

test('a response is decoded to the types of its contract', async () => {
  const { client } = answering(200, '{"at":"2027-03-08T09:00:00+02:00","new":1}');
  expect((await client.listThings()).at.toString()).toBe('2027-03-08T07:00:00Z');
});

test('an API error carries status, code, message, fields, request id and the time to wait', async () => {
  const { client } = answering(429, '{"detail":{"code":"LIMITED","message":"Slow down","fields":{"body.name":"No"}}}', {
    'x-request-id': 'r1',
    'retry-after': '7',
  });
  const error = await client.ping().catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 429,
    code: 'LIMITED',
    message: 'Slow down',
    fields: { 'body.name': 'No' },
    requestId: 'r1',
    retryAfterMs: 7000,
  });
  expect(errorCodeOf(contract.ping, error)).toBe('LIMITED');
});

test('a missing response has status 0, HTML in place of JSON is an error, and an abort stays an abort', async () => {
  const down = createClient(contract, { fetch: () => Promise.reject(new TypeError('fetch failed')) });
  await expect(down.ping()).rejects.toMatchObject({ status: 0, code: 'NETWORK' });
  await expect(answering(200, '<html>').client.ping()).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER' });
  await expect(answering(502, '<html>').client.ping()).rejects.toMatchObject({
    status: 502,
    message: 'Request failed',
  });
  const controller = new AbortController();
  controller.abort(new DOMException('left', 'AbortError'));
  const aborted = createClient(contract, { fetch: () => Promise.reject(controller.signal.reason) });
  await expect(aborted.ping({}, { signal: controller.signal })).rejects.toThrow('left');
});

test('an error message comes from detail, then error, then message, then a fixed text', () => {
  expect(errorMessage({ detail: 'a', message: 'b' })).toBe('a');
  expect(errorMessage({ detail: { message: 'a', error: 'b' } })).toBe('a');
  expect(errorMessage({ detail: { error: 'b' }, error: 'c' })).toBe('b');
  expect(errorMessage({ detail: {}, error: 'c', message: 'd' })).toBe('c');
  expect(errorMessage({ message: 'd' })).toBe('d');
  for (const nothing of [null, 'text', [], {}, { detail: 3 }]) expect(errorMessage(nothing)).toBe('Request failed');
});

test('path parameters are listed in order', () => {
  expect(pathParameters('/a/{one}/b/{two}')).toEqual(['one', 'two']);
  expect(pathParameters('/a')).toEqual([]);
});

const site = z.string().check(z.refine((text) => text.startsWith('https://'), { error: 'Use https' }));

test('what does not fit a call is sent all the same, so that the server says which field it refuses', async () => {
  const sent: unknown[] = [];
  const fields = { 'body.sites.0': 'Beginnt nicht mit https://' };
  const api = createClient(
    {
      save: endpoint({
        method: 'PUT',
        path: '/api/sites',
        auth: 'public',
        summary: 'Save',
        body: z.strictObject({ sites: z.array(site) }),
        output: z.void(),
      }),
    },
    {
      fetch: (_, init) => {
        sent.push(JSON.parse(init?.body as string));
        return Promise.resolve(
          Response.json({ detail: { code: 'INVALID_INPUT', message: '', fields } }, { status: 422 }),
        );
      },
    },
  );
  const body = { sites: ['http://shop.example.org'] };
  await expect(api.save({ body })).rejects.toMatchObject({ status: 422, code: 'INVALID_INPUT', fields });
  expect(sent).toEqual([body]);
});
