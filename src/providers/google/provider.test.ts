import { afterEach, expect, it } from 'vitest';
import { listen } from '#emulators/kit/listen.ts';
import { createApiFetch } from '#platform/api-fetch.ts';
import { emulateGoogle } from '../../../test/harness/emulated-google.ts';
import { fixedTokens, googleAccount } from '../../../test/harness/google-world.ts';
import { conformanceIdentity, conformanceTags } from '../conformance.ts';
import type { MirrorBody } from '../port.ts';
import { openGoogle } from './provider.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

it('the Google provider works over real sockets with the production fetch', async () => {
  const emulated = emulateGoogle();
  await emulated.control.seed({ account: googleAccount, calendars: [] });
  const { token } = await emulated.signIn(googleAccount);
  const { url, close } = await listen(emulated.google);
  const api = createApiFetch();
  closing.push(close, api.close);
  const provider = openGoogle({
    baseUrl: `${url}/`,
    fetch: api.fetch,
    tokens: fixedTokens(token.access_token),
    selfAddresses: [googleAccount],
    tags: conformanceTags,
    nowMs: () => emulated.clock.now(),
  });
  const signal = AbortSignal.timeout(10_000);
  const block: MirrorBody = {
    kind: 'single',
    when: { kind: 'zoned', start: '2027-03-08T09:00:00', zone: 'UTC', duration: { seconds: 1_800 } },
    core: { busy: 'busy', private: true, self: 'none', kind: 'default', title: 'Zoë; "Q&A" 🗓' },
  };
  const identity = conformanceIdentity(1);
  const [calendar] = await provider.listCalendars(signal);
  expect(calendar?.ref).toBe(googleAccount);
  const created = await provider.createMirror(googleAccount, identity, block, signal);
  const pages = provider.pull({
    calendarRef: googleAccount,
    cursor: null,
    full: false,
    known: () => Promise.resolve(new Map()),
    signal,
  });
  expect((await pages.next()).value).toMatchObject({ items: [{ ref: created.ref, provenance: 'own', body: block }] });
  const updated = await provider.updateMirror(googleAccount, created, identity, block, signal);
  await provider.deleteMirror(googleAccount, updated, signal);
  expect(await provider.findMirror(googleAccount, identity, signal)).toBeNull();
});
