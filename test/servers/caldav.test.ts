import { Agent } from 'undici';
import { caldavHttpOver } from '../../src/providers/caldav/undici-http.ts';
import { type ConformanceOptions, describeConformance } from '../../src/providers/conformance.ts';
import type { CaldavServer } from '../harness/caldav-servers.ts';
import { openCaldavWorld } from '../harness/caldav-world.ts';
import {
  type LargeProgram,
  startCyrus,
  startDavical,
  startSogo,
  whyMissingLarge,
} from '../harness/large-caldav-servers.ts';
import { waitFor } from '../harness/wait-for.ts';

/** Two changes of one second look the same to a server that counts seconds. */
async function nextSecond(): Promise<void> {
  const second = () => Math.floor(Temporal.Now.instant().epochMilliseconds / 1_000);
  const first = second();
  await waitFor('another second', () => second() > first);
}

/** The CalDAV adapter against real DAViCal, SOGo, and Cyrus: `npm run test:servers`. */
function againstLarge(
  program: LargeProgram,
  launch: () => Promise<CaldavServer>,
  behaves: { storesBrokenEvents: boolean; staleToken: string; secondsMatter: boolean; uidsOfAccount?: boolean },
  differs: ConformanceOptions['differs'],
): void {
  describeConformance({
    name: program,
    skip: whyMissingLarge(program),
    differs: differs ?? {},
    start: async () => {
      const server = await launch();
      const agent = new Agent({ connections: 8 });
      const http = caldavHttpOver(agent);
      let calendars = 0;
      return {
        open: async (tags) => {
          calendars += 1;
          const calendarUrl = await server.createCalendar(`Calendar ${calendars}`);
          let isThere = true;
          const remove = async () => {
            if (!isThere) return;
            isThere = false;
            await server.removeCalendar(calendarUrl);
          };
          return openCaldavWorld({
            url: server.url,
            calendarUrl,
            username: server.username,
            password: server.password,
            http,
            tags,
            checksPasswords: true,
            storesBrokenEvents: behaves.storesBrokenEvents,
            staleCursor: () => `t:${behaves.staleToken}`,
            removeCalendar: remove,
            // a UID is free again once its calendar is gone
            ...(behaves.uidsOfAccount === true ? { close: remove } : {}),
            unquotesParameters: differs?.unquotesParameters !== undefined,
            ...(behaves.secondsMatter ? { settle: nextSecond } : {}),
          });
        },
        stop: async () => {
          await agent.destroy();
          await server.stop();
        },
      };
    },
  });
}

againstLarge(
  'davical',
  startDavical,
  { storesBrokenEvents: true, staleToken: 'data:,999999', secondsMatter: false },
  {
    staleCursorLists: 'it answers an unknown token with a full list',
    losesRaces: 'it checks the condition and writes in two steps: 4 of 12 writers were seen to win',
  },
);
againstLarge(
  'sogo',
  startSogo,
  { storesBrokenEvents: true, staleToken: '1', secondsMatter: true },
  {
    staleCursorLists: 'it answers an unknown token with a full list',
    refetchesOwnWrites: 'its versions are counters that start again',
    pinsFloating: 'it stores them in the zone of the account',
    unquotesParameters: 'it stores one with a semicolon as X-SHADE=dark\\; very',
    repeatsLastSecond: 'its token is a second',
    losesRaces: 'it takes a stale condition on DELETE',
  },
);
againstLarge(
  'cyrus',
  startCyrus,
  { storesBrokenEvents: false, staleToken: 'data:,1-1', secondsMatter: false, uidsOfAccount: true },
  {},
);
