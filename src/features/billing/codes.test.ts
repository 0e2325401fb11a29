import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { enrolUser } from '../../../test/harness/second-factor.ts';
import { openStripeWorld, type StripeWorld } from '../../../test/harness/stripe-world.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { billingContract } from './contract.ts';

const reason = 'a test asks for it';
const nothing = {
  percent: null,
  amount: null,
  months: null,
  extra_days: null,
  max_uses: null,
  expires_at: null,
  reason,
};

let world: StripeWorld;
let boss: TestUser;
beforeAll(async () => {
  world = await openStripeWorld();
  boss = await enrolUser(world.server, await signUpUser(world.server, 'boss@example.org'));
  await sql`update accounts.users set role = 'admin' where id = ${boss.userId}`.execute(world.server.app.db);
});
afterAll(() => world.server.close());
beforeEach(() => sql`delete from platform.limits`.execute(world.server.app.db));

const admin = () => boss.as(billingContract);
const find = async (code: string) => (await admin().listCodes()).codes.find((one) => one.code === code);
let people = 0;
async function somebody() {
  people += 1;
  return (await signUpUser(world.server, `guest-${people}@example.org`)).as(billingContract);
}
const acts = async (action: string) => {
  const { rows } = await sql<{ reason: string | null; details: object }>`
    select reason, details from accounts.audit where action = ${action} order by position`.execute(world.server.app.db);
  return rows;
};

test('fifty concurrent redemptions of a code with one use left redeem it once', async () => {
  await admin().createCode({ body: { ...nothing, code: 'one-left', extra_days: 10, max_uses: 1 } });
  const all = await Promise.all(Array.from({ length: 50 }, () => somebody()));
  const before = await Promise.all(all.map(async (one) => (await one.readBilling()).trialEndsAt));
  const ended = await Promise.allSettled(all.map((one) => one.redeemCode({ body: { code: ' One-Left ' } })));
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const one of ended)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'NO_CODE', status: 409 });
  const after = await Promise.all(all.map(async (one) => (await one.readBilling()).trialEndsAt));
  const longer = after.map((end, n) => (end ?? 0) - (before[n] ?? 0));
  expect(longer.filter((ms) => ms !== 0)).toEqual([10 * 86_400_000]);
  expect(await find('ONE-LEFT')).toMatchObject({ uses: 1, max_uses: 1, state: 'used-up' });
  expect(await acts('code_creation')).toEqual([{ reason, details: { days: 10, uses: 1 } }]);
  expect(await acts('code_redemption')).toEqual([{ reason: null, details: { days: 10, money: false } }]);
});

test('concurrent redemptions by one user use a code once', async () => {
  await admin().createCode({ body: { ...nothing, code: 'ONCE-EACH', extra_days: 5, max_uses: 50 } });
  const one = await somebody();
  const pressed = await Promise.allSettled(
    Array.from({ length: 8 }, () => one.redeemCode({ body: { code: 'ONCE-EACH' } })),
  );
  expect(pressed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const press of pressed)
    if (press.status === 'rejected') expect(press.reason).toMatchObject({ code: 'CODE_USED' });
  expect(await find('ONCE-EACH')).toMatchObject({ uses: 1 });
});

test('a discount code applies once, to the next subscription at Stripe', async () => {
  await admin().createCode({ body: { ...nothing, code: 'HALF', percent: 50, months: 1 } });
  const one = await somebody();
  const shown = await one.redeemCode({ body: { code: 'half' } });
  expect(shown.discount).toEqual({ code: 'HALF', percent: 50, amount: null, currency: null, months: 1 });
  // a page for paying that is left uses nothing up
  await one.startCheckout({ body: { plan_key: 'pro' } });
  world.advance(31); // no trial is left that would be free
  expect(await world.pay((await one.startCheckout({ body: { plan_key: 'pro' } })).url)).toBeNull();
  const paid = await one.refreshBilling();
  expect(paid).toMatchObject({ source: 'subscription', discount: null });
  expect(paid.invoices[0]?.amount).toBe((paid.plan?.amount ?? 0) / 2);
  // a subscriber cannot use another
  await admin().createCode({ body: { ...nothing, code: 'TOO-LATE', amount: 500, months: null, max_uses: 5 } });
  await expect(one.redeemCode({ body: { code: 'TOO-LATE' } })).rejects.toMatchObject({ code: 'SUBSCRIBED' });
  expect(await find('TOO-LATE')).toMatchObject({ uses: 0, currency: 'usd' });
  // another person's page makes no second coupon of the same code
  const other = await somebody();
  await other.redeemCode({ body: { code: 'HALF' } });
  await other.startCheckout({ body: { plan_key: 'pro' } });
  expect((await world.stripe.coupons.list()).data.map(({ name }) => name)).toEqual(['HALF']);
});

test('an ended, expired, unknown or too long code is refused without using it up', async () => {
  const one = await somebody();
  const use = (code: string) => one.redeemCode({ body: { code } });
  await admin().createCode({ body: { ...nothing, code: 'OVER', extra_days: 3 } });
  const code = await find('OVER');
  await admin().endCode({ body: { code_id: code?.id ?? '', reason } });
  await expect(use('OVER')).rejects.toMatchObject({ code: 'NO_CODE' });
  expect(await find('OVER')).toMatchObject({ uses: 0, state: 'ended' });
  expect(await acts('code_ending')).toEqual([{ reason, details: {} }]);
  const expires = world.clock.now() + 86_400_000;
  await admin().createCode({ body: { ...nothing, code: 'TODAY', extra_days: 3, expires_at: expires } });
  world.advance(1);
  await expect(use('TODAY')).rejects.toMatchObject({ code: 'NO_CODE' });
  expect(await find('TODAY')).toMatchObject({ state: 'expired' });
  await expect(use('NO-SUCH')).rejects.toMatchObject({ code: 'NO_CODE' });
  await one.readBilling();
  await admin().createCode({ body: { ...nothing, code: 'A-YEAR', extra_days: 365 } });
  await expect(use('A-YEAR')).rejects.toMatchObject({ code: 'TRIAL_LIMIT' });
  expect(await find('A-YEAR')).toMatchObject({ uses: 0 });
  await expect(admin().createCode({ body: { ...nothing, code: 'a-year', percent: 5 } })).rejects.toMatchObject({
    code: 'TAKEN',
  });
  for (const wrong of [
    { code: 'NOTHING' },
    { code: 'BOTH', percent: 5, amount: 5 },
    { code: 'A B', percent: 5 },
    { code: 'DAYS', extra_days: 366 },
    { code: 'FREE', percent: 101 },
  ])
    await expect(admin().createCode({ body: { ...nothing, ...wrong } as never })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
});

test('guesses at codes are rate-limited', async () => {
  const one = await somebody();
  const tries = await Promise.allSettled(
    Array.from({ length: 12 }, (_, n) => one.redeemCode({ body: { code: `GUESS-${n}` } })),
  );
  const codes = tries.map((answer) => (answer.status === 'rejected' ? answer.reason.code : 'found'));
  expect(codes.filter((code) => code === 'LIMITED').length).toBeGreaterThanOrEqual(2);
  expect(codes).not.toContain('found');
});
