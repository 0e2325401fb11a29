import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';

/** A limit that takes hundreds of hashes to reach. The limits of an address and of one network are in guessing.test.ts. */

vi.setConfig({ testTimeout: 120_000 });

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const signIn = (email: string, password: string, remoteAddress: string) =>
  server.inject({ method: 'POST', url: '/auth/login', payload: { email, password }, remoteAddress });

test('one IPv6 site with many networks is rate-limited as a site', async () => {
  const outcomes: number[] = [];
  for (let batch = 0; batch < 14; batch += 1) {
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, n) =>
        signIn(`nobody-${batch}-${n}@example.org`, 'Summer2026!', `2001:db8:aaaa:${(batch * 25 + n).toString(16)}::1`),
      ),
    );
    outcomes.push(...answers.map(({ statusCode }) => statusCode));
  }
  expect(outcomes.filter((status) => status === 429).length).toBeGreaterThanOrEqual(15);
  expect(outcomes.filter((status) => status === 401).length).toBeGreaterThanOrEqual(250);
});
