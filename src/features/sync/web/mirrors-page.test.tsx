import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { defaultMirrorRule } from '#features/sync/rules/mirror-rule.ts';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { sampleAccount } from '#web/sample-account.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { MirrorsPage } from './mirrors-page.tsx';
import type { Group } from './queries.ts';

beforeAll(async () => {
  await startTranslations('en');
  await loadWords('sync');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const accountId = crypto.randomUUID();
const workAccountId = crypto.randomUUID();
const home = crypto.randomUUID();
const work = crypto.randomUUID();

const calendar = (calendarId: string, name: string, account = accountId) => ({
  calendarId,
  accountId: account,
  name,
  color: '#4285f4',
  isPrimary: true,
  includeInUnified: true,
  visible: true,
  writable: true,
  removed: false,
  leavesAt: null,
  left: false,
  conferences: null,
  lastSyncedAt: null,
  error: null,
});

const group: Group = {
  groupId: crypto.randomUUID(),
  name: 'All calendars',
  enabled: true,
  revision: 4,
  rule: {},
  effectiveRule: defaultMirrorRule,
  members: [home, work].map((calendarId) => ({ calendarId, isSource: true, isTarget: true })),
  pairs: [{ sourceCalendarId: home, targetCalendarId: work, enabled: false, rule: {} }],
  breakers: [],
  counts: { total: 10, created: 10, pending: 0, failed: 0, skipped: 0 },
  blocks: [{ sourceCalendarId: work, targetCalendarId: home, count: 10 }],
};

const diff = { create: 12, update: 3, delete: 1, unchanged: 7, targets: [], pairs: [] };
const row = {
  action: 'create',
  sourceCalendarId: work,
  origin: 'Standup',
  writes: 'Busy',
  details: false,
  away: false,
  startsAt: '2027-03-02T14:00:00Z',
  endsAt: '2027-03-02T14:30:00Z',
  allDay: false,
  series: null,
  blocks: 1,
} as const;
const rowOf = (more: object) => ({ ...row, itemId: crypto.randomUUID(), ...more });

function show(groups: Group[], routes: FakeRoutes = {}, hash = '') {
  const api = createFakeApi({
    'GET /api/mirror-groups': { body: { groups } },
    'GET /integrations/accounts': {
      body: {
        accounts: [
          sampleAccount({ accountId, email: 'ada@home.example' }),
          sampleAccount({ accountId: workAccountId, email: 'ada@work.example' }),
        ],
      },
    },
    'GET /integrations/calendars': {
      body: { calendars: [calendar(home, 'Home'), calendar(work, 'Work', workAccountId)] },
    },
    'POST /api/mirror-groups/preview': { body: { diff } },
    ...routes,
  });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={MirrorsPage} at={`/integrations/mirrors${hash}`} />);
  return { api, user: userEvent.setup() };
}

test('each pair is a sentence with its switch, its look and its blocks', async () => {
  const { user } = show([group]);
  const on = await screen.findByRole('switch', { name: 'Mirror Work to Home' });
  const item = on.closest('li') as HTMLElement;
  expect(item.textContent).toMatch(/^Time in Work blocks Home/);
  expect(item.textContent).toContain('10 blocks');
  expect(within(item).getByLabelText<HTMLSelectElement>('Details from Work shown in Home').value).toBe('busy');
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Mirror Home to Work' }).checked).toBe(false);
  await user.selectOptions(within(item).getByLabelText('Details from Work shown in Home'), 'Title');
  expect((await screen.findByRole('button', { name: /, Work to Home/ })).textContent).toContain('Title');
});

test('a calendar that nothing blocks is named, and one click proposes its blocks', async () => {
  const { user } = show([group]);
  expect(await screen.findByText('Nothing blocks Work')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Block it too Work' }));
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Mirror Home to Work' }).checked).toBe(true);
  expect(screen.queryByText('Nothing blocks Work')).toBeNull();
});

test('a title that is to be shown is written, and not the word Busy', async () => {
  const { api, user } = show([group]);
  await user.selectOptions(await screen.findByLabelText('Details from Work shown in Home'), 'Title');
  await waitFor(() =>
    expect(api.calls.findLast((call) => call.path === '/api/mirror-groups/preview')?.body).toMatchObject({
      pairs: expect.arrayContaining([
        {
          sourceCalendarId: work,
          targetCalendarId: home,
          enabled: true,
          rule: { privacy: 'title', titleTemplate: '{title}' },
        },
      ]),
    }),
  );
});

test('the mirror matrix shows for each pair whether it is mirrored and by which rule', async () => {
  show([group]);
  const off = await screen.findByRole('button', { name: /, Home to Work/ });
  expect(off.textContent).toContain('Off');
  expect(screen.getByRole('button', { name: /, Work to Home/ }).textContent).toContain('BusyDefault rule');
});

test('a changed rule is previewed before it is saved, and saved against the edited revision', async () => {
  const path = `/api/mirror-groups/${group.groupId}`;
  const { api, user } = show([group], { [`PUT ${path}`]: { body: { group: { ...group, revision: 5 } } } });
  await user.selectOptions(await screen.findByLabelText('Block shows'), 'Title');
  await user.click(screen.getByRole('button', { name: 'Review changes' }));
  const dialog = await screen.findByRole('dialog', { name: 'Review changes' });
  expect(await within(dialog).findByText(/12 blocks are added, 3 changed, and 1 removed\.$/)).toBeTruthy();
  const preview = api.calls.findLast((call) => call.path === '/api/mirror-groups/preview');
  expect(preview?.body).toMatchObject({ groupId: group.groupId, rule: { privacy: 'title' } });
  expect(api.calls.some((call) => call.method === 'PUT')).toBe(false);

  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Mirrors saved')).toBeTruthy();
  expect(api.calls.find((call) => call.method === 'PUT')?.body).toMatchObject({
    revision: 4,
    rule: { privacy: 'title' },
    pairs: group.pairs,
  });
});

test('the review has a group per calendar with dates, the words to be written, and how many more there are', async () => {
  const console = vi.spyOn(globalThis.console, 'error');
  const rows = [
    rowOf({
      series: {
        rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH',
        start: '2027-02-16T15:00:00',
        zone: 'Europe/Berlin',
        since: '2027-02-16T14:00:00Z',
        changed: 1,
        excluded: 2,
      },
    }),
    // twice the same to see: no row is lost
    rowOf({ origin: ' ', startsAt: '2027-03-03T14:00:00Z' }),
    rowOf({ origin: ' ', startsAt: '2027-03-03T14:00:00Z' }),
    rowOf({ blocks: 26 }),
    rowOf({ writes: 'Standup', details: true }),
    rowOf({ origin: 'Late', startsAt: '2031-02-15T14:00:00Z', endsAt: '2031-02-15T14:30:00Z' }),
  ];
  const targets = [
    { calendarId: home, create: 40, update: 0, delete: 0, rowCount: 31, rows },
    {
      calendarId: work,
      create: 2,
      update: 0,
      delete: 0,
      rowCount: 1,
      rows: [rowOf({ sourceCalendarId: home, blocks: 2 })],
    },
  ];
  const added = { create: 42, update: 0, delete: 0, unchanged: 7, targets, pairs: [] };
  const { user } = show([group], { 'POST /api/mirror-groups/preview': { body: { diff: added } } });
  await user.selectOptions(await screen.findByLabelText('Block shows'), 'Title');
  expect(await screen.findByText('1 pair · 42 blocks to add')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Review changes' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect((await dialog.findByRole('status')).textContent).toBe(
    '42 blocks will be added to 2 calendars. Nothing is changed or deleted.',
  );
  const ofHome = within(dialog.getByRole('region', { name: 'Home' }));
  const items = ofHome.getAllByRole('listitem').map((item) => item.textContent ?? '');
  expect(items).toHaveLength(4);
  expect(items[0]).toMatch(/Mar 2|2027-03-02/);
  expect(items[0]).toMatch(
    /2:00.*2:30.*Every 2 weeks on Tuesday and Thursday · with its past dates since .* · without 2 of these dates · 1 changed date included.*Busy.*from Standup$/,
  );
  expect(items[1]).toMatch(/from \(No title\)$/);
  expect(items[3]).toMatch(/26 dates/);
  // The words of an event come after "from" only.
  for (const item of items) expect(item.replace(/from .*/, '')).not.toMatch(/Standup|Late/);
  await user.click(ofHome.getByRole('button', { name: 'and 27 more' }));
  expect(ofHome.getAllByRole('listitem')).toHaveLength(6);
  expect(ofHome.getByText('and 25 more')).toBeTruthy();
  // the same form as the other rows, with the year
  expect(ofHome.getAllByRole('listitem')[5]?.textContent).toMatch(/^Sat, Feb 15, 2031/);
  expect(ofHome.getAllByRole('listitem')[4]?.textContent).toMatch(/Standup.*with place and description/);
  expect(dialog.getByRole('button', { name: 'Add 42 blocks' })).toBeTruthy();
  expect(console.mock.calls.filter(([text]) => String(text).includes('same key'))).toEqual([]);
});

test('a refused save of a mirror group keeps the changes and says why', async () => {
  const path = `/api/mirror-groups/${group.groupId}`;
  const { user } = show([group], { [`PUT ${path}`]: refusal(409, 'STALE', 'Somebody else changed this group.') });
  await user.selectOptions(await screen.findByLabelText('Block shows'), 'Title');
  await user.click(screen.getByRole('button', { name: 'Review changes' }));
  await user.click(await screen.findByRole('button', { name: 'Save' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Somebody else changed this group.');
  await user.click(screen.getByRole('button', { name: 'Back' }));
  expect(screen.getByLabelText<HTMLSelectElement>('Block shows').value).toBe('title');
});

test('a pair gets a rule of its own, and can return to the default rule', async () => {
  const { user } = show([group]);
  await user.click(await screen.findByRole('button', { name: /, Work to Home/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Work to Home' });
  await user.selectOptions(within(dialog).getByLabelText('All-day events'), "Don't mirror");
  await user.click(within(dialog).getByRole('button', { name: 'Apply' }));
  const pair = screen.getByRole('button', { name: /, Work to Home/ });
  await waitFor(() => expect(pair.textContent).toContain('1 difference'));
  await user.click(pair);
  await user.click(await screen.findByRole('button', { name: 'Use the default rule' }));
  await user.click(screen.getByRole('button', { name: 'Apply' }));
  await waitFor(() => expect(pair.textContent).toContain('Default rule'));
  expect(screen.queryByRole('button', { name: 'Review changes' })).toBeNull();
});

test('held-back deletions ask whether to delete or keep the mirrors', async () => {
  const breaker = {
    sourceCalendarId: work,
    targetCalendarId: home,
    state: 'open' as const,
    deletes: 42,
    since: new Date().toISOString(),
    examples: ['Standup'],
  };
  const path = `/api/mirror-groups/${group.groupId}/breaker`;
  const { api, user } = show([{ ...group, breakers: [breaker] }], { [`POST ${path}`]: { body: { group } } });
  expect(await screen.findByText('Delete 42 blocks from Work in Home?')).toBeTruthy();
  expect(screen.getByText('Standup')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Delete 42 blocks' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Keep blocks' }));
  await waitFor(() =>
    expect(api.calls.find((call) => call.path === path)?.body).toEqual({
      sourceCalendarId: work,
      targetCalendarId: home,
      answer: 'keep',
    }),
  );
});

test('an initial sync shows its progress', async () => {
  show([{ ...group, counts: { total: 400, created: 100, pending: 300, failed: 0, skipped: 0 } }]);
  const bar = await screen.findByRole('progressbar', { name: 'Blocks added' });
  expect(bar.getAttribute('aria-valuenow')).toBe('100');
  expect(screen.getByText('100 of 400 blocks added')).toBeTruthy();
});

test('the #new link opens the draft of the first group, and no draft when there is a group', async () => {
  show([], {}, '#new');
  expect(await screen.findByRole('button', { name: 'Review changes' })).toBeTruthy();
  cleanup();
  show([group], {}, '#new');
  await screen.findByText(group.name);
  expect(screen.queryByRole('button', { name: 'Review changes' })).toBeNull();
});

test('the first group joins the main calendars of two accounts, and writes nothing before the review', async () => {
  const family = { ...calendar(crypto.randomUUID(), 'Family'), isPrimary: false };
  const holidays = { ...calendar(crypto.randomUUID(), 'Holidays'), isPrimary: false, writable: false };
  const calendars = [calendar(home, 'Home'), family, holidays, calendar(work, 'Work', workAccountId)];
  const { api, user } = show([], { 'GET /integrations/calendars': { body: { calendars } } });
  const switches = await screen.findAllByRole('switch', { name: /^Mirror / });
  expect(switches.map((one) => one.getAttribute('aria-label'))).toEqual(['Mirror Home to Work', 'Mirror Work to Home']);
  expect(screen.getByText(/^ada@home\.example · Read-only/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Mirror Family' }));
  expect(screen.getAllByRole('switch', { name: /^Mirror / }).map((one) => one.getAttribute('aria-label'))).toEqual([
    'Mirror Home to Work',
    'Mirror Work to Home',
    'Mirror Family to Work',
  ]);
  expect(api.calls.filter(({ method, path }) => method !== 'GET' && path !== '/api/mirror-groups/preview')).toEqual([]);
});

test('the #review link opens the review of the first group over its draft', async () => {
  const { user } = show([], {}, '#review');
  expect(await screen.findByRole('dialog', { name: 'Review changes' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Back' }));
  expect(screen.getByRole('switch', { name: 'Mirror Home to Work' })).toBeTruthy();
});

test('with one account nothing is proposed, and the way to a second one is offered', async () => {
  const calendars = [calendar(home, 'Home')];
  show([], { 'GET /integrations/calendars': { body: { calendars } } }, '#review');
  expect((await screen.findByRole('link', { name: 'Connect an account' })).getAttribute('href')).toBe(
    '/integrations#connect',
  );
});
