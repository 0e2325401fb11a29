import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createFakeApi, type FakeRoutes, refusal } from '#web/fake-api.ts';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { FormEditor } from './editor/form-editor.tsx';
import type { Definition, Form } from './queries.ts';
import { RoutingPage } from './routing-page.tsx';

beforeAll(async () => {
  await startTranslations('en');
  await Promise.all([loadWords('routing'), loadWords('embed')]);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const [formId, teamId, typeId] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];

const form = {
  id: formId as Form['id'],
  team_id: null,
  name: 'Contact us',
  description: 'From the front page',
  type: 'conditional' as const,
  active: true,
  slug: 'contact-us',
  url: 'https://cal.example.org/ada/forms/contact-us',
  revision: 3,
  rules: 2,
  submissions: 4,
  may_change: true,
  may_see_answers: true,
};
const listed = { ...form, updated_at: '2027-03-01T09:00:00Z' };

const definition: Definition = {
  type: 'conditional',
  title: 'Contact us',
  intro: '',
  questions: [
    {
      id: 'topic',
      label: 'Topic',
      kind: 'select',
      required: true,
      options: [
        { id: 'sales', label: 'Sales' },
        { id: 'help', label: 'Help' },
      ],
    },
  ],
  rules: ['one', 'two'].map((id) => ({
    id,
    name: `Rule ${id}`,
    match: 'all',
    conditions: [{ question: 'topic', op: 'is', values: ['sales'] }],
    action: { kind: 'message', text: 'Hello' },
  })),
  fallback: { kind: 'message', text: 'Thank you' },
  frames: [],
};

function show(Screen: () => React.ReactNode, routes: FakeRoutes, at = '/routing') {
  const api = createFakeApi({
    'GET /api/routing/forms': { body: { forms: [], teams: [] } },
    'GET /api/routing/targets': { body: { targets: [], people: [{ user_id: crypto.randomUUID(), name: 'Ada' }] } },
    ...routes,
  });
  vi.stubGlobal('fetch', api.fetch);
  vi.stubGlobal('scrollTo', () => undefined);
  render(<ScreenFrame screen={Screen} at={at} />);
  return { api, user: userEvent.setup() };
}

test('a routing rule is created in two steps, and Cancel discards the choice', async () => {
  const { user, api } = show(RoutingPage, {
    'POST /api/routing/forms': refusal(409, 'TOO_MANY', 'There are 100 rules.'),
  });
  await user.click(await screen.findByRole('button', { name: '+ New Routing Rule' }));
  const dialog = async () => screen.findByRole('dialog', { name: 'Create Routing Rule' });
  await user.click(within(await dialog()).getByRole('radio', { name: /Conditional Routing/ }));
  await user.type(within(await dialog()).getByLabelText(/Rule Name/), 'Sales');
  await user.click(within(await dialog()).getByRole('button', { name: 'Cancel' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  await user.click(screen.getByRole('button', { name: '+ New Routing Rule' }));
  expect(within(await dialog()).queryByRole('button', { name: 'Create Rule' })).toBeNull();
  await user.click(within(await dialog()).getByRole('radio', { name: /Round Robin/ }));
  expect(within(await dialog()).getByText(/This type assigns meetings to a team/)).toBeDefined();
  await user.click(within(await dialog()).getByRole('radio', { name: /Conditional Routing/ }));
  await user.type(within(await dialog()).getByLabelText(/Rule Name/), 'Sales');
  await user.click(within(await dialog()).getByRole('button', { name: 'Create Rule' }));
  expect(await within(await dialog()).findByText('There are 100 rules.')).toBeDefined();
  expect(api.calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
    name: 'Sales',
    active: false,
    definition: { type: 'conditional', title: 'Sales', fallback: { kind: 'message' }, rules: [] },
  });
});

test('the routing list filters by team and hides the switch from users who may not change', async () => {
  const theirs = { ...listed, id: crypto.randomUUID(), team_id: teamId, name: 'Of the team', may_change: false };
  const { user } = show(RoutingPage, {
    'GET /api/routing/forms': {
      body: { forms: [listed, theirs], teams: [{ team_id: teamId, name: 'Blue', may_change: false }] },
    },
  });
  await screen.findByRole('link', { name: 'Contact us' });
  expect(screen.getByRole('switch', { name: 'Contact us is active' })).toBeDefined();
  await user.selectOptions(screen.getByLabelText('Owner'), 'Blue');
  expect(await screen.findByRole('link', { name: 'Of the team' })).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Contact us' })).toBeNull();
  expect(screen.queryByRole('switch')).toBeNull();
});

test('a refused rule shows its error and keeps it when moved, and a stale form can be reloaded', async () => {
  const refusals = [
    refusal(400, 'INVALID', 'Nothing was saved.', { 'definition.rules.1': 'The rules before it take all.' }),
    refusal(409, 'STALE', 'Changed elsewhere meanwhile.'),
  ];
  const reloads = vi.fn();
  const { user, api } = show(
    () => <FormEditor form={{ ...form, updated_at: 0 }} definition={definition} onReload={reloads} />,
    { [`PUT /api/routing/forms/${formId}`]: () => refusals.shift() ?? { status: 500 } },
  );
  await user.type(await screen.findByLabelText('Introduction'), 'Hello');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const second = () => screen.getByRole('group', { name: 'Rule two' });
  expect(await within(second()).findByText('The rules before it take all.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Move up: Rule two' }));
  expect(screen.getAllByRole('group', { name: /^Rule (one|two)$/ })[0]).toBe(second());
  expect(within(second()).getByText('The rules before it take all.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await user.click(await screen.findByRole('button', { name: 'Reload' }));
  expect(reloads).toHaveBeenCalledOnce();
  const [, last] = api.calls.filter(({ method }) => method === 'PUT');
  expect(last?.body).toMatchObject({
    revision: 3,
    definition: { intro: 'Hello', rules: [{ id: 'two' }, { id: 'one' }] },
  });
});

test('a test of the routing draft shows the decision with its reasons', async () => {
  const { user, api } = show(
    () => <FormEditor form={{ ...form, updated_at: 0 }} definition={definition} onReload={vi.fn()} />,
    {
      'POST /api/routing/test': {
        body: {
          wrong: {},
          decision: {
            rule_id: null,
            action: { kind: 'event-type', event_type_id: typeId, user_ids: null, contact_owner_first: false },
            reasons: [{ rule_id: 'one', fits: false, held: [false] }],
            trouble: 'type-gone',
            next: [],
          },
        },
      },
    },
  );
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Topic' }), 'Help');
  await user.click(screen.getByRole('button', { name: 'Run test' }));
  const decision = await screen.findByRole('region', { name: 'Decision' });
  expect(within(decision).getByText('No rule matches. The fallback applies.')).toBeDefined();
  expect(within(decision).getByText('Topic is Sales')).toBeDefined();
  expect(within(decision).getByText(/This event type was deleted/)).toBeDefined();
  expect(api.calls.find(({ method }) => method === 'POST')?.body).toEqual({ definition, answers: { topic: 'help' } });
});
