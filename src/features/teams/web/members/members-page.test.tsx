import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import type { TeamRole } from '../../rules.ts';
import type { TeamList, WholeTeam } from '../queries.ts';
import { MembersPage } from './members-page.tsx';

beforeAll(async () => {
  await startTranslations('en');
  await Promise.all([loadWords('teams'), loadWords('booking')]);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const [teamId, ownId, mateId] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];

function wholeTeam(role: TeamRole): unknown {
  const member = (user_id: string, name: string, as: TeamRole) => ({
    user_id,
    name,
    email: `${name}@example.org`,
    avatar_url: null,
    zone: 'UTC',
    role: as,
    shares: 'busy',
    joined_at: '2027-03-01T09:00:00Z',
  });
  return {
    team: { id: teamId, name: 'Sales', about: '', logo_url: null, role, shares: 'busy' },
    members: [member(mateId, 'mia', role === 'owner' ? 'viewer' : 'owner'), member(ownId, 'ada', role)],
    invitations: [],
    transfer: null,
  } satisfies Record<keyof WholeTeam, unknown>;
}

function show(list: Partial<Record<keyof TeamList, unknown>>, routes: FakeRoutes = {}) {
  const api = createFakeApi({
    'GET /api/teams': { body: { may_create: true, teams: [], invitations: [], deleted: [], ...list } },
    ...routes,
  });
  vi.stubGlobal('fetch', api.fetch);
  render(<ScreenFrame screen={MembersPage} at="/team" />);
  return { api, user: userEvent.setup() };
}
const inTeam = (role: TeamRole) => {
  const whole = wholeTeam(role) as { team: unknown };
  return { list: { teams: [whole.team] }, routes: { [`GET /api/teams/${teamId}`]: { body: whole } } };
};

test('a plan without teams says so and offers no new team', async () => {
  show({ may_create: false });
  expect(await screen.findByText("Your plan doesn't include teams")).toBeDefined();
  expect(screen.queryByRole('button', { name: 'New team' })).toBeNull();
});

test('a team list that fails to load offers a retry', async () => {
  show({}, { 'GET /api/teams': refusal(503, 'UNAVAILABLE', 'Cannot be served for the moment.') });
  expect(await screen.findByText('Cannot be served for the moment.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});

test('a viewer sees the team members and no controls to change them', async () => {
  const { list, routes } = inTeam('viewer');
  show(list, routes);
  expect(await screen.findByText('2 members')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Invite' })).toBeNull();
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(screen.queryByRole('link', { name: 'Activity' })).toBeNull();
});

test('a refused team invitation shows its reason in the dialog', async () => {
  const { list, routes } = inTeam('owner');
  const refused = refusal(409, 'ALREADY_MEMBER', 'A team member already uses this address.');
  const { user, api } = show(list, { ...routes, [`POST /api/teams/${teamId}/invitations`]: refused });
  await user.click(await screen.findByRole('button', { name: 'Invite' }));
  const dialog = await screen.findByRole('dialog', { name: 'Invite a member' });
  await user.type(within(dialog).getByLabelText(/Email address/), 'mia@example.org');
  await user.click(within(dialog).getByRole('radio', { name: /Viewer/ }));
  await user.click(within(dialog).getByRole('button', { name: 'Send invitation' }));
  expect(await within(dialog).findByText('A team member already uses this address.')).toBeDefined();
  expect(api.calls.find(({ method }) => method === 'POST')?.body).toEqual({ email: 'mia@example.org', role: 'viewer' });
});

test('upcoming bookings of a removed member are handed over before the removal', async () => {
  const { list, routes } = inTeam('owner');
  const { user, api } = show(list, {
    ...routes,
    [`GET /api/teams/${teamId}/members/${mateId}/to-come`]: { body: { to_come: 2 } },
    [`POST /api/teams/${teamId}/hand-over`]: { body: { given: 2, left: 0 } },
    [`DELETE /api/teams/${teamId}/members/${mateId}`]: { status: 204 },
  });
  await user.click(await screen.findByRole('button', { name: 'Remove mia' }));
  const dialog = await screen.findByRole('dialog', { name: 'Remove mia from Sales?' });
  await user.selectOptions(await within(dialog).findByLabelText('Reassign to'), 'ada');
  await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('mia is no longer in Sales')).toBeDefined();
  expect(api.calls.filter(({ method }) => method !== 'GET').map(({ method, body }) => [method, body])).toEqual([
    ['POST', { from: mateId, to: ownId }],
    ['DELETE', undefined],
  ]);
});
