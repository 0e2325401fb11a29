import { Agent } from 'undici';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { startRadicale, startXandikos, whyMissing } from '../../../test/harness/caldav-servers.ts';
import { caldavProfiles } from './profiles.ts';
import { openCaldav } from './provider.ts';
import { caldavHttpOver } from './undici-http.ts';

const launchers = { radicale: startRadicale, xandikos: startXandikos } as const;

/** Real servers tell the tags of all calendars in one answer, and each in it moves with its own calendar alone. */
describe.each(['radicale', 'xandikos'] as const)('three calendars at %s', (program) => {
  it.skipIf(whyMissing(program) !== null)('three calendars share one PROPFIND, and no change is hidden', async () => {
    const server = await launchers[program]();
    const agent = new Agent();
    try {
      const send = caldavHttpOver(agent);
      let asked: string[] = [];
      let aheadMs = 0;
      const provider = openCaldav({
        baseUrl: server.url,
        username: server.username,
        password: server.password,
        profile: caldavProfiles.generic,
        http: (request) => {
          asked.push(`${request.method} ${request.headers.depth}`);
          return send(request);
        },
        selfAddresses: [],
        tags: { verify: () => false },
        clock: () => systemClock.nowMs() + aheadMs,
      });
      const urls: string[] = [];
      for (const name of ['one', 'two', 'three']) urls.push(await server.createCalendar(name));
      const cursors: (string | null)[] = urls.map(() => null);
      const pull = async (url: string, index: number) => {
        const pages = provider.pull({
          calendarRef: decodeURIComponent(new URL(url).pathname),
          cursor: cursors[index] ?? null,
          full: false,
          routine: true,
          known: () => Promise.resolve(new Map()),
          signal: AbortSignal.timeout(20_000),
        });
        const uids: (string | undefined)[] = [];
        for (let step = await pages.next(); ; step = await pages.next()) {
          if (step.done) {
            cursors[index] = step.value.cursor;
            return uids;
          }
          uids.push(...step.value.items.map((item) => item.uid));
        }
      };
      const round = async () => {
        asked = [];
        return await Promise.all(urls.map(pull));
      };
      const rest = async () => {
        for (let n = 0; n < 4; n += 1) {
          aheadMs += 6_000;
          await round();
        }
      };
      for (const [index, url] of urls.entries()) {
        await rest();
        expect(await round()).toEqual([[], [], []]);
        expect(asked).toEqual(['PROPFIND 1']);
        await put(new URL('a.ics', url), server);
        expect(await round()).toEqual(urls.map((_, at) => (at === index ? ['a'] : [])));
      }
    } finally {
      await agent.destroy();
      await server.stop();
    }
  });
});

async function put(url: URL, account: { username: string; password: string }): Promise<void> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: {
      authorization: `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`,
      'content-type': 'text/calendar; charset=utf-8',
    },
    body:
      'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//EN\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20270101T000000Z\r\n' +
      'DTSTART:20270301T090000Z\r\nDTEND:20270301T100000Z\r\nSUMMARY:a\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  });
  if (!response.ok) throw new Error(`${url.href} answered ${response.status}`);
}
