import { describe, expect, it } from 'vitest';
import type { Call } from '#emulators/kit/exchange.ts';
import { ProviderError } from '#kernel/errors.ts';
import { mailboxAddress as account, openMailbox } from '../../../test/harness/microsoft-mailbox.ts';
import { conformanceTags } from '../conformance.ts';
import type { PushChannels, PushHook } from '../port.ts';

/** Subscriptions as Graph has them (M18): the handshake, a longer life, and every way of not getting one. */

const hook: PushHook = {
  id: '6f2c1b1e-8a1e-4a57-9a37-0d1a5c9f4f10',
  url: 'https://holdfast.example/hooks/microsoft',
  lifecycleUrl: 'https://holdfast.example/hooks/microsoft/lifecycle',
  secret: 'a-secret-of-more-than-thirty-two-characters',
};
const signal = () => AbortSignal.timeout(20_000);
const weekMs = 7 * 86_400_000;

async function openChannels(answers: (token: string) => { status: number | null; body: string } = echo) {
  const mailbox = await openMailbox();
  const calendarRef = await mailbox.addCalendar('work');
  const called: Call[] = [];
  mailbox.emulator.emulator.deliveries.sendWith((call) => {
    called.push(call);
    const token = new URL(call.url).searchParams.get('validationToken') ?? '';
    return Promise.resolve({ ...answers(token), tookMs: 5, contentType: 'text/plain' });
  });
  const { push } = mailbox.open(conformanceTags);
  if (push === undefined) throw new Error('No push');
  return { mailbox, calendarRef, called, push: push as PushChannels, control: mailbox.emulator.control };
}

const echo = (token: string) => ({ status: 200, body: token });

async function codeOf(work: Promise<unknown>): Promise<[string, string]> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderError)) throw new Error(`Not refused: ${String(error)}`);
  expect(error.message).toMatch(/^.{15,}[.]$/s);
  return [error.kind, error.code];
}

describe('subscriptions', () => {
  it('a subscription is opened after both URLs were validated and lives for nearly a week', async () => {
    const { mailbox, calendarRef, called, push, control } = await openChannels();
    const channel = await push.open(calendarRef, hook, signal());
    expect(called.map((call) => call.url.split('?')[0])).toEqual([hook.url, hook.lifecycleUrl]);
    expect(channel.expiresMs - mailbox.nowMs()).toBeGreaterThan(weekMs - 600_000);
    expect(channel.expiresMs - mailbox.nowMs()).toBeLessThanOrEqual(weekMs);
    const { subscriptions } = await control.snapshot();
    expect(subscriptions).toMatchObject([{ id: channel.ref, account, resource: channel.resource }]);
  });

  it('a subscription reports a change with its secret', async () => {
    const { mailbox, calendarRef, called, push, control } = await openChannels();
    await push.open(calendarRef, hook, signal());
    called.length = 0;
    await control.act({
      do: 'create',
      account,
      calendar: 'work',
      event: { subject: 'New', start: '2027-03-08T09:00:00' },
    });
    await mailbox.emulator.emulator.deliveries.pump();
    const notices = called.map((call) => JSON.parse(call.body) as { value: { clientState: string }[] });
    expect(notices.flatMap((notice) => notice.value.map((item) => item.clientState))).toEqual([hook.secret]);
  });

  it('a renewed subscription keeps its ref, and an expired one is gone', async () => {
    const { mailbox, calendarRef, push } = await openChannels();
    const channel = await push.open(calendarRef, hook, signal());
    mailbox.advance(0.8 * weekMs);
    await mailbox.grant();
    const renewed = await push.renew(channel, signal());
    expect(renewed?.ref).toBe(channel.ref);
    expect((renewed?.expiresMs ?? 0) - channel.expiresMs).toBe(0.8 * weekMs);
    mailbox.advance(1.1 * weekMs);
    await mailbox.grant();
    expect(await codeOf(push.renew(channel, signal()))).toEqual(['not-found', 'NOT_FOUND']);
  });

  it('a subscription can be closed twice', async () => {
    const { calendarRef, push, control } = await openChannels();
    const channel = await push.open(calendarRef, hook, signal());
    await push.close(channel, signal());
    await push.close(channel, signal());
    expect((await control.snapshot()).subscriptions).toEqual([]);
  });

  it('a second subscription for a calendar is refused as a duplicate', async () => {
    const { calendarRef, push } = await openChannels();
    await push.open(calendarRef, hook, signal());
    expect(await codeOf(push.open(calendarRef, hook, signal()))).toEqual(['precondition', 'PUSH_DUPLICATE']);
  });

  it('a subscription whose URL fails its validation is refused', async () => {
    for (const answer of [() => ({ status: null, body: '' }), () => ({ status: 200, body: 'wrong' })]) {
      const { calendarRef, push } = await openChannels(answer);
      expect(await codeOf(push.open(calendarRef, hook, signal()))).toEqual(['rejected', 'PUSH_URL_REFUSED']);
    }
  });

  const faults: [string, string, string][] = [
    ['validation', 'rejected', 'PUSH_URL_REFUSED'],
    ['duplicate', 'precondition', 'PUSH_DUPLICATE'],
    ['denied', 'rejected', 'PUSH_UNSUPPORTED'],
    ['gone', 'not-found', 'CALENDAR_GONE'],
  ];
  for (const [variant, kind, code] of faults) {
    it(`a subscription refused by M18 ${variant} is reported as ${code}`, async () => {
      const { calendarRef, push, control } = await openChannels();
      await control.addFaults({ name: 'M18', variant });
      expect(await codeOf(push.open(calendarRef, hook, signal()))).toEqual([kind, code]);
    });
  }
});
