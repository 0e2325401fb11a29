import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { sampleAccount } from '#web/sample-account.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { BillingPage } from './billing-page.tsx';
import type { Billing } from './queries.ts';

beforeAll(async () => {
  await startTranslations('en');
  await loadWords('billing');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const pro = {
  key: 'pro',
  name: 'Pro',
  description: '',
  amount: 1_200,
  currency: 'usd',
  every: 'month',
  features: ['Real-time sync'],
  limits: { calendars: 2, teams: 1, workflows: 20, historyDays: 365 },
  trialDays: null,
  mostPopular: true,
};
const paying = {
  billing: 'on',
  source: 'subscription',
  plan: pro,
  limits: pro.limits,
  status: 'active',
  subscribedPlan: 'pro',
  trialEndsAt: null,
  cancelAt: null,
  nextInvoiceDate: '2027-04-01T09:00:00Z',
  nextInvoiceAmount: 1_200,
  currency: 'usd',
  graceUntil: null,
  discount: null,
  hasPortal: true,
  plans: [pro],
  invoices: [],
} satisfies Record<keyof Billing, unknown>;

function show(billing: Partial<Record<keyof Billing, unknown>>, routes: FakeRoutes = {}) {
  const api = createFakeApi({ 'GET /api/billing': { body: { ...paying, ...billing } }, ...routes });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={BillingPage} at="/billing" />);
  return { api, user: userEvent.setup() };
}

test('an install without billing says that everything is included', async () => {
  show({ billing: 'off', source: 'off', plan: null, status: null, plans: [] });
  expect(await screen.findByText('Everything is included')).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

test.each([
  ['active', 'Active', 'ok'],
  ['trialing', 'Trial', 'idle'],
  ['past_due', 'Payment failed', 'warn'],
  ['canceled', 'Canceled', 'bad'],
  ['unpaid', 'Unpaid', 'idle'],
])('a subscription with status %s shows its label and color', async (status, word, tone) => {
  show({ status });
  expect((await screen.findByText(word)).dataset.tone).toBe(tone);
});

test('a paid invoice is green, any other red', async () => {
  const invoice = (status: string, number: string) => ({
    id: number,
    number,
    amount: 1_599,
    currency: 'usd',
    status,
    created: '2027-03-01T09:00:00Z',
    nextAttempt: null,
    pageUrl: null,
    pdfUrl: 'https://pay.example/1.pdf',
  });
  show({ invoices: [invoice('paid', 'A-1'), invoice('open', 'A-2')] });
  expect((await screen.findByText('Paid')).dataset.tone).toBe('ok');
  expect(screen.getByText('Unpaid').dataset.tone).toBe('bad');
  expect(screen.getByRole('link', { name: 'PDF of A-1' }).getAttribute('href')).toBe('https://pay.example/1.pdf');
  expect(screen.queryByText('No invoices found')).toBeNull();
});

test('a failed billing portal shows an error and closes its empty tab', async () => {
  const close = vi.fn();
  vi.stubGlobal('open', () => ({ close }));
  const { user } = show(
    {},
    { 'POST /api/account/billing/portal': refusal(503, 'UNAVAILABLE', 'Stripe does not answer.') },
  );
  await user.click(await screen.findByRole('button', { name: 'Cards and receipts' }));
  expect(await screen.findByText('Failed to open billing portal')).toBeDefined();
  expect(close).toHaveBeenCalledOnce();
});

test('a plan that fails to load says so', async () => {
  show({}, { 'GET /api/billing': refusal(503, 'UNAVAILABLE', 'Cannot be served for the moment.') });
  expect(await screen.findByText("Couldn't load your plan")).toBeDefined();
});

test('a redeemed code shows its discount, and a refused one shows why', async () => {
  const answers = [
    refusal(409, 'NO_CODE', 'This code is invalid or has expired.'),
    {
      body: {
        ...paying,
        source: 'trial',
        discount: { code: 'HALF', percent: 50, amount: null, currency: null, months: 1 },
      },
    },
  ];
  const { user } = show(
    { source: 'trial' },
    { 'POST /api/billing/codes': () => answers.shift() ?? refusal(500, 'X', 'X') },
  );
  const field = await screen.findByRole('textbox', { name: 'Code' });
  await user.type(field, 'halv');
  await user.click(screen.getByRole('button', { name: 'Apply code' }));
  expect(await screen.findByText(/This code is invalid/)).toBeDefined();
  await user.clear(field);
  await user.type(field, 'half');
  await user.click(screen.getByRole('button', { name: 'Apply code' }));
  expect(await screen.findByText('HALF: 50 % off your next plan, for one month.')).toBeDefined();
  expect(screen.queryByText(/This code is invalid/)).toBeNull();
});

/** Connections that count: not the built-in account, and not those being disconnected. */
const using = (calendars: number): FakeRoutes => ({
  'GET /integrations/accounts': {
    body: {
      accounts: [
        ...Array.from({ length: calendars }, () => sampleAccount()),
        sampleAccount({ provider: 'holdfast' }),
        sampleAccount({ provider: 'google', disconnecting: true }),
      ],
    },
  },
  'GET /api/teams': { body: { may_create: false, teams: [], invitations: [], deleted: [] } },
  'GET /api/workflows': { body: { workflows: [], teams: [], kinds: [] } },
});

test('the billing page shows that it is loading', async () => {
  show({}, { 'GET /api/billing': () => new Promise<never>(() => undefined) });
  expect(await screen.findByRole('status', { name: 'Loading' })).toBeDefined();
});

test('each plan limit shows its use: partial, full, exceeded, not included or unlimited', async () => {
  const limits = { calendars: 2, teams: 0, workflows: null, historyDays: 365 };
  const told = async (calendars: number) => {
    show({ limits }, using(calendars));
    const list = (await screen.findByText(`${calendars} of 2 used`)).closest('dl') as HTMLElement;
    const isOver =
      within(list).queryByText("Over your plan's limit. Everything keeps working, but you can't add more.") !== null;
    const bar = within(list).getByRole('progressbar', { name: 'Calendar accounts' });
    for (const text of ['Not included', '0 used, no limit', '365 days']) within(list).getByText(text);
    cleanup();
    return [isOver, bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuemax')];
  };
  expect(await told(1)).toEqual([false, '1', '2']);
  expect(await told(2)).toEqual([false, '2', '2']);
  expect(await told(3)).toEqual([true, '2', '2']);
});

test('an unknown use of a plan limit is left open beside the limit', async () => {
  show({ limits: { ...pro.limits, historyDays: null } }, { 'GET /api/teams': refusal(503, 'UNAVAILABLE', 'Not now.') });
  expect(await screen.findByText('Unlimited')).toBeDefined();
  expect(screen.getAllByText('…')).toHaveLength(3);
  expect(screen.queryByRole('progressbar')).toBeNull();
});

const day = 86_400_000;
const iso = (ms: number) =>
  Temporal.Instant.fromEpochMilliseconds(Temporal.Now.instant().epochMilliseconds + ms).toString();

test('a failed payment shows the days of grace and what to do, and afterwards that additions are blocked', async () => {
  const failed = {
    id: 'in_1',
    number: 'A-1',
    amount: 1_200,
    currency: 'usd',
    status: 'open',
    created: iso(-day),
    nextAttempt: iso(2 * day),
    pageUrl: null,
    pdfUrl: null,
  };
  show({ status: 'past_due', graceUntil: iso(6 * day), invoices: [failed] });
  expect(await screen.findByText('Your last payment failed')).toBeDefined();
  expect(screen.getByText(/^Everything keeps working until .+\. We'll retry the card on .+\.$/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Update card' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Cancel subscription' })).toBeDefined();
  cleanup();

  show({ status: 'past_due', source: 'none', plan: null, graceUntil: iso(-day) });
  expect(
    await screen.findByText("You can't add anything until the invoice is paid. Everything you have keeps working."),
  ).toBeDefined();
  expect(screen.getByText('No plan')).toBeDefined();
  cleanup();

  show({ status: 'unpaid', source: 'none', plan: null });
  expect(await screen.findByRole('button', { name: 'Update card' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Cancel subscription' })).toBeNull();
});

test('a trial shows its end, a missing plan says so, and an ended subscription shows as canceled', async () => {
  show({ source: 'trial', status: null, subscribedPlan: null, trialEndsAt: iso(3 * day), hasPortal: false });
  expect(await screen.findByText(/^Your trial ends on/)).toBeDefined();
  expect(screen.getByText('Trial').dataset.tone).toBe('idle');
  expect(screen.queryByRole('button', { name: 'Cards and receipts' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Choose Pro' })).toBeDefined();
  cleanup();

  show({ source: 'none', status: 'canceled', plan: null, subscribedPlan: null });
  expect(await screen.findByText("You don't have a plan")).toBeDefined();
  cleanup();

  show({ source: 'free', status: 'canceled', plan: { ...pro, key: 'free', name: 'Free', amount: 0 } });
  expect((await screen.findByText('Your subscription')).nextElementSibling?.textContent).toBe('Canceled');
});

test('a subscription is cancelled after a confirmation and can be kept again', async () => {
  const ending = { ...paying, cancelAt: iso(20 * day) };
  const { api, user } = show(
    {},
    {
      'POST /api/billing/subscription/cancellation': { body: ending },
      'DELETE /api/billing/subscription/cancellation': { body: paying },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Cancel subscription' }));
  const question = await screen.findByRole('dialog', { name: 'Cancel your subscription?' });
  expect(within(question).getByText(/your calendars, blocks, teams and workflows keep working/)).toBeDefined();
  expect(api.calls.every(({ method }) => method === 'GET')).toBe(true);
  await user.click(within(question).getByRole('button', { name: 'Cancel subscription' }));
  expect(await screen.findByText(/^Ends on .+\. You'll keep access until then\.$/)).toBeDefined();
  await user.click(await screen.findByRole('button', { name: 'Keep subscription' }));
  expect(await screen.findByText('Your subscription continues')).toBeDefined();
  expect(await screen.findByRole('button', { name: 'Cancel subscription' })).toBeDefined();
});

test('a plan change asks first with its consequences, and a declined card changes nothing', async () => {
  const team = { ...pro, key: 'business', name: 'Business', amount: 2_400, mostPopular: false };
  const basic = { ...pro, key: 'basic', name: 'Basic', amount: 600, mostPopular: false };
  const { api, user } = show(
    { plans: [basic, pro, team] },
    { 'PUT /api/billing/subscription': refusal(409, 'CARD_DECLINED', 'The card was declined. Nothing was changed.') },
  );
  expect(await screen.findByRole('button', { name: 'Your plan' })).toHaveProperty('disabled', true);
  await user.click(screen.getByRole('button', { name: 'Choose Basic' }));
  const less = await screen.findByRole('dialog', { name: 'Switch to Basic?' });
  expect(within(less).getByText(/Anything over the smaller plan's limits keeps working/)).toBeDefined();
  await user.click(within(less).getByRole('button', { name: 'Cancel' }));
  await user.click(screen.getByRole('button', { name: 'Choose Business' }));
  const more = await screen.findByRole('dialog', { name: 'Switch to Business?' });
  expect(within(more).getByText(/You'll pay the difference/)).toBeDefined();
  await user.click(within(more).getByRole('button', { name: 'Change plan' }));
  expect(await screen.findByText('The card was declined. Nothing was changed.')).toBeDefined();
  expect(api.calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
    { plan_key: 'business' },
  ]);
});
