import { addCalendar, addUser, putObject, removeObject } from '../../src/emulators/caldav/world.ts';
import type { ProviderWorld } from '../harness/provider-world.ts';
import { wholeCalendar } from '../harness/sync-world.ts';
import { calendarOf, type KeptCalendar } from './kept-calendar.ts';
import { componentsOf } from './kept-event.ts';

/** A CalDAV account with one calendar, connected. Xandikos is not for this: it knows one person only. */
export async function openCaldavCalendar(
  { caldavEmulator: emulator, connectCaldav }: ProviderWorld,
  name: string,
  zone: string,
): Promise<KeptCalendar> {
  const { world, clock } = emulator;
  const user = addUser(world, name, 'secret');
  const calendar = addCalendar(world, user, 'work', { displayName: `${name} work`, zone });
  const calendarId = calendarOf(await connectCaldav(name));
  const names = new Map<string, string>();
  const fileOf = (file: string) => `${file}.ics`;
  return {
    provider: 'caldav',
    name,
    zone,
    calendarId,
    eventZones: ['America/New_York', 'Europe/Berlin', 'UTC', 'floating', 'Asia/Kathmandu'],
    operations: ['create', 'update', 'delete', 'write', 'sync-collection', 'multiget', 'propfind', 'get'],
    writes: ['create', 'update', 'delete', 'write'],
    keep(event) {
      const text = wholeCalendar(componentsOf(event));
      putObject(world, calendar, fileOf(event.file), event.uid, text, clock.now());
      names.set(event.file, event.uid);
    },
    remove(file) {
      removeObject(calendar, fileOf(file), clock.now());
      names.delete(file);
    },
    shows: (file) => calendar.objects.get(fileOf(file))?.body ?? '',
    uidOf: (file) => names.get(file) ?? '',
    blocks() {
      const theirs = new Set([...names.keys()].map(fileOf));
      return [...calendar.objects.values()]
        .filter((object) => !theirs.has(object.name))
        .map((object) => ({
          name: object.name,
          key: object.uid.replace(/-g\d+@.*$/, ''),
          isMarked: object.body.includes('X-HOLDFAST-MIRROR'),
          components: object.body,
          mark: /^X-HOLDFAST-MIRROR:.*$/m.exec(object.body.replace(/\r?\n[ \t]/g, ''))?.[0].trim() ?? '',
          remove: () => removeObject(calendar, object.name, clock.now()),
          change() {
            const moved = object.body
              .replace(/^(SUMMARY):.*$/gm, '$1:Mine')
              .replace(/^(DT(?:START|END)[^\n]*T\d\d)\d\d/gm, '$117');
            putObject(world, calendar, object.name, object.uid, moved, clock.now());
          },
          leaveOut: object.body.includes('\nRRULE')
            ? () => {
                const start = /^DTSTART([^\n]*)$/m.exec(mainOf(object.body))?.[1] ?? '';
                const text = object.body.replace(/^RRULE/m, `EXDATE${start.trim()}\r\nRRULE`);
                putObject(world, calendar, object.name, object.uid, text, clock.now());
              }
            : null,
        }));
    },
    fail(rule, everywhere) {
      emulator.addFault({ ...rule, ...(everywhere ? {} : { path: `/calendars/${name}/` }) });
    },
    ownFaults: [],
    mishaps: {
      'sync tokens expire': () => {
        // the current one too
        calendar.log.push('');
        calendar.loggedAtMs.push(clock.now());
        calendar.oldestToken = calendar.log.length;
      },
    },
    asked: ({ name: object }) =>
      emulator.ledger.filter(({ path }) => path.endsWith(`/${object}`)).map((one) => JSON.stringify(one)),
  };
}

/** The component with the rule. */
const mainOf = (text: string) => text.split('BEGIN:VEVENT').find((part) => part.includes('\nRRULE')) ?? '';
