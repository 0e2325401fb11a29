import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ReauthenticationProvider } from '#ui/reauthentication.tsx';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { sampleUser } from '#web/sample-user.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { loadProofDialog } from './screens.ts';
import { SecurityPage } from './security-page.tsx';

beforeAll(async () => {
  await startTranslations('en');
  await Promise.all([loadWords('access'), loadWords('security')]);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const profile = { ...sampleUser, timeFormat: '24h', weekStart: 1 };
const at = Temporal.Now.instant().subtract({ seconds: 90 }).toString();
const device = (program: string | null, system: string | null) => ({ program, system });
const session = (current: boolean, program: string) => ({
  id: crypto.randomUUID(),
  current,
  device: device(program, 'Linux'),
  ip: '192.0.2.1',
  method: 'password',
  secondFactor: false,
  createdAt: at,
  lastSeenAt: at,
});
const entry = (kind: string, more = {}) => ({
  id: crypto.randomUUID(),
  at,
  kind,
  ip: '192.0.2.1',
  device: device('Firefox', 'Linux'),
  details: {},
  ...more,
});
const passkey = { id: crypto.randomUUID(), name: 'Laptop', synced: true, createdAt: at, lastUsedAt: null };

const identity = {
  id: crypto.randomUUID(),
  provider: 'google',
  service: 'Google',
  label: 'ada@gmail.example',
  linkedAt: at,
  lastUsedAt: at,
};

const answers: FakeRoutes = {
  'GET /api/account/mail-troubles': { body: { troubles: [] } },
  'GET /api/account/profile': { body: profile },
  'GET /api/account/reauthenticate': { body: { password: true, code: false, passkey: false, provedRecently: false } },
  'GET /api/account/mfa': { body: { enabledSince: null, backupCodesLeft: 0, backupCodeCount: 10 } },
  'GET /api/account/passkeys': { body: { passkeys: [passkey] } },
  'GET /api/account/identities': { body: { identities: [identity] } },
  'GET /api/sign-in-methods': { body: { google: 'on', microsoft: 'on', apple: 'soon', zoho: 'off' } },
  'GET /api/published-feeds': { body: { available: true, feeds: [] } },
  'GET /api/account/sessions': { body: { sessions: [session(false, 'Chrome'), session(true, 'Firefox')] } },
  'GET /api/account/trail': {
    body: {
      entries: [
        entry('signed-in', { details: { method: 'google' } }),
        entry('identity-linked', { details: { provider: 'google', name: 'ada@gmail.example' } }),
        entry('role-granted', { ip: null }),
      ],
      next: null,
    },
  },
};

function SecurityScreen() {
  return (
    <ReauthenticationProvider loadDialog={loadProofDialog}>
      <SecurityPage />
    </ReauthenticationProvider>
  );
}

function open(routes: FakeRoutes = {}) {
  const api = createFakeApi({ ...answers, ...routes });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={SecurityScreen} at="/profile/security" />);
  return { api, user: userEvent.setup() };
}

const panel = async (name: string) => {
  const heading = await screen.findByRole('heading', { name });
  return within(heading.closest('section') as HTMLElement);
};

test('the security page lists sign-in methods, sessions with this device first, and account activity', async () => {
  open();
  const waysIn = await panel('Sign-in methods');
  expect(await waysIn.findByText('ada@example.org')).toBeTruthy();
  expect(await waysIn.findByText('Off')).toBeTruthy();
  const sessions = await panel('Active sessions');
  const rows = await sessions.findAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    'Firefox on Linux This devicePassword · 192.0.2.1 · 1m ago',
    'Chrome on Linux Password · 192.0.2.1 · 1m agoSign out',
  ]);
  const trail = await panel('Recent activity');
  expect((await trail.findAllByRole('listitem')).map((row) => row.textContent)).toEqual([
    'Signed in Google account · Firefox on Linux · 192.0.2.1 · 1m ago',
    'Sign-in with Google linked Firefox on Linux · 192.0.2.1 · 1m ago',
    'Made an administrator By an administrator · 1m ago',
  ]);
});

test('a section of the security page that fails to load says so and offers a retry', async () => {
  const failing = refusal(503, 'UNAVAILABLE', 'Cannot be served for the moment.');
  const routes: FakeRoutes = { 'GET /api/account/sessions': failing, 'GET /api/account/trail': failing };
  const { api, user } = open(routes);
  const sessions = await panel('Active sessions');
  expect(await sessions.findByText("Couldn't load your sessions")).toBeTruthy();
  const trail = await panel('Recent activity');
  expect(await trail.findByText("Couldn't load your activity")).toBeTruthy();
  const before = api.calls.filter((call) => call.path === '/api/account/sessions').length;
  await user.click(sessions.getByRole('button', { name: 'Retry' }));
  await waitFor(() =>
    expect(api.calls.filter((call) => call.path === '/api/account/sessions').length).toBeGreaterThan(before),
  );
});

test('a refused sign-out of a device shows the error and reloads sessions and activity', async () => {
  const other = session(false, 'Chrome');
  const { api, user } = open({
    'GET /api/account/sessions': { body: { sessions: [session(true, 'Firefox'), other] } },
    [`DELETE /api/account/sessions/${other.id}`]: refusal(404, 'NOT_FOUND', 'This session has already ended.'),
  });
  await user.click(await screen.findByRole('button', { name: 'Sign out Chrome on Linux' }));
  expect((await screen.findByRole('alert')).textContent).toBe('This session has already ended.');
  expect(api.calls.some((call) => call.method === 'DELETE' && call.path.endsWith(other.id))).toBe(true);
  // changeable data is fetched again, the operator's configuration is not
  const asked = (path: string) => api.calls.filter((call) => call.method === 'GET' && call.path === path).length;
  expect([asked('/api/account/trail'), asked('/api/sign-in-methods')]).toEqual([2, 1]);
});

test('a password change asks for a proof once, in place, and then continues', async () => {
  let proven = false;
  const { api, user } = open({
    'POST /api/account/password': () =>
      proven
        ? { body: { message: 'Password changed.', session_token: 't' } }
        : refusal(403, 'REAUTHENTICATE', 'This needs a proof.'),
    'POST /api/account/reauthenticate': ({ body }) => {
      proven = (body as { password?: string }).password === 'right';
      return proven ? { body: { message: '', session_token: 't' } } : refusal(403, 'WRONG_CREDENTIALS', 'Wrong.');
    },
  });
  const waysIn = await panel('Sign-in methods');
  await user.click((await waysIn.findAllByRole('button', { name: 'Change' }))[0] as HTMLElement);
  const dialog = await screen.findByRole('dialog', { name: 'Choose a new password' });
  await user.type(within(dialog).getByLabelText('New password'), 'a new good one');
  await user.type(within(dialog).getByLabelText('Confirm password'), 'a new good one');
  await user.click(within(dialog).getByRole('button', { name: 'Change password' }));
  const proof = await screen.findByRole('dialog', { name: "Confirm it's you" });
  await user.type(within(proof).getByLabelText('Password'), 'wrong{Enter}');
  expect((await within(proof).findByRole('alert')).textContent).toBe('Wrong.');
  await user.clear(within(proof).getByLabelText('Password'));
  await user.type(within(proof).getByLabelText('Password'), 'right{Enter}');
  expect(await screen.findByText('Password changed.')).toBeTruthy();
  expect(api.calls.filter((call) => call.path === '/api/account/password')).toHaveLength(2);
});

test('a user with a second factor gives the password and a code together', async () => {
  const { api, user } = open({
    'GET /api/account/reauthenticate': { body: { password: true, code: true, passkey: false, provedRecently: false } },
    'POST /api/account/reauthenticate': { body: { message: '', session_token: 't' } },
    [`DELETE /api/account/passkeys/${passkey.id}`]: refusal(403, 'REAUTHENTICATE', 'This needs a proof.'),
  });
  await user.click(await screen.findByRole('button', { name: 'Remove Laptop' }));
  const asked = await screen.findByRole('dialog', { name: 'Remove Laptop?' });
  await user.click(within(asked).getByRole('button', { name: 'Remove' }));
  const proof = await screen.findByRole('dialog', { name: "Confirm it's you" });
  expect(within(proof).queryByRole('button', { name: /code from your authenticator/ })).toBeNull();
  await user.type(await within(proof).findByLabelText('Password'), 'right');
  await user.type(within(proof).getByRole('textbox', { name: /code/i }), '123456');
  await expect
    .poll(() => api.calls.find(({ method, path }) => method === 'POST' && path === '/api/account/reauthenticate')?.body)
    .toEqual({ password: 'right', code: '123456' });
});

test('new backup codes are shown, and turning the second factor off asks for confirmation', async () => {
  const codes = Array.from({ length: 10 }, (_, n) => `code-${n}`);
  const { api, user } = open({
    'GET /api/account/mfa': { body: { enabledSince: at, backupCodesLeft: 2, backupCodeCount: 10 } },
    'POST /auth/mfa/backup/regenerate': { body: { backupCodes: codes } },
  });
  expect(await screen.findByText('Few backup codes left')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'New backup codes' }));
  await user.click(await screen.findByRole('button', { name: 'Create new codes' }));
  expect(await screen.findByText('code-9')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Done' }));
  await user.click(screen.getByRole('button', { name: 'Turn off' }));
  await screen.findByRole('dialog', { name: 'Turn off multi-factor authentication?' });
  expect(api.calls.some((call) => call.path === '/auth/mfa/disable')).toBe(false);
});

test('a user without any means of proof is offered to sign out and in again', async () => {
  const { user } = open({
    'GET /api/account/reauthenticate': {
      body: { password: false, code: false, passkey: false, provedRecently: false },
    },
    [`DELETE /api/account/passkeys/${passkey.id}`]: refusal(403, 'REAUTHENTICATE', 'This needs a proof.'),
    'POST /auth/logout': refusal(503, 'UNAVAILABLE', 'Not now. You are still signed in.'),
  });
  expect(await screen.findByText('No password yet. Add one to sign in by email too.')).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Remove Laptop' }));
  const asked = await screen.findByRole('dialog', { name: 'Remove Laptop?' });
  await user.click(within(asked).getByRole('button', { name: 'Remove' }));
  const proof = await screen.findByRole('dialog', { name: "Confirm it's you" });
  await user.click(await within(proof).findByRole('button', { name: 'Sign in again' }));
  expect((await within(proof).findByRole('alert')).textContent).toBe('Not now. You are still signed in.');
});

test('unlinking a provider account asks first, and a refused last sign-in method shows why', async () => {
  const path = `DELETE /api/account/identities/${identity.id}`;
  const { api, user } = open({ [path]: refusal(409, 'LAST_WAY_IN', 'This is the only way into your account.') });
  const linked = await panel('Linked accounts');
  expect(await linked.findByText('ada@gmail.example', { exact: false })).toBeTruthy();
  // not linked yet, and set up here
  expect(linked.getByRole('button', { name: 'Link Microsoft' })).toBeTruthy();
  expect(linked.queryByRole('button', { name: /Apple|Zoho/ })).toBeNull();
  await user.click(linked.getByRole('button', { name: 'Unlink Google ada@gmail.example' }));
  const question = await screen.findByRole('dialog', { name: 'Unlink ada@gmail.example at Google?' });
  await user.click(within(question).getByRole('button', { name: 'Unlink' }));
  expect((await linked.findByRole('alert')).textContent).toBe('This is the only way into your account.');
  expect(api.calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

test('a delayed mail is mentioned without an alert', async () => {
  const trouble = { to: 'ada@example.org', state: 'delayed', writtenAt: at };
  open({ 'GET /api/account/mail-troubles': { body: { troubles: [trouble] } } });
  const signingIn = await panel('Sign-in methods');
  expect(await signingIn.findByText(/We couldn't deliver an email/)).toBeTruthy();
  expect(signingIn.queryByRole('alert')).toBeNull();
});

test('a bounced mail raises an alert that names the address', async () => {
  const trouble = { to: 'ada@example.org', state: 'bounced', writtenAt: at };
  open({ 'GET /api/account/mail-troubles': { body: { troubles: [trouble] } } });
  const signingIn = await panel('Sign-in methods');
  expect((await signingIn.findByRole('alert')).textContent).toBe(
    "Our last email to ada@example.org bounced: the mailbox doesn't exist. Check the address.",
  );
});

test('published feeds are listed without their addresses, and end one by one or with the sessions', async () => {
  const feed = { content: 'events', url: null, createdAt: at, lastReadAt: at, isCut: false };
  const { api, user } = open({
    'GET /api/account/profile': { body: { ...profile, role: 'user' } },
    'GET /api/published-feeds': { body: { available: true, feeds: [feed] } },
    'POST /auth/logout/everywhere': { body: { message: 'Logged out', ended: 1 } },
    'DELETE /api/published-feeds/events': { body: { available: true, feeds: [] } },
  });
  const feeds = await panel('Published feeds');
  expect((await feeds.findAllByRole('listitem')).map((row) => row.textContent)).toEqual(['All events 1m agoRevoke']);
  const sessions = await panel('Active sessions');
  await user.click(await sessions.findByRole('button', { name: 'Sign out everywhere else' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('checkbox', { name: 'Also revoke my published feeds' }));
  await user.click(dialog.getByRole('button', { name: 'Sign out everywhere else' }));
  await waitFor(() =>
    expect(api.calls.find(({ path }) => path === '/auth/logout/everywhere')?.body).toEqual({
      includingThis: false,
      end_keys: true,
    }),
  );
  await user.click(await feeds.findByRole('button', { name: 'Revoke All events' }));
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Published feeds' })).toBeNull());
});
