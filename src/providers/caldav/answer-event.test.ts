import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCalendar } from '#emulators/caldav/world.ts';
import { ProviderError } from '#kernel/errors.ts';
import type { Series, Single } from '#kernel/event.ts';
import { type CaldavServer, startRadicale, startXandikos, whyMissing } from '../../../test/harness/caldav-servers.ts';
import { emulateCaldav } from '../../../test/harness/emulated-caldav.ts';
import { conformanceTags } from '../conformance.ts';
import type { Answer, EventWriter } from '../port.ts';
import type { CaldavHttp } from './http.ts';
import { caldavProfiles } from './profiles.ts';
import { openCaldav } from './provider.ts';
import { caldavHttpOver } from './undici-http.ts';

/** Answers to invitations on servers that leave their sending to the client, and on one that sends them. */

interface Place {
  url: string;
  calendarUrl: string;
  http: CaldavHttp;
}

const signal = () => AbortSignal.timeout(20_000);
const own = ['alice@example.com', 'alice@home.example'];

const at = ['DTSTART;TZID=Europe/Berlin:20270308T090000', 'DTEND;TZID=Europe/Berlin:20270308T100000'];
const people = [
  'ORGANIZER:mailto:ben@example.org',
  'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@example.org',
  'ATTENDEE;CUTYPE=INDIVIDUAL;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:alice@example.com',
  'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:alice@home.example',
];
const second = '20270315T080000Z';
const zone = ['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin', 'BEGIN:STANDARD', 'DTSTART:19701025T030000'].concat([
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:19700329T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
]);

function describeAnswers(name: string, isTold: boolean, start: () => Promise<Place & { stop(): Promise<void> }>) {
  describe(name, () => {
    let place: Awaited<ReturnType<typeof start>>;
    let events: EventWriter;
    let opened = 0;
    beforeAll(async () => {
      place = await start();
      const provider = openCaldav({
        baseUrl: place.url,
        username: 'alice',
        password: 'secret',
        profile: caldavProfiles.generic,
        http: place.http,
        selfAddresses: own,
        tags: conformanceTags,
      });
      if (provider.events === undefined) throw new Error('CalDAV events can be written');
      events = provider.events;
    });
    afterAll(() => place.stop());

    const send = async (method: string, ref: string, body?: string) => {
      const response = await place.http({
        method,
        url: new URL(ref, place.calendarUrl).href,
        headers: {
          authorization: `Basic ${Buffer.from('alice:secret').toString('base64')}`,
          ...(body === undefined ? {} : { 'content-type': 'text/calendar; charset=utf-8' }),
        },
        body,
        signal: signal(),
        maxBytes: 1_000_000,
      });
      const { body: told } = response;
      const text = typeof told === 'string' ? told : Buffer.concat(await Array.fromAsync(told)).toString();
      if (response.status >= 300) throw new Error(`${method}: ${response.status} ${text}`);
      return text.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/);
    };
    const calendarRef = () => decodeURIComponent(new URL(place.calendarUrl).pathname);

    async function invited(lines: string[] = [], who = people) {
      opened += 1;
      const file = `invited${opened}.ics`;
      const event = [`UID:invited${opened}@example.org`, 'DTSTAMP:20270101T000000Z', 'SEQUENCE:2', 'SUMMARY:Plan'];
      const body = ['BEGIN:VEVENT', ...event, ...at, ...who, ...lines, 'END:VEVENT'];
      const all = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//Test//EN', ...zone, ...body, 'END:VCALENDAR', ''];
      await send('PUT', file, all.join('\r\n'));
      const found = await events.read(calendarRef(), `${calendarRef()}${file}`, signal());
      if (found === null) throw new Error('The invitation stands');
      const partstats = async () => (await send('GET', file)).filter((line) => /^ATTENDEE.*alice@/.test(line));
      return { found, file, partstats, body: found.item.body as Series };
    }
    const answer = (current: { ref: string; version: string }, after: Single | Series, more: Partial<Answer> = {}) => {
      if (events.answer === undefined) throw new Error('CalDAV invitations can be answered');
      const said = { parts: [''], tellOrganizer: true, note: null, again: false, ...more };
      return events.answer(calendarRef(), current, after, said, signal());
    };

    it.each([
      ['accepted', 'ACCEPTED'],
      ['tentative', 'TENTATIVE'],
      ['declined', 'DECLINED'],
    ] as const)('the answer %s is written to each line of the person', async (self, partstat) => {
      const { found, body, partstats } = await invited();
      const { found: now, reply } = await answer(found, { ...body, core: { ...body.core, self } }, { note: 'Late' });
      expect(now?.item.body).toMatchObject({ core: { self } });
      const [first, alias] = await partstats();
      expect([first?.includes(`PARTSTAT=${partstat}`), alias?.includes(`PARTSTAT=${partstat}`)]).toEqual([true, true]);
      expect(reply === null).toBe(isTold);
      if (reply !== null) {
        expect(reply).toMatchObject({ organizer: 'ben@example.org', attendee: 'alice@example.com' });
        expect(reply.ics).toContain('COMMENT:Late');
      }
    });

    it('nobody is mailed if that is not wished', async () => {
      const { found, body } = await invited();
      const after = { ...body, core: { ...body.core, self: 'accepted' as const } };
      expect((await answer(found, after, { tellOrganizer: false })).reply).toBeNull();
    });

    it('one instance is answered, and the rest of the series is not', async () => {
      const { found, body } = await invited(['RRULE:FREQ=WEEKLY;COUNT=4']);
      const when = { ...body.when, start: '2027-03-15T09:00:00' } as Series['when'];
      const after = { ...body, overrides: { [second]: { when, core: { ...body.core, self: 'declined' as const } } } };
      const { found: now, reply } = await answer(found, after, { parts: [second] });
      const series = now?.item.body as Series;
      expect([series.core.self, series.overrides[second]?.core.self]).toEqual(['needs-action', 'declined']);
      if (reply !== null) expect(reply.ics).toContain('RECURRENCE-ID;TZID=Europe/Berlin:20270315T090000');
    });

    it('an answer that stands already is not written again, and the organizer is told if nobody did', async () => {
      const { found, body } = await invited();
      const after = { ...body, core: { ...body.core, self: 'accepted' as const } };
      const first = await answer(found, after);
      if (first.found === null) throw new Error('The event stands');
      // the response of the first attempt was lost: what stands is read, and answered once more
      const again = await answer(first.found, after);
      expect(again.found?.version).toBe(first.found.version);
      expect(again.reply === null).toBe(isTold);
    });

    it('an event that changed since is not answered', async () => {
      const { found, body, file, partstats } = await invited();
      const text = await send('GET', file);
      await send('PUT', file, text.map((line) => line.replace('SUMMARY:Plan', 'SUMMARY:New')).join('\r\n'));
      const refused = await answer(found, { ...body, core: { ...body.core, self: 'accepted' } }).catch(
        (error: unknown) => error,
      );
      expect(refused).toBeInstanceOf(ProviderError);
      expect(refused).toMatchObject({ kind: 'precondition' });
      expect((await partstats())[0]).toContain('NEEDS-ACTION');
    });

    it('an event without an own line has nothing to answer', async () => {
      const { found, body } = await invited([], people.slice(0, 2));
      const refused = answer(found, { ...body, core: { ...body.core, self: 'accepted' } });
      await expect(refused).rejects.toMatchObject({ kind: 'rejected', code: 'NOT_INVITED' });
    });
  });
}

function emulated(autoSchedule: boolean) {
  return () => {
    const server = emulateCaldav('faithful', { autoSchedule });
    const { world } = server.emulator;
    const alice = world.users.get('alice');
    if (alice === undefined) throw new Error('The emulator has no alice');
    addCalendar(world, alice, 'invited');
    const calendarUrl = `${server.url}calendars/alice/invited/`;
    return Promise.resolve({ url: server.url, calendarUrl, http: server.http, stop: () => Promise.resolve() });
  };
}

function real(launch: () => Promise<CaldavServer>) {
  return async () => {
    const server = await launch();
    const agent = new Agent();
    const stop = async () => {
      await agent.destroy();
      await server.stop();
    };
    const calendarUrl = await server.createCalendar('invited');
    return { url: server.url, calendarUrl, http: caldavHttpOver(agent), stop };
  };
}

describeAnswers('a server that sends no answers', false, emulated(false));
describeAnswers('a server that sends them (RFC 6638)', true, emulated(true));
describe.skipIf(whyMissing('radicale') !== null)('real', () => describeAnswers('radicale', false, real(startRadicale)));
describe.skipIf(whyMissing('xandikos') !== null)('real', () => describeAnswers('xandikos', false, real(startXandikos)));
