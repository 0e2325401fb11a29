import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
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

test('where nobody is asked for money the screen says that everything is included', async () => {
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
])('a subscription that is %s has its word and its colour', async (status, word, tone) => {
  show({ status });
  expect((await screen.findByText(word)).dataset.tone).toBe(tone);
});

test('invoices: paid is green, anything else red; without one the screen says so', async () => {
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

test('a portal that does not open is told, and leaves no empty tab behind', async () => {
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

test('what cannot be loaded can be tried again', async () => {
  show({}, { 'GET /api/billing': refusal(503, 'UNAVAILABLE', 'Cannot be served for the moment.') });
  expect(await screen.findByText('Your plan could not be loaded')).toBeDefined();
});

test('a code is used, and what it takes off is shown; one that is refused says why', async () => {
  const answers = [
    refusal(409, 'NO_CODE', 'There is no such code, or it cannot be used any more.'),
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
  await user.click(screen.getByRole('button', { name: 'Use the code' }));
  expect(await screen.findByText(/There is no such code/)).toBeDefined();
  await user.clear(field);
  await user.type(field, 'half');
  await user.click(screen.getByRole('button', { name: 'Use the code' }));
  expect(await screen.findByText('HALF: 50 % off the plan that you choose next, for one month.')).toBeDefined();
  expect(screen.queryByText(/There is no such code/)).toBeNull();
});
