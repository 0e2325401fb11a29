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
const home = crypto.randomUUID();
const work = crypto.randomUUID();

const calendar = (calendarId: string, name: string) => ({
  calendarId,
  accountId,
  name,
  color: '#4285f4',
  isPrimary: false,
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
};

const diff = { create: 12, update: 3, delete: 1, unchanged: 7, examples: [] };

function show(groups: Group[], routes: FakeRoutes = {}, hash = '') {
  const api = createFakeApi({
    'GET /api/mirror-groups': { body: { groups } },
    'GET /integrations/accounts': { body: { accounts: [sampleAccount({ accountId })] } },
    'GET /integrations/calendars': { body: { calendars: [calendar(home, 'Home'), calendar(work, 'Work')] } },
    'POST /api/mirror-groups/preview': { body: { diff } },
    ...routes,
  });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={MirrorsPage} at={`/integrations/mirrors${hash}`} />);
  return { api, user: userEvent.setup() };
}

test('the mirror matrix shows for each pair whether it is mirrored and by which rule', async () => {
  show([group]);
  const off = await screen.findByRole('button', { name: /Home to Work/ });
  expect(off.textContent).toContain('Off');
  expect(screen.getByRole('button', { name: /Work to Home/ }).textContent).toContain('OnDefault rule');
});

test('a changed rule is previewed before it is saved, and saved against the edited revision', async () => {
  const path = `/api/mirror-groups/${group.groupId}`;
  const { api, user } = show([group], { [`PUT ${path}`]: { body: { group: { ...group, revision: 5 } } } });
  await user.selectOptions(await screen.findByLabelText('Block shows'), 'Title');
  await user.click(screen.getByRole('button', { name: 'Review changes' }));
  const dialog = await screen.findByRole('dialog', { name: 'Review changes' });
  expect(await within(dialog).findByText('12 to add, 3 to change, 1 to remove')).toBeTruthy();
  const preview = api.calls.find((call) => call.path === '/api/mirror-groups/preview');
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

test('the review names each event, and says which has no title', async () => {
  const example = { action: 'create', startsAt: '2027-03-02T14:00:00Z', targetCalendarId: work } as const;
  const examples = [
    { ...example, title: 'Standup' },
    { ...example, title: ' ' },
  ];
  const { user } = show([group], { 'POST /api/mirror-groups/preview': { body: { diff: { ...diff, examples } } } });
  await user.selectOptions(await screen.findByLabelText('Block shows'), 'Title');
  await user.click(screen.getByRole('button', { name: 'Review changes' }));
  const items = await within(await screen.findByRole('dialog')).findAllByRole('listitem');
  expect(items[0]?.textContent).toMatch(/Standup/);
  expect(items[1]?.textContent).toMatch(/\(No title\)/);
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
  await user.click(await screen.findByRole('button', { name: /Work to Home/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Work to Home' });
  await user.selectOptions(within(dialog).getByLabelText('All-day events'), "Don't mirror");
  await user.click(within(dialog).getByRole('button', { name: 'Apply' }));
  const pair = screen.getByRole('button', { name: /Work to Home/ });
  await waitFor(() => expect(pair.textContent).toContain('1 difference'));
  await user.click(pair);
  await user.click(await screen.findByRole('button', { name: 'Use the default rule' }));
  await user.click(screen.getByRole('button', { name: 'Apply' }));
  await waitFor(() => expect(pair.textContent).toContain('Default rule'));
  expect(screen.queryByText('Unsaved changes')).toBeNull();
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

test('the first group starts with every calendar and writes nothing before the review', async () => {
  const { api, user } = show([]);
  await user.click(await screen.findByRole('button', { name: 'Set up mirroring' }));
  expect(
    screen.getAllByRole<HTMLInputElement>('checkbox', { name: /^(Copy from|Block in)/ }).map((box) => box.checked),
  ).toEqual([true, true, true, true]);
  expect(api.calls.every((call) => call.method === 'GET')).toBe(true);
});
