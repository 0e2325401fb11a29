import { Agent } from 'undici';
import { type CaldavServer, startRadicale, startXandikos, whyMissing } from '../../../test/harness/caldav-servers.ts';
import { openCaldavWorld } from '../../../test/harness/caldav-world.ts';
import { type ConformanceOptions, describeConformance } from '../conformance.ts';
import { caldavHttpOver } from './undici-http.ts';

/** The adapter against real servers from their packages. */
function againstReal(
  program: 'radicale' | 'xandikos',
  launch: () => Promise<CaldavServer>,
  behaves: { checksPasswords: boolean; storesBrokenEvents: boolean; staleToken: string },
  differs: ConformanceOptions['differs'] = {},
): void {
  describeConformance({
    name: program,
    skip: whyMissing(program),
    differs,
    start: async () => {
      const server = await launch();
      const agent = new Agent();
      const http = caldavHttpOver(agent);
      let calendars = 0;
      return {
        open: async (tags) => {
          calendars += 1;
          const calendarUrl = await server.createCalendar(`Calendar ${calendars}`);
          return openCaldavWorld({
            url: server.url,
            calendarUrl,
            username: server.username,
            password: server.password,
            http,
            tags,
            ...behaves,
            staleCursor: () => `t:${behaves.staleToken}`,
            removeCalendar: () => server.removeCalendar(calendarUrl),
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

againstReal('radicale', startRadicale, {
  checksPasswords: true,
  storesBrokenEvents: false,
  staleToken: `http://radicale.org/ns/sync/${'0'.repeat(64)}`,
});
againstReal(
  'xandikos',
  startXandikos,
  {
    checksPasswords: false,
    storesBrokenEvents: true,
    staleToken: '0123456789012345678901234567890123456789',
  },
  { manglesBackslashN: 'its parser takes an escaped backslash before n for a line break' },
);
