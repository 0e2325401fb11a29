import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createClock } from '#emulators/kit/clock.ts';
import { runs } from '../../../test/harness/law-budget.ts';
import type { ActCommand } from './act.ts';
import { connectGraph, type GraphBody, type GraphClient } from './graph-client.ts';
import { embedMicrosoft } from './launch.ts';

/**
 * A client that follows delta as documented matches the calendar view, whatever happens between the rounds and pages.
 */

const account = 'ada@contoso.example';
const window = 'startDateTime=2026-12-01T00:00:00Z&endDateTime=2026-12-29T00:00:00Z';

const day = fc
  .integer({ min: 15, max: 60 })
  .map((days) => Temporal.PlainDate.from('2026-11-01').add({ days }).toString());
const key = fc.integer({ min: 0, max: 5 }).map((n) => `e${n}`);
const command = fc.oneof(
  fc.record({ kind: fc.constant('single' as const), key, day }),
  fc.record({
    kind: fc.constant('series' as const),
    key,
    day,
    interval: fc.integer({ min: 1, max: 9 }),
    count: fc.integer({ min: 1, max: 20 }),
  }),
  fc.record({ kind: fc.constant('move' as const), key, minutes: fc.integer({ min: -20_000, max: 20_000 }) }),
  fc.record({
    kind: fc.constant('move-one' as const),
    key,
    nth: fc.nat(8),
    minutes: fc.integer({ min: -600, max: 600 }),
  }),
  fc.record({ kind: fc.constant('delete-one' as const), key, nth: fc.nat(8) }),
  fc.record({ kind: fc.constant('delete' as const), key }),
  fc.record({
    kind: fc.constant('pull' as const),
    pageSize: fc.integer({ min: 1, max: 4 }),
    pages: fc.integer({ min: 1, max: 3 }),
  }),
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

/** Client state: single events and series, each with its latest rows. */
class Follower {
  link: string;
  readonly held = new Map<string, Map<string, GraphBody>>();

  constructor(start: string) {
    this.link = start;
  }

  /** Reads up to so many pages, and stops where a round ends. */
  async pull(graph: GraphClient, pageSize: number, pages: number): Promise<boolean> {
    for (let n = 0; n < pages; n += 1) {
      const { status, body } = await graph.get(this.link, {
        prefer: `IdType="ImmutableId", odata.maxpagesize=${pageSize}`,
      });
      expect(status).toBe(200);
      this.#apply(body.value);
      this.link = (body['@odata.nextLink'] ?? body['@odata.deltaLink'])!;
      if (body['@odata.deltaLink']) return true;
    }
    return false;
  }

  #apply(rows: GraphBody[]): void {
    const begun = new Set<string>();
    for (const row of rows) {
      if (row['@removed']) {
        this.held.delete(row.id);
        continue;
      }
      const owner = row.seriesMasterId ?? row.id;
      if (!begun.has(owner)) this.held.set(owner, new Map());
      begun.add(owner);
      if (row.type !== 'seriesMaster') this.held.get(owner)!.set(row.id, row);
    }
  }

  shown(): string[] {
    return [...this.held.values()].flatMap((rows) => [...rows.values()].map(signature)).sort();
  }
}

const signature = ({ id, type, start, end }: GraphBody) => `${id} ${type} ${start.dateTime} ${end.dateTime}`;

function actOf(step: Exclude<Command, { kind: 'pull' }>, instances: string[]): ActCommand | null {
  const about = { account, event: step.key };
  switch (step.kind) {
    case 'single':
      return {
        account,
        do: 'create',
        calendar: 'home',
        event: { key: step.key, start: `${step.day}T09:00`, minutes: 60 },
      };
    case 'series': {
      const repeat = { type: 'daily' as const, interval: step.interval, count: step.count };
      return {
        account,
        do: 'create',
        calendar: 'home',
        event: { key: step.key, start: `${step.day}T09:00`, minutes: 60, repeat },
      };
    }
    case 'move':
      return { ...about, do: 'move', minutes: step.minutes };
    case 'delete':
      return { ...about, do: 'delete' };
    default: {
      const id = instances[step.nth % Math.max(1, instances.length)];
      if (id === undefined) return null;
      return step.kind === 'delete-one'
        ? { account, do: 'delete', event: id }
        : { account, do: 'move', event: id, minutes: step.minutes };
    }
  }
}

it('delta rounds reproduce the calendar view after any changes and with pages of any size', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 25 }), fc.boolean(), async (steps, told) => {
      const microsoft = embedMicrosoft({
        clock: createClock(Temporal.Instant.from('2026-11-23T08:00:00Z').epochMilliseconds),
        knobs: { seriesMaster: told ? 'present' : 'absent', removedInFirstRound: told },
      });
      await microsoft.control.seed({ account, calendars: [{ key: 'home' }] });
      const graph = await connectGraph(microsoft, account);
      const view = async () => (await graph.get(`/me/calendarView?${window}&$top=1000`)).body.value;
      const follower = new Follower(`/me/calendarView/delta?${window}`);
      for (const step of steps) {
        if (step.kind === 'pull') {
          await follower.pull(graph, step.pageSize, step.pages);
          continue;
        }
        const own = (await view()).filter(({ seriesMasterId }) => seriesMasterId !== null).map(({ id }) => id);
        const act = actOf(step, own);
        // Some cannot be done: an event that is not there, a move over a neighbour.
        if (act)
          await microsoft.control
            .act(act)
            .catch((error: Error) => expect(error.message).toMatch(/no event|already has|crossing|no instance/));
      }
      // the open round is finished, and one more brings later changes
      for (let rounds = 0; rounds < 2; ) rounds += Number(await follower.pull(graph, 3, 50));
      expect(follower.shown()).toEqual((await view()).map(signature).sort());
    }),
    { numRuns: runs(60) },
  );
}, 60_000);
