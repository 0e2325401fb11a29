import { beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '#emulators/kit/clock.ts';
import { connectControl } from '#emulators/kit/control-client.ts';
import { fetchInProcess } from '#emulators/kit/fetch-in-process.ts';
import { createSlack, type SlackDialect } from './slack.ts';

/** The emulator against Slack's documents, each named where its rule is tested. */

const base = 'http://slack.test';
const token = 'xoxb-1-2-abc';
const hook = '/services/T0ACME/B0HOOK/secret';

function open() {
  const clock = createClock(Temporal.Instant.from('2027-03-08T12:00:00Z').epochMilliseconds);
  const served = createSlack({ clock });
  const send = fetchInProcess(served);
  const control = connectControl<SlackDialect>(base, send);
  const call = async (method: string, given: object, bearer: string | null = token) => {
    const answer = await send(`${base}/api/${method}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
      },
      body: JSON.stringify(given),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
  };
  const post = async (body: unknown, path = hook) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await send(`${base}${path}`, { method: 'POST', body: text });
    return [answer.status, await answer.text()];
  };
  return { clock, control, call, post, send };
}

let slack: ReturnType<typeof open>;
beforeEach(async () => {
  slack = open();
  await slack.control.seed({
    workspace: 'T0ACME',
    channels: [
      { id: 'C0GENERAL', name: 'general' },
      { id: 'C0CLOSED', name: 'closed', joined: false },
    ],
    tokens: [{ token }, { token: 'xoxb-poor', scopes: [] }],
    webhooks: [{ path: hook, channel: 'C0GENERAL' }],
  });
});

describe('"Sending messages using incoming webhooks"', () => {
  it('a webhook posts a message and answers "ok"', async () => {
    expect(await slack.post({ text: 'Booked' })).toEqual([200, 'ok']);
    expect((await slack.control.snapshot()).messages).toMatchObject([{ channel: 'C0GENERAL', text: 'Booked' }]);
  });

  it('a refused webhook message is answered with the error as one word', async () => {
    expect(await slack.post({})).toEqual([400, 'no_text']);
    expect(await slack.post('{"text')).toEqual([400, 'invalid_payload']);
    expect(await slack.post({ text: 'x' }, '/services/T0ACME/B0HOOK/other')).toEqual([404, 'no_service']);
    await slack.control.act({ do: 'archive', channel: 'C0GENERAL' });
    expect(await slack.post({ text: 'x' })).toEqual([410, 'channel_is_archived']);
    await slack.control.act({ do: 'disable', webhook: hook });
    expect(await slack.post({ text: 'x' })).toEqual([404, 'no_service']);
  });

  it('"Rate limits": a webhook takes one message a second', async () => {
    await slack.post({ text: 'one' });
    expect(await slack.post({ text: 'two' })).toEqual([429, 'rate_limited']);
    slack.clock.advance(1_000);
    expect(await slack.post({ text: 'two' })).toEqual([200, 'ok']);
  });
});

describe('"Using the Slack Web API"', () => {
  it('auth.test names the team of a token and refuses other tokens', async () => {
    expect((await slack.call('auth.test', {})).body).toMatchObject({ ok: true, team: 'Acme', team_id: 'T0ACME' });
    expect((await slack.call('auth.test', {}, 'xoxb-wrong')).body).toEqual({ ok: false, error: 'invalid_auth' });
    expect((await slack.call('auth.test', {}, null)).body.error).toBe('not_authed');
    await slack.control.act({ do: 'revoke', token });
    expect((await slack.call('auth.test', {})).body.error).toBe('token_revoked');
  });

  it('chat.postMessage posts by channel id or name, and reports errors under status 200', async () => {
    const { body } = await slack.call('chat.postMessage', { channel: '#general', text: 'Booked' });
    expect(body).toMatchObject({ ok: true, channel: 'C0GENERAL', message: { text: 'Booked' } });
    const error = async (given: object, bearer = token) =>
      (await slack.call('chat.postMessage', given, bearer)).body.error;
    expect(await error({ channel: 'C0NOWHERE', text: 'x' })).toBe('channel_not_found');
    expect(await error({ channel: 'C0CLOSED', text: 'x' })).toBe('not_in_channel');
    expect(await error({ channel: 'C0GENERAL' })).toBe('no_text');
    expect(await error({ channel: 'C0GENERAL', text: 'x'.repeat(40_001) })).toBe('msg_too_long');
    expect(await error({ channel: 'C0GENERAL', text: 'x' }, 'xoxb-poor')).toBe('missing_scope');
    await slack.control.act({ do: 'archive', channel: 'C0GENERAL' });
    expect(await error({ channel: 'C0GENERAL', text: 'x' })).toBe('is_archived');
  });

  it('"Rate limits": a second message is refused with 429 and Retry-After in seconds', async () => {
    await slack.call('chat.postMessage', { channel: 'C0GENERAL', text: 'one' });
    const { status, headers, body } = await slack.call('chat.postMessage', { channel: 'C0GENERAL', text: 'two' });
    expect([status, headers.get('retry-after'), body.error]).toEqual([429, '1', 'ratelimited']);
  });

  it('conversations.history shows metadata only on request', async () => {
    const metadata = { event_type: 'run', event_payload: { id: 'r1' } };
    await slack.call('chat.postMessage', { channel: 'C0GENERAL', text: 'one', metadata });
    const read = async (more: object) =>
      ((await slack.call('conversations.history', { channel: 'C0GENERAL', ...more })).body.messages as object[])[0];
    expect(await read({})).not.toHaveProperty('metadata');
    expect(await read({ include_all_metadata: true })).toMatchObject({ metadata });
    expect((await slack.call('conversations.history', { channel: '#general' })).body.error).toBe('channel_not_found');
  });
});

it('a fault loses the response or answers with its rate limit', async () => {
  await slack.control.addFaults({ name: 'lost-answer' });
  await expect(slack.post({ text: 'x' })).rejects.toThrow('fetch failed');
  expect((await slack.control.snapshot()).messages).toHaveLength(1);
  await slack.control.addFaults({ name: 'ratelimited' }, { name: 'rate_limited' });
  expect((await slack.call('auth.test', {})).headers.get('retry-after')).toBe('30');
  expect(await slack.post({ text: 'x' })).toEqual([429, 'rate_limited']);
  await slack.control.addFaults({ name: 'invalid_auth' });
  expect((await slack.call('auth.test', {})).body.error).toBe('invalid_auth');
});

it('the page of a workspace shows messages as escaped text', async () => {
  await slack.post({ text: '<script>' });
  expect(await (await slack.send(`${base}/?account=T0ACME`)).text()).toContain('&lt;script&gt;');
});
