import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ProviderError } from '#kernel/errors.ts';
import type { Series } from '#kernel/event.ts';
import {
  editArbitrary,
  edited,
  instantsOf,
  plainCore,
  type SeriesEdit,
  seriesArbitrary,
} from '../../../test/harness/edited-series.ts';
import { mailboxAddress as account, openMailbox } from '../../../test/harness/microsoft-mailbox.ts';
import { conformanceTags } from '../conformance.ts';
import type { FoundMirror } from '../port.ts';

const signal = () => AbortSignal.timeout(10_000);
/** Refusals of Outlook, after which nothing may have been written. */
const limits = ['CROSSES_NEIGHBOUR', 'CANCELLED_FOR_GOOD', 'RECURRENCE_UNSUPPORTED'];

/** A first instance from midnight to 01:30, lengthened into the hour that the clocks leave out. */
const lengthened: [Series, SeriesEdit[]] = [
  {
    kind: 'series',
    when: { kind: 'zoned', start: '2027-03-28T00:00:00', zone: 'Europe/Berlin', duration: { seconds: 90 * 60 } },
    core: plainCore,
    rules: ['FREQ=WEEKLY;COUNT=6'],
    exRules: [],
    extraDates: [],
    exdates: [],
    overrides: {},
  },
  [
    { do: 'lengthen-all', minutes: 15 },
    { do: 'lengthen-all', minutes: 15 },
  ],
];

it('edits of one, following and all Outlook instances keep their instants over both daylight saving changes', async () => {
  const mailbox = await openMailbox();
  const { control } = mailbox.emulator;
  await control.knobs({ requestsPer10Minutes: 1_000_000 });
  const calendarRef = await mailbox.addCalendar('work');
  const { events } = mailbox.open(conformanceTags);
  if (events === undefined) throw new Error('Outlook events can be written');
  const silent = { tellGuests: false };
  let made = 0;
  let refused = 0;
  let written = 0;
  await fc.assert(
    fc.asyncProperty(
      seriesArbitrary,
      fc.array(editArbitrary, { minLength: 1, maxLength: 4 }),
      async (series, edits) => {
        made += 1;
        const key = `edited${made}`;
        const identity = { key, uid: `${key}@holdfast.invalid` };
        const creation = await events
          .create(calendarRef, identity, series, silent, signal())
          .catch((error: unknown) => error);
        if (creation instanceof ProviderError) {
          // one that begins in the night of the change itself
          expect([creation.code, series.when.kind === 'zoned' && series.when.start]).toEqual([
            'RECURRENCE_UNSUPPORTED',
            expect.stringMatching(/-(?:03-28|10-31)T/),
          ]);
          return;
        }
        if (creation instanceof Error) throw creation;
        let found = creation as FoundMirror;
        expect(instantsOf(found.item.body as Series)).toEqual(instantsOf(series));
        await control.act({
          account,
          do: 'edit',
          event: found.ref,
          changes: { importance: 'high', hideAttendees: true },
        });
        found = (await events.read(calendarRef, found.ref, signal())) ?? found;
        for (const edit of edits) {
          const before = found.item.body as Series;
          const after = edited(before, edit);
          const change = events.change(calendarRef, found, before, after, silent, signal());
          const outcome = await change.catch((error: unknown) => error);
          if (outcome instanceof ProviderError) {
            expect(limits).toContain(outcome.code);
            expect((await events.read(calendarRef, found.ref, signal()))?.version).toBe(found.version);
            refused += 1;
            continue;
          }
          if (outcome instanceof Error) throw outcome;
          found = await change;
          written += 1;
          expect(instantsOf(found.item.body as Series)).toEqual(instantsOf(after));
          expect(await events.read(calendarRef, found.ref, signal())).toEqual(found);
        }
        const [stored] = [...mailbox.calendar('work').events.values()].slice(-1);
        expect(stored?.content).toMatchObject({ importance: 'high', hideAttendees: true });
      },
    ),
    { numRuns: 40, examples: [lengthened] },
  );
  expect(written).toBeGreaterThan(refused);
});
