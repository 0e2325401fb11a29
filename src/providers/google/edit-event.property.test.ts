import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Series } from '#kernel/event.ts';
import { editArbitrary, edited, instantsOf, seriesArbitrary } from '../../../test/harness/edited-series.ts';
import { emulateGoogle } from '../../../test/harness/emulated-google.ts';
import { fixedTokens, googleAccount, openEmulatedGoogle } from '../../../test/harness/google-world.ts';
import { runs } from '../../../test/harness/law-budget.ts';
import { conformanceTags } from '../conformance.ts';

const signal = () => AbortSignal.timeout(10_000);

/** Which Google cannot hold: it keeps the instant, and all later instances would stand at the time after the gap too. */
const beginsInGap = ({ when }: Series) =>
  when.kind === 'zoned' &&
  !Temporal.PlainDateTime.from(when.start).toZonedDateTime(when.zone).toPlainDateTime().equals(when.start);
const inGap = { kind: 'rejected', code: 'UNSUPPORTED' };

it('edits of one, following and all Google instances keep their instants over both daylight saving changes', async () => {
  const emulated = emulateGoogle();
  await emulated.control.seed({ account: googleAccount, calendars: [] });
  await emulated.control.knobs({ perMinutePerUser: 1_000_000, perMinutePerProject: 1_000_000 });
  const { token, api } = await emulated.signIn(googleAccount);
  const { events } = openEmulatedGoogle(emulated, fixedTokens(token.access_token), conformanceTags);
  if (events === undefined) throw new Error('Google events can be written');
  let made = 0;
  await fc.assert(
    fc.asyncProperty(
      seriesArbitrary,
      fc.array(editArbitrary, { minLength: 1, maxLength: 4 }),
      async (series, edits) => {
        made += 1;
        const key = `edited${made}`;
        const silent = { tellGuests: false };
        const identity = { key, uid: `${key}@holdfast.invalid` };
        const created = events.create(googleAccount, identity, series, silent, signal());
        if (beginsInGap(series)) {
          await expect(created).rejects.toMatchObject(inGap);
          return;
        }
        let found = await created;
        const path = `/calendars/${googleAccount}/events/${key}`;
        await api('PATCH', path, { guestsCanModify: true, extendedProperties: { shared: { theirs: 'kept' } } });
        found = (await events.read(googleAccount, key, signal())) ?? found;
        for (const edit of edits) {
          const before = found.item.body as Series;
          if (before.kind !== 'series') return;
          const after = edited(before, edit);
          const changed = events.change(googleAccount, found, before, after, silent, signal());
          if (beginsInGap(after)) {
            await expect(changed).rejects.toMatchObject(inGap);
            expect(await events.read(googleAccount, key, signal())).toEqual(found);
            continue;
          }
          found = await changed;
          expect(instantsOf(found.item.body as Series)).toEqual(instantsOf(after));
          expect(await events.read(googleAccount, key, signal())).toEqual(found);
        }
        expect((await api('GET', path)).body).toMatchObject({
          guestsCanModify: true,
          extendedProperties: { shared: { theirs: 'kept' } },
        });
      },
    ),
    { numRuns: runs(40) },
  );
});
