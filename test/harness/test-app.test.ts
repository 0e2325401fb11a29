import { describe, expect, it } from 'vitest';
import { fixedClock } from './fixed-clock.ts';
import { startTestApp } from './test-app.ts';

describe('test app', () => {
  it('the test app answers requests over its own database and its own clock', async () => {
    const clock = fixedClock('2027-03-28T00:30:00Z');
    const one = await startTestApp({ clock });
    const other = await startTestApp();
    expect((await one.inject({ url: '/healthz' })).statusCode).toBe(200);
    expect((await one.inject({ url: '/readyz' })).json()).toEqual({ status: 'ready' });
    expect(one.database.url).not.toBe(other.database.url);
    clock.advance({ hours: 1 });
    expect(one.app.clock.now().toString()).toBe('2027-03-28T01:30:00Z');
    await one.settle();
    await Promise.all([one.close(), other.close()]);
  });
});
