import { describe, expect, it } from 'vitest';
import { ProviderError } from '#kernel/errors.ts';
import { emulateGoogle } from '../../../test/harness/emulated-google.ts';
import { fixedTokens, googleAccount, openEmulatedGoogle } from '../../../test/harness/google-world.ts';
import { conformanceTags } from '../conformance.ts';
import type { PushHook } from '../port.ts';

const hook: PushHook = {
  id: 'b9c1f6a0-channel-1',
  url: 'https://holdfast.example/hooks/google',
  lifecycleUrl: 'https://holdfast.example/hooks/google/lifecycle',
  secret: 's'.repeat(40),
};

async function open() {
  const emulated = emulateGoogle();
  await emulated.control.seed({ account: googleAccount, calendars: [{ id: 'holidays@group', canPush: false }] });
  const { token, api } = await emulated.signIn(googleAccount);
  const tokens = fixedTokens(token.access_token);
  const { push } = openEmulatedGoogle(emulated, tokens, conformanceTags);
  if (push === undefined) throw new Error('Google pushes');
  const signal = AbortSignal.timeout(5_000);
  return {
    ...emulated,
    api,
    tokens,
    open: (more: Partial<PushHook> = {}, calendar = googleAccount) => push.open(calendar, { ...hook, ...more }, signal),
    push,
    signal,
    channels: async () => (await emulated.control.snapshot()).channels,
  };
}

async function refusalOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    () => new Error('It succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderError)) throw error;
  return error;
}

describe('channels', () => {
  it('a channel lives for a week and notifies its URL with its secret', async () => {
    const world = await open();
    const channel = await world.open();
    expect(channel).toEqual({
      ref: hook.id,
      resource: expect.stringMatching(/./),
      expiresMs: world.clock.now() + 604_800_000,
    });
    const { list } = await world.control.deliveries();
    expect(list[0]).toMatchObject({
      url: hook.url,
      headers: {
        'x-goog-channel-id': hook.id,
        'x-goog-channel-token': hook.secret,
        'x-goog-resource-id': channel.resource,
        'x-goog-resource-state': 'sync',
      },
    });
  });

  it('a channel lives as long as Google allows', async () => {
    const world = await open();
    await world.control.knobs({ channelSeconds: 3_600 });
    expect((await world.open()).expiresMs).toBe(world.clock.now() + 3_600_000);
  });

  it('a channel cannot be renewed, and a new one can be opened beside it', async () => {
    const world = await open();
    const old = await world.open();
    expect(await world.push.renew(old, world.signal)).toBeNull();
    await world.open({ id: 'b9c1f6a0-channel-2' });
    await world.push.close(old, world.signal);
    expect((await world.channels()).map(({ id, live }) => [id, live])).toEqual([
      [hook.id, false],
      ['b9c1f6a0-channel-2', true],
    ]);
  });

  it('a missing channel counts as closed', async () => {
    const world = await open();
    await world.push.close({ ref: 'no-such-channel', resource: 'nothing', expiresMs: 0 }, world.signal);
    const channel = await world.open();
    await world.control.addFaults({ name: 'G21' });
    await world.push.close(channel, world.signal);
  });

  it('a channel opens although its first notification comes before the response', async () => {
    const world = await open();
    await world.control.addFaults({ name: 'G20' });
    expect(await world.open()).toMatchObject({ ref: hook.id });
  });

  it('a channel whose response was lost makes its id a duplicate', async () => {
    const world = await open();
    await world.control.addFaults({ name: 'F1', variant: 'reset', phase: 'after', op: 'events.watch' });
    expect(await refusalOf(world.open())).toMatchObject({ kind: 'transient' });
    expect(await refusalOf(world.open())).toMatchObject({ kind: 'precondition', code: 'PUSH_DUPLICATE' });
    expect(await world.open({ id: 'b9c1f6a0-channel-2' })).toMatchObject({ ref: 'b9c1f6a0-channel-2' });
  });
});

describe('refused channels', () => {
  it('a calendar or URL without push support is refused for good', async () => {
    const world = await open();
    expect(await refusalOf(world.open({}, 'holidays@group'))).toMatchObject({
      kind: 'rejected',
      code: 'PUSH_UNSUPPORTED',
    });
    await world.control.addFaults({ name: 'G18' });
    expect(await refusalOf(world.open())).toMatchObject({ kind: 'rejected', code: 'PUSH_UNSUPPORTED' });
    expect(await refusalOf(world.open({ url: 'http://holdfast.example/' }))).toMatchObject({
      kind: 'rejected',
      code: 'PUSH_URL_REFUSED',
    });
    expect(await refusalOf(world.open({}, 'nobody@group'))).toMatchObject({ kind: 'not-found', code: 'CALENDAR_GONE' });
  });

  it('a refused URL is not taken for a refused token', async () => {
    const world = await open();
    await world.control.addFaults({ name: 'G19', variant: 'unauthorized', times: 0 });
    expect(await refusalOf(world.open())).toMatchObject({ kind: 'rejected', code: 'PUSH_URL_REFUSED' });
    expect(world.tokens.refused).toEqual([]);
  });

  it('a used channel id is refused as a duplicate', async () => {
    const world = await open();
    await world.control.addFaults({ name: 'G19' });
    expect(await refusalOf(world.open())).toMatchObject({ kind: 'precondition', code: 'PUSH_DUPLICATE' });
  });
});
