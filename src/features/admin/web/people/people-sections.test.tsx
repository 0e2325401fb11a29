import { useLocation } from '@tanstack/react-router';
import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { ConsolePage } from '../console-page.tsx';
import type { Entry, Person } from './people-queries.ts';

beforeAll(async () => {
  await startTranslations('en');
  // a section is fetched when it is opened: here they are there already
  await Promise.all([
    import('./users-section.tsx'),
    import('./audit-section.tsx'),
    ...['admin', 'adminUsers', 'audit'].map(loadWords),
  ]);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Shown() {
  return (
    <>
      <ConsolePage />
      <output aria-label="address">{useLocation({ select: ({ searchStr }) => decodeURIComponent(searchStr) })}</output>
    </>
  );
}

function show(at: string, routes: FakeRoutes) {
  const api = createFakeApi(routes);
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={Shown} at={at} />);
  return { api, user: userEvent.setup() };
}

const address = () => screen.getByRole('status', { name: 'address' }).textContent;
const asked = (api: ReturnType<typeof createFakeApi>, path: string) =>
  api.calls.filter((call) => call.path === path).map(({ query }) => query.toString());
const never = () => new Promise<never>(() => undefined);

const at = '2027-03-08T12:00:00Z';
const person = (change: Partial<Person> & { email: string; id: string }) => ({
  name: null,
  role: 'user',
  integrations: ['google'],
  plan: 'Pro',
  status: 'active',
  hasMfa: false,
  ...change,
  createdAt: at,
  lastActive: at,
});
const ada = person({ id: '01a1ff0c-92b0-7f07-90fc-286b50671922', email: 'ada@example.org', name: 'Ada' });
const bea = person({ id: '01a1ff0c-92b0-7f07-90fc-286b50671923', email: 'bea@example.org', status: 'unverified' });
const page = (change: object = {}) => ({
  body: { people: [ada, bea], total: 2, hasNewer: false, hasOlder: false, ...change },
});
const about = (one: ReturnType<typeof person>, change: object = {}) => ({
  body: { person: one, suspendedAt: null, sessions: 1, connections: [], audit: [], isYou: false, ...change },
});
const oneOf = (id: string) => `GET /api/admin/users/${id}`;
const exportOf = (id: string) => `GET /api/admin/users/${id}/export`;

test('the user list tells no plan from everything, which everybody has while billing is off', async () => {
  const rows = [
    { ...ada, plan: null },
    { ...bea, plan: '' },
  ];
  show('/admin/users', { 'GET /api/admin/users': page({ people: rows }) });
  const table = within(await screen.findByRole('table', { name: 'Users' }));
  const cellsOf = (email: string) =>
    [...(table.getByText(email).closest('tr')?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent);
  expect(cellsOf('ada@example.org')).toContain('Everything');
  expect(cellsOf('bea@example.org')).toContain('No plan');
});

test('the user list shows its loading, failed and empty state', async () => {
  show('/admin/users', { 'GET /api/admin/users': never });
  expect(await screen.findByRole('status', { name: 'Loading' })).toBeDefined();
  cleanup();

  const answers = [refusal(503, 'UNAVAILABLE', 'The database does not answer.'), page()];
  const { user } = show('/admin/users', { 'GET /api/admin/users': () => answers.shift() ?? page() });
  expect(await screen.findByText("Couldn't load the accounts")).toBeDefined();
  expect(screen.getByText('The database does not answer.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('table', { name: 'Users' })).toBeDefined();
  expect(screen.getByText('2 accounts')).toBeDefined();
  cleanup();

  show('/admin/users', { 'GET /api/admin/users': page({ people: [], total: 0 }) });
  expect(await screen.findByRole('heading', { name: 'No matches' })).toBeDefined();
});

test('an administrator without a second factor sees how to open users and audit log', async () => {
  for (const section of ['users', 'audit']) {
    show(`/admin/${section}`, { [`GET /api/admin/${section}`]: refusal(403, 'MFA_NEEDED', 'No.') });
    expect(await screen.findByText(/Set up multi-factor authentication/)).toBeDefined();
    expect(screen.queryByRole('search')).toBeNull();
    cleanup();
  }
});

test('user search and filters are kept in the URL, and a new search starts at the first page', async () => {
  const { api, user } = show(`/admin/users?search=ada&status=suspended&after=${bea.id}`, {
    'GET /api/admin/users': page({ hasNewer: true, hasOlder: true }),
  });
  const search = await screen.findByRole('searchbox', { name: 'Search by name or email' });
  expect(search).toHaveProperty('value', 'ada');
  expect(screen.getByRole('combobox', { name: 'Status' })).toHaveProperty('value', 'suspended');
  await screen.findByRole('table', { name: 'Users' });
  expect(asked(api, '/api/admin/users')).toEqual([`search=ada&status=suspended&after=${bea.id}`]);

  await user.click(screen.getByRole('button', { name: 'Older' }));
  await expect.poll(() => asked(api, '/api/admin/users').at(-1)).toContain(`after=${bea.id}`);
  await user.click(screen.getByRole('button', { name: 'Newer' }));
  await expect.poll(() => address()).toContain(`before=${ada.id}`);

  await user.clear(search);
  await user.type(search, 'bea');
  // a pause between clearing and typing puts the search behind the status
  const parameters = () => Object.fromEntries(new URLSearchParams(address()));
  await expect.poll(parameters).toEqual({ search: 'bea', status: 'suspended' });
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'All statuses');
  await expect.poll(() => asked(api, '/api/admin/users').at(-1)).toBe('search=bea');
  await user.clear(search);
  await expect.poll(() => address()).toBe('');
});

test('a user count beyond 10,000 is shown as more than 10000', async () => {
  show('/admin/users', { 'GET /api/admin/users': page({ total: 10_001 }) });
  expect(await screen.findByText('More than 10000 accounts')).toBeDefined();
});

test('suspending a user asks for a reason, and a refusal is shown in the dialog', async () => {
  const answers = [
    refusal(409, 'ONLY_ADMIN', 'They are the only administrator. Nothing was changed.'),
    { body: { person: { ...ada, status: 'suspended' } } },
  ];
  let status: Person['status'] = 'active';
  const { api, user } = show('/admin/users', {
    'GET /api/admin/users': page,
    [oneOf(ada.id)]: () => about({ ...ada, status }),
    [exportOf(ada.id)]: { body: { export: null } },
    [`POST /api/admin/users/${ada.id}/suspension`]: () => {
      const answer = answers.shift() ?? refusal(500, 'X', 'X');
      if (answer.status === undefined) status = 'suspended';
      return answer;
    },
  });
  await user.click(await screen.findByRole('button', { name: /^ada@example.org/ }));
  const panel = await screen.findByRole('dialog', { name: 'ada@example.org' });
  expect(address()).toBe(`?user=${ada.id}`);
  await user.click(await within(panel).findByRole('button', { name: 'Suspend' }));
  const question = await screen.findByRole('dialog', { name: 'Suspend ada@example.org?' });
  expect(within(question).getByText(/^They're signed out right away/)).toBeDefined();
  const confirm = within(question).getByRole('button', { name: 'Suspend' });
  expect(confirm).toHaveProperty('disabled', true);
  await user.type(within(question).getByRole('textbox'), 'sends  spam');
  await user.click(confirm);
  expect(await within(question).findByText(/^They are the only administrator/)).toBeDefined();
  await user.click(confirm);
  expect(await screen.findByText('Account suspended.')).toBeDefined();
  expect(await within(panel).findByRole('button', { name: 'Resume' })).toBeDefined();
  expect(api.calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { reason: 'sends spam' },
    { reason: 'sends spam' },
  ]);
});

test('the actions offered for a user depend on status and role, and none is offered for oneself', async () => {
  const actsOf = async (one: ReturnType<typeof person>, change: object = {}) => {
    show(`/admin/users?user=${one.id}`, {
      'GET /api/admin/users': page,
      [oneOf(one.id)]: about(one, change),
      [exportOf(one.id)]: { body: { export: null } },
    });
    const panel = await screen.findByRole('dialog', { name: one.email });
    await within(panel).findByRole('heading', { name: 'Audit log' });
    const acts = within(panel)
      .getAllByRole('button')
      .map((button) => button.textContent)
      .filter((text) => text !== '');
    const you = within(panel).queryByText(/^This is you/);
    cleanup();
    return you === null ? acts : 'you';
  };
  expect(await actsOf(ada)).toEqual(['Impersonate', 'Export data', 'Suspend', 'Delete account']);
  expect(await actsOf(bea)).toEqual(['Resend verification', 'Export data', 'Suspend', 'Delete account']);
  expect(await actsOf({ ...ada, status: 'suspended', hasMfa: true })).toEqual([
    'Reset MFA',
    'Export data',
    'Resume',
    'Delete account',
  ]);
  expect(await actsOf({ ...ada, role: 'admin' })).toEqual(['Export data', 'Suspend', 'Delete account']);
  expect(await actsOf({ ...ada, status: 'leaving' })).toEqual([]);
  expect(await actsOf(ada, { isYou: true })).toBe('you');
});

test('an account is deleted only with its typed address, and its panel closes', async () => {
  const { api, user } = show(`/admin/users?user=${ada.id}`, {
    'GET /api/admin/users': page,
    [oneOf(ada.id)]: about(ada),
    [exportOf(ada.id)]: { body: { export: null } },
    [`POST /api/admin/users/${ada.id}/deletion`]: { status: 202, body: { message: 'It is being deleted.' } },
  });
  const panel = await screen.findByRole('dialog', { name: 'ada@example.org' });
  await user.click(await within(panel).findByRole('button', { name: 'Delete account' }));
  const question = await screen.findByRole('dialog', { name: 'Delete ada@example.org?' });
  expect(within(question).getByText(/You can't undo this/)).toBeDefined();
  await user.type(within(question).getByRole('textbox', { name: /^Type ada@example.org/ }), 'ada@example.org');
  await user.type(within(question).getByRole('textbox', { name: /^Reason/ }), 'asked by mail');
  await user.click(within(question).getByRole('button', { name: 'Delete account' }));
  expect(await screen.findByText('Deleting the account.')).toBeDefined();
  await expect.poll(() => address()).toBe('');
  expect(api.calls.find(({ method }) => method !== 'GET')?.body).toEqual({
    reason: 'asked by mail',
    email: 'ada@example.org',
  });
});

const entry = (id: number, change: Partial<Record<keyof Entry, unknown>> = {}) => ({
  id,
  timestamp: at,
  actor: 'boss@example.org',
  actorId: null,
  actorType: 'Admin',
  actionType: 'user_suspension',
  subject: { kind: 'user', id: ada.id, email: 'ada@example.org' },
  reason: `reason ${id}`,
  details: { days: 7 },
  requestId: `request-${id}`,
  hash: '0123456789abcdef',
  ...change,
});

test('the audit log shows its loading, failed, empty and unmatched state, and older entries on demand', async () => {
  show('/admin/audit', { 'GET /api/admin/audit': never });
  expect(await screen.findByRole('status', { name: 'Loading' })).toBeDefined();
  cleanup();

  show('/admin/audit', { 'GET /api/admin/audit': refusal(503, 'UNAVAILABLE', 'Not now.') });
  expect(await screen.findByText("Couldn't load the audit log")).toBeDefined();
  cleanup();

  show('/admin/audit', { 'GET /api/admin/audit': { body: { entries: [], next: null } } });
  expect(await screen.findByRole('heading', { name: 'No entries yet' })).toBeDefined();
  cleanup();

  show('/admin/audit?text=spam', { 'GET /api/admin/audit': { body: { entries: [], next: null } } });
  expect(await screen.findByRole('heading', { name: 'No matches' })).toBeDefined();
  cleanup();

  const { api, user } = show('/admin/audit', {
    'GET /api/admin/audit': ({ query }) => ({
      body: query.has('before')
        ? { entries: [entry(1, { actor: null, actorType: 'System', subject: null, reason: null })], next: null }
        : {
            entries: [entry(3), entry(2, { actor: null, subject: { kind: 'user', id: ada.id, email: null } })],
            next: 2,
          },
    }),
  });
  expect(await screen.findByText('boss@example.org → ada@example.org')).toBeDefined();
  expect(screen.getByText('Deleted account → Deleted account')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show older entries' }));
  expect(await screen.findByText('System', { selector: 'p' })).toBeDefined();
  expect(asked(api, '/api/admin/audit')).toEqual(['', 'before=2']);
  expect(screen.queryByRole('button', { name: 'Show older entries' })).toBeNull();
});

test('audit log filters are kept in the URL and used for exports, and invalid filters are ignored', async () => {
  const { api, user } = show('/admin/audit?action=nonsense&actorType=System&from=2027-02-31&text=ab&to=2027-03-07', {
    'GET /api/admin/audit': { body: { entries: [entry(1)], next: null } },
  });
  await screen.findByText('reason 1');
  const [first] = asked(api, '/api/admin/audit');
  expect(first).toMatch(/^actorType=System&to=2027-03-0[78]T/);
  await user.clear(screen.getByLabelText('To'));
  await user.type(screen.getByRole('searchbox', { name: /^Words in the reason or details/ }), 'c 12');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Action' }), 'Account suspended');
  await expect
    .poll(() => asked(api, '/api/admin/audit').at(-1))
    .toBe('actorType=System&action=user_suspension&text=abc+12');
  expect(address()).toContain('text=abc+12');
  await user.click(screen.getByRole('button', { name: 'Export' }));
  const file = await screen.findByRole('menuitem', { name: 'As CSV', hidden: true });
  expect(file.getAttribute('href')).toBe(
    '/api/admin/audit/export.csv?actorType=System&action=user_suspension&text=abc+12',
  );
});

test('the audit log verification shows the newest hash or the first broken entry', async () => {
  const verdicts = [
    { entries: 2, head: { position: 2, hash: '0123456789abcdef01' }, broken: null },
    { entries: 1, head: null, broken: { position: 2, kind: 'missing' } },
  ];
  const { user } = show('/admin/audit', {
    'GET /api/admin/audit': { body: { entries: [entry(1)], next: null } },
    'POST /api/admin/audit/verification': () => ({ body: verdicts.shift() }),
  });
  const verify = await screen.findByRole('button', { name: 'Verify chain' });
  await user.click(verify);
  expect(await screen.findByText(/The newest hash starts with 0123456789abcdef\./)).toBeDefined();
  await user.click(verify);
  expect(await screen.findByText('Entry 2 is missing. 1 entry before it is intact.')).toBeDefined();
});
