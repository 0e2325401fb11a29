import { type QuirkProfile, quirkProfiles } from '#emulators/caldav/quirks.ts';
import { addCalendar } from '#emulators/caldav/world.ts';
import { openCaldavWorld } from '../../../test/harness/caldav-world.ts';
import { emulateCaldav } from '../../../test/harness/emulated-caldav.ts';
import { type ConformanceOptions, describeConformance } from '../conformance.ts';

/** The adapter against six servers in miniature: what the RFCs say, and what five real ones were seen to do. */

const differs: Partial<Record<QuirkProfile, ConformanceOptions['differs']>> = {
  davical: { staleCursorLists: 'it answers an unknown token with a full list' },
  sogo: {
    staleCursorLists: 'it answers an unknown token with a full list',
    refetchesOwnWrites: 'its versions are counters that start again',
    repeatsLastSecond: 'its token is a second',
    losesRaces: 'it takes a stale condition on DELETE',
  },
};

for (const profile of Object.keys(quirkProfiles) as QuirkProfile[]) {
  describeConformance({
    name: `emulated ${profile}`,
    differs: differs[profile] ?? {},
    start: () => {
      const server = emulateCaldav(profile);
      const alice = server.emulator.world.users.get('alice');
      if (alice === undefined) throw new Error('The emulator has no alice');
      let calendars = 0;
      return Promise.resolve({
        open: (tags) => {
          calendars += 1;
          const name = `calendar-${calendars}`;
          addCalendar(server.emulator.world, alice, name);
          const remove = () => {
            alice.calendars.delete(name);
            return Promise.resolve();
          };
          return Promise.resolve(
            openCaldavWorld({
              url: server.url,
              calendarUrl: `${server.url}calendars/alice/${name}/`,
              username: 'alice',
              password: 'secret',
              http: server.http,
              tags,
              checksPasswords: quirkProfiles[profile].authentication,
              storesBrokenEvents: true,
              staleCursor: (cursor) => `${cursor.slice(0, 2)}no-such-token`,
              removeCalendar: remove,
              close: remove,
              settle: () => {
                server.advance(1_000);
                return Promise.resolve();
              },
            }),
          );
        },
        stop: () => Promise.resolve(),
      });
    },
  });
}
