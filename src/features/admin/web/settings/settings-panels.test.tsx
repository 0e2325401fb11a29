import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { ConsolePage } from '../console-page.tsx';

beforeAll(async () => {
  await startTranslations('en');
  // a section is fetched when it is opened: here it is there already
  await Promise.all([import('./settings-section.tsx'), ...['admin', 'adminSettings', 'adminHealth'].map(loadWords)]);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const at = '2027-03-08T12:00:00Z';
const key = {
  id: '01a1ff0c-92b0-7f07-90fc-286b50671922',
  name: 'a script',
  masked: 'hfk_abcd…wxyz',
  scopes: ['read'],
  email: 'admin@example.org',
  createdAt: at,
  expiresAt: at,
  lastUsedAt: null,
};

function show() {
  const keys: (typeof key)[] = [];
  const flags = [{ name: 'published-feeds', enabled: true, rollout: 100 }];
  const api = createFakeApi({
    'GET /api/admin/settings': {
      body: { requireAdminMfa: true, signUp: 'open', signUpAllowed: [], blockedGuests: [] },
    },
    'GET /api/admin/health': {
      body: {
        at,
        status: 'healthy',
        services: [],
        queues: [],
        deadLetters: 0,
        alerts: [],
        errors: [],
        logDays: 30,
        zoneData: { version: '2026e', days: 30, isOld: false },
      },
    },
    'GET /api/admin/keys': () => ({ body: { keys } }),
    'POST /api/admin/keys': () => {
      keys.push(key);
      return { body: { id: key.id, key: 'hfk_abcdefgh-wxyz', expiresAt: at } };
    },
    'POST /api/admin/keys/revocation': () => {
      keys.pop();
      return { status: 204 };
    },
    'GET /api/admin/flags': () => ({ body: { flags } }),
    'PATCH /api/admin/flags': ({ body }) => ({ body: { flags: [body] } }),
    'GET /api/admin/branding': { body: { name: null, color: null, logo: null, darkLogo: null } },
    'PUT /api/admin/branding': ({ body }) => {
      const { reason: _, ...branding } = body as Record<string, unknown>;
      return { body: branding };
    },
    'PATCH /api/admin/settings': ({ body }) => ({
      body: { requireAdminMfa: true, signUpAllowed: [], blockedGuests: [], ...(body as object) },
    }),
    'POST /api/admin/mail-test': {
      body: { to: 'admin@example.org', outcome: 'again', error: 'connect ECONNREFUSED', durationMs: 12 },
    },
  });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={ConsolePage} at="/admin/settings" />);
  return { api, user: userEvent.setup() };
}

async function giveReason(user: ReturnType<typeof userEvent.setup>, title: string, confirm: string) {
  const dialog = await screen.findByRole('dialog', { name: title });
  await user.type(within(dialog).getByRole('textbox'), 'a test asks');
  await user.click(within(dialog).getByRole('button', { name: confirm }));
}

test('an API key needs a name and an end, is shown once, and is revoked after a confirmation', async () => {
  const { api, user } = show();
  await user.click(await screen.findByRole('button', { name: 'Create key' }));
  const dialog = await screen.findByRole('dialog', { name: 'Create key' });
  await user.type(within(dialog).getByRole('textbox', { name: /^Reason/ }), 'a test asks');
  const make = within(dialog).getByRole('button', { name: 'Create key' }) as HTMLButtonElement;
  expect(make.disabled).toBe(true);
  await user.type(within(dialog).getByRole('textbox', { name: /^Name/ }), '  {Enter}');
  expect(api.calls.filter(({ method }) => method === 'POST')).toEqual([]);
  await user.type(within(dialog).getByRole('textbox', { name: /^Name/ }), 'a script');
  await user.selectOptions(within(dialog).getByRole('combobox', { name: 'Expires after' }), '30 days');
  await user.click(make);
  expect(api.calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ name: 'a script', days: 30 });
  const made = await screen.findByRole('dialog', { name: 'Your new key' });
  expect(within(made).getByText('hfk_abcdefgh-wxyz')).toBeDefined();
  await user.click(within(made).getByRole('button', { name: 'Done' }));
  expect(await screen.findByText('hfk_abcd…wxyz')).toBeDefined();
  expect(screen.queryByText('hfk_abcdefgh-wxyz')).toBeNull();

  await user.click(screen.getByRole('button', { name: 'Revoke a script' }));
  await giveReason(user, 'Are you sure you want to revoke this API key?', 'Revoke');
  expect(await screen.findByText('a script was revoked.')).toBeDefined();
  expect(await screen.findByRole('heading', { name: 'No keys' })).toBeDefined();
});

test('a feature flag is saved with its percentage, and one out of range cannot be saved', async () => {
  const { api, user } = show();
  const percent = await screen.findByRole('textbox', { name: 'Rollout % for Published calendar feeds' });
  await user.clear(percent);
  await user.type(percent, '101');
  const change = screen.getByRole('button', { name: 'Change Published calendar feeds' }) as HTMLButtonElement;
  expect(change.disabled).toBe(true);
  await user.clear(percent);
  await user.type(percent, '25');
  await user.click(change);
  await giveReason(user, 'Change Published calendar feeds?', 'Change');
  expect(await screen.findByText('Published calendar feeds was changed.')).toBeDefined();
  expect(api.calls.find(({ method }) => method === 'PATCH')?.body).toEqual({
    name: 'published-feeds',
    enabled: true,
    rollout: 25,
    reason: 'a test asks',
  });
});

test("the sign-up setting is saved with its invited addresses, and a mail test shows the server's error", async () => {
  const { api, user } = show();
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Sign-up policy' }), 'invited');
  await user.type(screen.getByRole('textbox', { name: /^Invited addresses/ }), 'no address');
  expect(screen.getByText('Enter a valid address or @domain: no address')).toBeDefined();
  await user.clear(screen.getByRole('textbox', { name: /^Invited addresses/ }));
  await user.type(screen.getByRole('textbox', { name: /^Invited addresses/ }), '@example.org');
  await user.click(screen.getAllByRole('button', { name: 'Save' })[0] as HTMLElement);
  await giveReason(user, 'Change who can sign up?', 'Save');
  expect(await screen.findByText('Sign-up settings saved.')).toBeDefined();
  expect(api.calls.find(({ method }) => method === 'PATCH')?.body).toEqual({
    signUp: 'invited',
    signUpAllowed: ['@example.org'],
    reason: 'a test asks',
  });
  await user.click(await screen.findByRole('button', { name: 'Send test email' }));
  await giveReason(user, 'Send a test email?', 'Send');
  expect(await screen.findByText("The mail server didn't accept the email: connect ECONNREFUSED")).toBeDefined();
});

test('a branding color with too little contrast shows a correction, and branding is saved with a reason and reset', async () => {
  const { api, user } = show();
  const color = await screen.findByRole('textbox', { name: /^Accent color/ });
  const save = screen.getByRole('button', { name: 'Save branding' });
  expect(save).toHaveProperty('disabled', true);
  await user.clear(color);
  await user.type(color, 'yellow');
  expect(save).toHaveProperty('disabled', true);
  await user.clear(color);
  await user.type(color, '#ffee00');
  expect(screen.getByText(/White text on #ffee00 has a contrast of only 1\.\d:1/)).toBeTruthy();
  const rows = within(screen.getByRole('table', { name: 'Contrast' }))
    .getAllByRole('row')
    .slice(1);
  expect(rows).toHaveLength(3);
  for (const row of rows) expect(within(row).getAllByText(/^\d+\.\d:1 passes$/)).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: /^Use #/ }));
  expect(screen.queryByText(/White text on/)).toBeNull();
  const name = screen.getByRole('textbox', { name: /^Product name/ });
  await user.clear(name);
  await user.type(name, 'Smith & Sons');
  await user.click(save);
  await giveReason(user, 'Change the branding?', 'Save branding');
  await screen.findByText('Branding saved. Reload the page to see all of it.');
  const sent = api.calls.findLast(({ method }) => method === 'PUT')?.body;
  expect(sent).toMatchObject({ name: 'Smith & Sons', logo: null, darkLogo: null, reason: 'a test asks' });
  await user.click(screen.getByRole('button', { name: 'Reset to default' }));
  await giveReason(user, 'Reset the branding?', 'Reset to default');
  await screen.findByDisplayValue('Holdfast');
});
