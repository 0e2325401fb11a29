import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { availabilityContract } from '../src/features/availability/contract.ts';
import { defaultHours } from '../src/features/availability/rules/hours.ts';
import { bookingContract } from '../src/features/booking/contract.ts';
import { routingContract } from '../src/features/routing/contract.ts';
import { teamsContract } from '../src/features/teams/contract.ts';
import { workflowsContract } from '../src/features/workflows/contract.ts';
import { insertBookable } from './harness/bookable.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';
import { signUpUser, type TestUser } from './harness/test-client.ts';

/** A change that changes nothing makes no version, plans nothing, and is told to nobody. */

let server: TestApp;
let anna: TestUser;
beforeAll(async () => {
  server = await startTestApp();
  anna = await signUpUser(server, 'anna@example.org');
});
afterAll(() => server.close());

test('hours that are saved unchanged make no new version, and a restored present version none either', async () => {
  const api = anna.as(availabilityContract);
  const hours = defaultHours('Europe/Berlin');
  const made = await api.createPolicy({ body: { name: 'Office', hours, note: 'First', apply: true } });
  const policyId = made.policies[0]?.policy_id as never;
  const count = async () => (await api.listVersions({ params: { policyId } })).versions.length;
  expect(await count()).toBe(1);
  const saved = await api.savePolicy({ params: { policyId }, body: { version: 1, name: 'Office', hours, note: '' } });
  expect(saved.policies[0]?.version).toBe(1);
  await api.rollBackPolicy({ params: { policyId }, body: { version: 1, to: 1 } });
  expect(await count()).toBe(1);
  // the version that was seen still has to be the newest
  const stale = api.savePolicy({ params: { policyId }, body: { version: 2, name: 'Office', hours, note: '' } });
  await expect(stale).rejects.toMatchObject({ code: 'STALE' });
  await api.savePolicy({ params: { policyId }, body: { version: 1, name: 'Work', hours, note: '' } });
  const changed = { ...hours, timezone: 'Europe/Paris' };
  await api.savePolicy({ params: { policyId }, body: { version: 2, name: 'Work', hours: changed, note: '' } });
  expect(await count()).toBe(3);
});

test('an event type that is saved or switched unchanged keeps its version', async () => {
  const { typeId } = await insertBookable(server, anna, 'intro');
  const api = anna.as(bookingContract);
  const params = { id: typeId };
  const { version, title, slug, description, hidden, secret, settings } = (await api.readEventType({ params }))
    .event_type;
  const body = { version, title, slug, description, hidden, secret, settings };
  await api.changeEventType({ params, body });
  await api.switchEventType({ params, body: { hidden, paused: false } });
  expect((await api.readEventType({ params })).event_type.version).toBe(version);
  await api.changeEventType({ params, body: { ...body, settings: { ...settings, rank: 4 } } });
  expect((await api.readEventType({ params })).event_type.version).toBe(version + 1);
  await expect(api.changeEventType({ params, body })).rejects.toMatchObject({ code: 'STALE' });
});

test('a routing form that is saved unchanged keeps its revision', async () => {
  const api = anna.as(routingContract);
  const definition = {
    type: 'conditional' as const,
    title: 'Help',
    intro: '',
    questions: [{ id: 'email', label: 'Email', kind: 'email' as const, required: true }],
    rules: [],
    fallback: { kind: 'message' as const, text: 'We write to you.' },
    frames: [],
  };
  const { form } = await api.createForm({ body: { name: 'Help', definition } });
  const params = { id: form.id };
  const { definition: kept } = await api.readForm({ params });
  const body = { revision: form.revision, name: 'Help', description: '', slug: form.slug, definition: kept };
  await api.changeForm({ params, body });
  expect((await api.readForm({ params })).form.revision).toBe(form.revision);
  await api.changeForm({ params, body: { ...body, description: 'For everybody' } });
  expect((await api.readForm({ params })).form.revision).toBe(form.revision + 1);
});

test('a workflow that is saved or switched unchanged makes no version and plans nothing', async () => {
  const api = anna.as(workflowsContract);
  const { workflow } = await api.createWorkflow({ body: { name: 'Thanks', template: 'thanks' } });
  const params = { id: workflow.id };
  const body = { version: workflow.version, name: ' Thanks ', definition: workflow.definition };
  await server.settle();
  const plans = async () =>
    (await sql`select from jobs.job where name = 'workflows.replan'`.execute(server.app.db)).rows.length;
  const before = await plans();
  await api.changeWorkflow({ params, body });
  await api.switchWorkflow({ params, body: { active: workflow.active } });
  expect((await api.readWorkflow({ params })).workflow.version).toBe(workflow.version);
  expect(await plans()).toBe(before);
  await api.changeWorkflow({ params, body: { ...body, name: 'Thank you' } });
  expect((await api.readWorkflow({ params })).workflow.version).toBe(workflow.version + 1);
});

test('a team that is saved unchanged has no line of it in its activity', async () => {
  const api = anna.as(teamsContract);
  const { team } = await api.createTeam({ body: { name: 'Sales' } });
  const params = { teamId: team.id };
  await api.changeTeam({ params, body: { name: ' Sales ', about: team.about } });
  const lines = async () => (await api.readTeamTrail({ params, query: {} })).entries.map(({ kind }) => kind);
  expect(await lines()).not.toContain('team-changed');
  await api.changeTeam({ params, body: { about: 'We sell.' } });
  expect(await lines()).toContain('team-changed');
});
