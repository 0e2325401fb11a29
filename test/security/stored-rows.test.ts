import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactsContract } from '#features/contacts/contract.ts';
import { routingContract } from '#features/routing/contract.ts';
import { workflowsContract } from '#features/workflows/contract.ts';
import { takeAllowances } from '#platform/limits.ts';
import { startTestApp, type TestApp } from '../harness/test-app.ts';
import { signUpUser, type TestUser } from '../harness/test-client.ts';

/** Rows that one person can add without end, by deleting what they add or by adding to many things. */

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

let people = 0;
const newPerson = () => {
  people += 1;
  return signUpUser(server, `stores${people}@example.org`);
};

const fallback = { kind: 'message' as const, text: 'Write to us.' };
const questions = [
  { id: 'name', label: 'Your name', kind: 'text' as const, required: true },
  { id: 'email', label: 'Email', kind: 'email' as const, required: true },
];
const definition = {
  type: 'conditional' as const,
  title: 'Help',
  intro: '',
  questions,
  rules: [],
  fallback,
  frames: [],
};

const acts: Record<string, { action: string; aDay: number; add: (person: TestUser, n: number) => Promise<unknown> }> = {
  workflows: {
    action: 'workflow made, account',
    aDay: 300,
    add: (person, n) =>
      person.as(workflowsContract).createWorkflow({ body: { name: `No. ${n}`, template: 'reminder' } }),
  },
  forms: {
    action: 'form made, account',
    aDay: 300,
    add: (person, n) => person.as(routingContract).createForm({ body: { name: `No. ${n}`, definition } }),
  },
  notes: {
    action: 'note on a contact, account',
    aDay: 1_000,
    add: async (person, n) => {
      const api = person.as(contactsContract);
      const { id } = await api.addContact({ body: { address: `met${n}@example.net` } });
      return api.addNote({ params: { id }, body: { body: 'Likes tea' } });
    },
  },
};

test.each(Object.keys(acts))(
  '%s: a person adds a limited number a day, and other people are not held up',
  async (kind) => {
    const { action, aDay, add } = acts[kind]!;
    const [person, other] = [await newPerson(), await newPerson()];
    // all but one of the day
    await takeAllowances(server.app.db, { action, burst: aDay / (aDay - 1), periodSeconds: 86_400 }, [person.userId]);
    await add(person, 1);
    await expect(add(person, 2)).rejects.toMatchObject({ code: 'LIMITED' });
    await add(other, 3);
  },
);
