import { beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '#emulators/kit/clock.ts';
import { connectControl } from '#emulators/kit/control-client.ts';
import { fetchInProcess } from '#emulators/kit/fetch-in-process.ts';
import { signForm } from './sign.ts';
import { createTwilio, type TwilioDialect } from './twilio.ts';

/** The emulator against Twilio's documents, each named where its rule is tested. */

const sid = `AC${'a'.repeat(32)}`;
const authToken = 'b'.repeat(32);
const ours = '+14155550100';
const guest = '+4915112345678';
const base = 'http://twilio.test';

function open() {
  const clock = createClock(Temporal.Instant.from('2027-03-08T12:00:00Z').epochMilliseconds);
  const served = createTwilio({ clock });
  const send = fetchInProcess(served);
  const control = connectControl<TwilioDialect>(base, send);
  const heard: { url: string; signature: string; form: Record<string, string> }[] = [];
  served.emulator.deliveries.sendWith(async ({ url, headers, body }) => {
    const form = Object.fromEntries(new URLSearchParams(body));
    heard.push({ url, signature: headers['x-twilio-signature']!, form });
    return { status: 204, body: '', tookMs: 1 };
  });
  const ask = async (method: string, path: string, form?: Record<string, string>, token = authToken) => {
    const answer = await send(`${base}/2010-04-01/Accounts/${sid}${path}`, {
      method,
      headers: { authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}` },
      ...(form && { body: new URLSearchParams(form) }),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
  };
  const create = (form: Record<string, string>) =>
    ask('POST', '/Messages.json', { From: ours, To: guest, Body: 'Soon', ...form });
  return { clock, served, control, heard, ask, create, send };
}

let twilio: ReturnType<typeof open>;
beforeEach(async () => {
  twilio = open();
  await twilio.control.seed({
    sid,
    authToken,
    numbers: [{ number: ours, smsUrl: 'http://127.0.0.1:1/inbound' }],
    services: [{ sid: `MG${'c'.repeat(32)}`, number: ours }],
  });
});

describe('"Twilio API requests": authentication', () => {
  it('the account SID and auth token are accepted, and a wrong token is refused with 20003', async () => {
    expect((await twilio.ask('GET', '.json')).body).toMatchObject({ sid, status: 'active' });
    const refused = await twilio.ask('GET', '.json', undefined, 'wrong');
    expect([refused.status, refused.body.code]).toEqual([401, 20003]);
  });
});

describe('"Messages resource"', () => {
  it('a message is queued, sent and delivered, and each status is sent to its callback', async () => {
    const { status, body } = await twilio.create({ StatusCallback: 'http://127.0.0.1:1/status' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'queued',
      to: guest,
      from: ours,
      direction: 'outbound-api',
      num_segments: '1',
      date_created: 'Mon, 08 Mar 2027 12:00:00 +0000',
    });
    twilio.clock.advance(3_000);
    await twilio.control.deliver({ do: 'pump' });
    expect(twilio.heard.map(({ form }) => [form.MessageSid, form.MessageStatus])).toEqual([
      [body.sid, 'sent'],
      [body.sid, 'delivered'],
    ]);
    const [{ url, form, signature }] = twilio.heard as [(typeof twilio.heard)[number]];
    expect(signature).toBe(signForm(authToken, url, form));
    expect((await twilio.ask('GET', `/Messages/${String(body.sid)}.json`)).body.status).toBe('delivered');
  });

  it('a message from a messaging service is accepted', async () => {
    const { body } = await twilio.create({ From: '', MessagingServiceSid: `MG${'c'.repeat(32)}` });
    expect(body).toMatchObject({ status: 'accepted', from: ours, messaging_service_sid: `MG${'c'.repeat(32)}` });
  });

  it('messages to a number are listed newest first', async () => {
    const first = await twilio.create({});
    await twilio.create({ To: '+447400123456' });
    const second = await twilio.create({ Body: 'Now' });
    const { body } = await twilio.ask('GET', `/Messages.json?To=${encodeURIComponent(guest)}&PageSize=20`);
    expect((body.messages as { sid: string }[]).map((one) => one.sid)).toEqual([second.body.sid, first.body.sid]);
  });

  it.each([
    ['a recipient that is no number', { To: '12345' }, 21211],
    ['no recipient', { To: '' }, 21604],
    ['a sender of somebody else', { From: '+14155550199' }, 21606],
    ['a sender that is no number', { From: 'call-me' }, 21212],
    ['no text', { Body: '' }, 21602],
    ['more than 1600 characters', { Body: 'x'.repeat(1_601) }, 21617],
    ['a callback that is no address', { StatusCallback: 'nowhere' }, 21609],
    ['an unknown service', { MessagingServiceSid: `MG${'0'.repeat(32)}` }, 21705],
  ])('a message with %s is refused', async (_, form, code) => {
    const { status, body } = await twilio.create(form);
    expect([status, body.code, body.more_info]).toEqual([400, code, `https://www.twilio.com/docs/errors/${code}`]);
  });

  it.each([
    ['+15005550001', 21211],
    ['+15005550002', 21612],
    ['+15005550003', 21408],
    ['+15005550004', 21610],
    ['+15005550009', 21614],
  ])('"Test credentials": a message to %s fails with %i', async (to, code) => {
    expect((await twilio.create({ To: to })).body.code).toBe(code);
  });

  it('an unreachable phone is reported only by the callback, as 30003', async () => {
    await twilio.control.knobs({ undelivered: { [guest]: 30003 } });
    expect((await twilio.create({ StatusCallback: 'http://127.0.0.1:1/status' })).status).toBe(201);
    twilio.clock.advance(3_000);
    await twilio.control.deliver({ do: 'pump' });
    expect(twilio.heard.at(-1)?.form).toMatchObject({ MessageStatus: 'undelivered', ErrorCode: '30003' });
  });
});

describe('"Twilio support for STOP, START, and HELP keywords"', () => {
  const write = (body: string) => twilio.control.act({ account: sid, do: 'write', from: guest, to: ours, body });

  it.each(['STOP', 'stop', ' Unsubscribe ', 'QUIT', 'END', 'CANCEL', 'STOPALL'])(
    'the word %j stops messages to a phone, and START allows them again',
    async (word) => {
      await write(word);
      expect((await twilio.create({})).body.code).toBe(21610);
      await write('Start');
      expect((await twilio.create({})).status).toBe(201);
    },
  );

  it('an incoming message is forwarded with a signature', async () => {
    await write('Stop it, please');
    expect((await twilio.create({})).status).toBe(201);
    await twilio.control.deliver({ do: 'pump' });
    const [{ url, form, signature }] = twilio.heard as [(typeof twilio.heard)[number]];
    expect(form).toMatchObject({ From: guest, To: ours, Body: 'Stop it, please', AccountSid: sid });
    expect(signature).toBe(signForm(authToken, url, form));
  });
});

it('"Webhooks security": the documented example gets its documented signature', () => {
  const form = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675310',
    Digits: '1234',
    From: '+14158675310',
    To: '+18005551212',
  };
  const url = 'https://example.com/myapp.php?foo=1&bar=2';
  expect(signForm('12345', url, form)).toBe('L/OH5YylLD5NRKLltdqwSvS0BnU=');
});

it('"API limits": a request over the limit per second is refused with 429 and 20429', async () => {
  await twilio.control.knobs({ requestsPerSecond: 1 });
  await twilio.create({});
  const { status, body } = await twilio.create({});
  expect([status, body.code]).toEqual([429, 20429]);
});

it('a fault fails a message before or after it is created', async () => {
  await twilio.control.addFaults({ name: 'unreachable' });
  await expect(twilio.create({})).rejects.toThrow('fetch failed');
  await twilio.control.addFaults({ name: 'lost-answer' });
  await expect(twilio.create({})).rejects.toThrow('fetch failed');
  expect((await twilio.control.snapshot()).messages).toHaveLength(1);
  await twilio.control.addFaults({ name: 'too-many', variant: 'told' });
  expect((await twilio.create({})).headers.get('retry-after')).toBe('7');
  await twilio.control.addFaults({ name: '21614' });
  expect((await twilio.create({})).body.code).toBe(21614);
});

it('the page of an account shows messages as escaped text and can answer for a phone', async () => {
  await twilio.create({ Body: '<b>Soon</b>' });
  const page = await (await twilio.send(`${base}/?account=${sid}`)).text();
  expect(page).toContain('&lt;b&gt;Soon&lt;/b&gt;');
  await twilio.send(`${base}/?account=${sid}`, {
    method: 'POST',
    body: new URLSearchParams({ from: guest, to: ours, body: 'STOP' }),
  });
  expect((await twilio.control.snapshot()).optOuts).toEqual([`${ours} ${guest}`]);
});
