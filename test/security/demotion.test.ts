import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bookingContract } from '#features/booking/contract.ts';
import { routingContract } from '#features/routing/contract.ts';
import { workflowsContract } from '#features/workflows/contract.ts';
import type { EventTypeId, TeamId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { insertTeam, insertTeamType } from '../harness/bookable-team.ts';
import { sampleWorkflow } from '../harness/sample-workflow.ts';
import { startTestApp, type TestApp } from '../harness/test-app.ts';
import { signUpUser, type TestUser } from '../harness/test-client.ts';
import { waitFor } from '../harness/wait-for.ts';

/** Changes of a team by a member whose demotion begins before the change and commits after its first check. */

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
});
afterAll(() => server.close());

interface World {
  admin: TestUser;
  mate: TestUser;
  teamId: TeamId;
  typeId: EventTypeId;
}
let teams = 0;
async function newWorld(): Promise<World> {
  teams += 1;
  const [owner, admin, mate] = await Promise.all(
    ['owner', 'admin', 'mate'].map((name) => signUpUser(server, `${name}-d${teams}@example.org`)),
  );
  if (owner === undefined || admin === undefined || mate === undefined) throw new Error('three people are missing');
  const handle = `demotion${teams}`;
  const mates = [{ user: owner }, { user: admin, role: 'admin' as const }, { user: mate }];
  const teamId = await insertTeam(server, handle, mates);
  const { typeId } = await insertTeamType(server, { teamId, handle }, mates, { kind: 'round-robin' });
  return { admin, mate, teamId, typeId };
}

const isWaiting = async () =>
  (
    await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(server.app.db)
  ).rows.length > 0;

/** Begins a change while a demotion is not committed yet; its outcome. */
async function changeDuringDemotion({ admin, teamId }: World, change: () => Promise<unknown>): Promise<string> {
  let outcome: Promise<string> = Promise.resolve('not begun');
  await inTransaction(server.app.db, async (tx) => {
    await sql`select from teams.teams where id = ${teamId} for no key update`.execute(tx);
    await sql`update teams.members set role = 'viewer' where team_id = ${teamId} and user_id = ${admin.userId}`.execute(
      tx,
    );
    let isOver = false;
    outcome = change()
      .then(
        () => 'done',
        (error: { code?: string }) => error.code ?? 'failed',
      )
      .finally(() => {
        isOver = true;
      });
    await waitFor('the change to end, or to wait for the demotion', async () => isOver || (await isWaiting()));
  });
  return outcome;
}

const settled = { label: 'Left behind', uses: null, expires_at: null };
const form = {
  name: 'Help',
  definition: {
    type: 'conditional' as const,
    title: 'Help',
    intro: '',
    questions: [],
    rules: [],
    fallback: { kind: 'message' as const, text: 'Thank you.' },
    frames: [],
  },
};
const booking = ({ admin }: World) => admin.as(bookingContract);
const routing = ({ admin }: World) => admin.as(routingContract);
const workflows = ({ admin }: World) => admin.as(workflowsContract);

/** Changes, each after its preparation. */
const changes: [string, (world: World) => Promise<() => Promise<unknown>>][] = [
  [
    'a private link',
    async (world) => () =>
      booking(world).createBookingLink({ body: { kind: 'private', event_type_id: world.typeId, ...settled } }),
  ],
  [
    'an event type',
    async (world) => () =>
      booking(world).createEventType({ body: { title: 'New', kind: 'round-robin', team_id: world.teamId } }),
  ],
  [
    'the hosts of an event type',
    async (world) => {
      const params = { id: world.typeId };
      const { event_type: type } = await booking(world).readEventType({ params });
      const { version, title, slug, description, hidden, secret, settings } = type;
      const hosts = [{ user_id: world.admin.userId, weight: 5, priority: 2, optional: false }];
      const body = { version, title, slug, description, hidden, secret, settings, hosts };
      return () => booking(world).changeEventType({ params, body });
    },
  ],
  [
    'a paused event type',
    async (world) => () => booking(world).switchEventType({ params: { id: world.typeId }, body: { paused: true } }),
  ],
  ['a copied event type', async (world) => () => booking(world).duplicateEventType({ params: { id: world.typeId } })],
  ['a deleted event type', async (world) => () => booking(world).deleteEventType({ params: { id: world.typeId } })],
  [
    'a restored event type',
    async (world) => {
      await booking(world).deleteEventType({ params: { id: world.typeId } });
      return () => booking(world).restoreEventType({ params: { id: world.typeId } });
    },
  ],
  [
    'the order of event types',
    async (world) => () => booking(world).orderEventTypes({ body: { team_id: world.teamId, ids: [world.typeId] } }),
  ],
  [
    'a stand-in of somebody else',
    async (world) => () =>
      booking(world).addStandIn({
        params: { team_id: world.teamId },
        body: {
          user_id: world.mate.userId,
          to_user_id: world.admin.userId,
          from: server.app.clock.nowMs(),
          until: server.app.clock.nowMs() + 86_400_000,
        },
      }),
  ],
  ['a form', async (world) => () => routing(world).createForm({ body: { team_id: world.teamId, ...form } })],
  [
    'a paused form',
    async (world) => {
      const made = await routing(world).createForm({ body: { team_id: world.teamId, ...form } });
      return () => routing(world).switchForm({ params: { id: made.form.id }, body: { active: false } });
    },
  ],
  [
    'a deleted form',
    async (world) => {
      const made = await routing(world).createForm({ body: { team_id: world.teamId, ...form } });
      return () => routing(world).deleteForm({ params: { id: made.form.id } });
    },
  ],
  [
    'a workflow',
    async (world) => () =>
      workflows(world).createWorkflow({
        body: { name: 'Left behind', team_id: world.teamId, definition: sampleWorkflow as never },
      }),
  ],
  [
    'a paused workflow',
    async (world) => {
      const body = { name: 'Mine', team_id: world.teamId, definition: sampleWorkflow as never };
      const made = await workflows(world).createWorkflow({ body });
      return () => workflows(world).switchWorkflow({ params: { id: made.workflow.id }, body: { active: false } });
    },
  ],
];

describe('a change begun during a demotion', () => {
  test.each(changes)('%s is refused once the demotion is committed', async (_, prepare) => {
    const world = await newWorld();
    const change = await prepare(world);
    expect(await changeDuringDemotion(world, change)).toBe('FORBIDDEN');
  });

  const checks =
    /\b(?:requirePermission|requireOwn|requireOwner|demandOwn|loadType|requireForm|requireSubmission|loadWorkflow|listTeamsOf|findOwnBooking)\(/;
  const locks = /lockOwn|'lock'\)|actInTeam/;
  const isUnlocked = (code: string) => checks.test(code) && code.includes('inTransaction(') && !locks.test(code);
  const root = join(import.meta.dirname, '../..');
  const sources = globSync('src/features/**/*.ts', { cwd: root })
    .filter((file) => !file.includes('.test.'))
    .toSorted()
    .map((file) => ({ file, source: readFileSync(join(root, file), 'utf8') }));

  test('every change that checks a role before its transaction checks it again inside', () => {
    expect(sources.filter(({ source }) => isUnlocked(source)).map(({ file }) => file)).toEqual([
      // acts on one booking, after which a member has no more than before
      'src/features/booking/answer-question.ts',
      'src/features/booking/cancel-booking.ts',
      'src/features/booking/confirm-booking.ts',
      'src/features/booking/decline-booking.ts',
      // a link that ends
      'src/features/booking/delete-link.ts',
      'src/features/booking/mark-no-show.ts',
      'src/features/booking/reschedule-booking.ts',
      // reads the names of teams, and changes contacts of its own person only
      'src/features/contacts/contacts.ts',
      // the dry run checks the role and stores nothing; a visitor, who has no role, stores the answers
      'src/features/routing/answers.ts',
    ]);
  });

  test('every function that checks a role before its transaction checks it again inside', () => {
    const found = sources
      .filter(({ file }) => !file.startsWith('src/features/booking/'))
      .flatMap(({ file, source }) =>
        source
          .split(/^(?=(?:export )?(?:async )?function )/m)
          .filter(isUnlocked)
          .map((code) => `${file} ${/function (\w+)/.exec(code)?.[1]}`),
      );
    // takes a person out of their own teams
    expect(found).toEqual(['src/features/teams/members.ts leaveAllTeams']);
  });
});
