import { beforeEach, expect, it } from 'vitest';
import { addCalendar, addUser, putObject } from '#emulators/caldav/world.ts';
import { emulateCaldav } from '../../../../test/harness/emulated-caldav.ts';
import { conformanceTags } from '../../conformance.ts';
import { describeFreeBusy } from '../../conformance-guests.ts';
import { caldavProfiles } from '../profiles.ts';
import { openCaldav } from '../provider.ts';

/** A server that schedules (RFC 6638), and one that does not. */

function openWorld(autoSchedule: boolean) {
  const server = emulateCaldav('faithful', { autoSchedule });
  const { world } = server.emulator;
  const grace = addUser(world, 'grace', 'secret');
  const calendar = addCalendar(world, grace, 'home');
  const provider = openCaldav({
    baseUrl: server.url,
    username: 'alice',
    password: 'secret',
    profile: caldavProfiles.generic,
    http: server.http,
    selfAddresses: ['alice@example.com'],
    tags: conformanceTags,
  });
  let count = 0;
  const put = (lines: string) => {
    count += 1;
    const event = `BEGIN:VEVENT\r\nUID:${count}\r\nDTSTAMP:20270101T000000Z\r\n${lines}\r\nEND:VEVENT`;
    const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n${event}\r\nEND:VCALENDAR\r\n`;
    putObject(world, calendar, `${count}.ics`, `${count}`, text, 0);
  };
  return { provider, grace, put };
}

let opened: ReturnType<typeof openWorld>;
beforeEach(() => {
  opened = openWorld(true);
});

describeFreeBusy(() => ({
  provider: opened.provider,
  calendarRef: '',
  user: {} as never,
  colleague: {
    address: 'grace@example.com',
    meet: (start, minutes) => {
      opened.put(`DTSTART:${start.replaceAll(/[-:]/g, '')}00Z\r\nDURATION:PT${minutes}M`);
      return Promise.resolve();
    },
  },
  close: () => Promise.resolve(),
}));

const range = {
  startMs: Temporal.Instant.from('2027-03-08T00:00Z').epochMilliseconds,
  endMs: Temporal.Instant.from('2027-03-09T00:00Z').epochMilliseconds,
};
const ask = async ({ provider }: { provider: ReturnType<typeof openCaldav> }, address = 'grace@example.com') =>
  (await provider.freeBusy?.([address], range, AbortSignal.timeout(20_000)))?.get(address);

it('busy times end with the range', async () => {
  opened.put('DTSTART:20270307T230000Z\r\nDTEND:20270308T010000Z');
  expect(await ask(opened)).toEqual([{ startMs: range.startMs, endMs: range.startMs + 3_600_000 }]);
});

it('a person who shares nothing is not called free', async () => {
  opened.grace.sharesTimes = false;
  expect(await ask(opened)).toBeNull();
});

it('a server without scheduling tells nothing, and is not asked', async () => {
  expect(await ask(openWorld(false))).toBeNull();
});
