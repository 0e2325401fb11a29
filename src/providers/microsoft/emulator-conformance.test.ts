import { isDeepStrictEqual } from 'node:util';
import { readEventId } from '#emulators/microsoft/item-ids.ts';
import { weekdayNames } from '#emulators/microsoft/recurrence-pattern.ts';
import type { SeedEvent } from '#emulators/microsoft/seed-command.ts';
import type { When } from '#kernel/event.ts';
import {
  mailboxAddress as account,
  type MicrosoftMailbox,
  openMailbox,
} from '../../../test/harness/microsoft-mailbox.ts';
import { type ConformanceWorld, describeConformance, type UserEvent } from '../conformance.ts';
import { tagProperty } from './mirror-marks.ts';
import { windowsNameOf } from './zones.ts';

/** The adapter against Graph in miniature. */

describeConformance({
  name: 'emulated Microsoft',
  series: 'expanded',
  conference: 'teams',
  differs: { pinsFloating: 'an event in Outlook always has a zone' },
  start: () =>
    Promise.resolve({
      // A mailbox for each test: a transactionId is used up for all of its calendars, and the suite's are always the same.
      open: async (tags) => {
        const mailbox = await openMailbox();
        // The suite sets several writers going at once, as the limiter of the engine never would.
        await mailbox.emulator.control.knobs({ concurrency: 100 });
        const refused = { get: () => Promise.resolve('stolen'), refuse: () => undefined };
        const world: ConformanceWorld = {
          provider: mailbox.open(tags),
          calendarRef: await mailbox.addCalendar('work'),
          user: userOf(mailbox, 'work'),
          colleague: await colleagueOf(mailbox),
          removeCalendar: async () => void (await act(mailbox, { do: 'remove-calendar', calendar: 'work' })),
          withWrongCredential: () => mailbox.open(tags, { tokens: refused }),
          staleCursor: (cursor) => {
            mailbox.calendar('work').tokenEpoch += 1;
            return cursor;
          },
          close: () => mailbox.emulator.close(),
        };
        return world;
      },
      stop: () => Promise.resolve(),
    }),
});

/** Another mailbox of the organization. */
async function colleagueOf({ emulator }: MicrosoftMailbox): Promise<NonNullable<ConformanceWorld['colleague']>> {
  const address = 'grace@contoso.example';
  await emulator.control.seed({ account: address, calendars: [{ key: 'default', name: 'Calendar' }] });
  return {
    address,
    meet: async (start, minutes) => {
      const event = { subject: 'Elsewhere', start: `${start}:00`, minutes, zone: 'UTC' };
      await emulator.control.act({ do: 'create', account: address, calendar: 'default', event });
    },
  };
}

type Command = Parameters<MicrosoftMailbox['emulator']['control']['act']>[0];
type WithoutAccount<C> = C extends unknown ? Omit<C, 'account'> : never;

function act({ emulator }: MicrosoftMailbox, command: WithoutAccount<Command>) {
  return emulator.control.act({ ...command, account } as Command);
}

/** A person at Outlook. */
function userOf(mailbox: MicrosoftMailbox, calendar: string): ConformanceWorld['user'] {
  const refs = new Map<string, string>();
  return {
    async put(given) {
      const event = seedOf(given);
      const standing = refs.get(given.uid);
      const acted =
        standing === undefined
          ? await act(mailbox, { do: 'create', calendar, event })
          : await act(mailbox, { do: 'edit', event: standing, changes: event });
      refs.set(given.uid, String(acted.id));
      return String(acted.id);
    },
    remove: async (ref) => void (await act(mailbox, { do: 'delete', event: ref })),
    mark: async (ref) => void (await act(mailbox, { do: 'edit', event: ref, changes: theirs })),
    isMarked: (ref) => {
      const box = mailbox.emulator.emulator.world.mailboxes.get(account);
      const key = box === undefined ? undefined : readEventId(box, ref)?.key;
      const { importance, hideAttendees } = mailbox.calendar(calendar).events.get(key ?? '')?.content ?? {};
      return Promise.resolve(isDeepStrictEqual({ importance, hideAttendees }, theirs));
    },
    retitle: async (ref, subject) => void (await act(mailbox, { do: 'edit', event: ref, changes: { subject } })),
  };
}

/** Properties that our model lacks. */
const theirs = { importance: 'high', hideAttendees: true } as const;

function seedOf({ title, when, notes, rule, cancelled, moved, tag }: UserEvent): SeedEvent {
  const { start, ...times } = timesOf(when);
  const day = (text: string) => text.slice(0, 10);
  const weekday = weekdayNames[Temporal.PlainDate.from(day(start)).dayOfWeek - 1];
  if (rule !== undefined && rule !== 'FREQ=WEEKLY;COUNT=8') throw new Error(`Nobody makes "${rule}" in Outlook here`);
  return {
    subject: title,
    start,
    ...times,
    ...(notes === undefined ? {} : { body: notes }),
    ...(rule === undefined || weekday === undefined
      ? {}
      : { repeat: { type: 'weekly', daysOfWeek: [weekday], count: 8 } }),
    ...(cancelled === undefined ? {} : { cancelled: cancelled.map(day) }),
    ...(moved === undefined
      ? {}
      : { exceptions: { [day(moved.original)]: { start: moved.start, subject: moved.title } } }),
    ...(tag === undefined ? {} : { extended: { [tagProperty]: tag } }),
  };
}

function timesOf(when: When): Pick<SeedEvent, 'start' | 'end' | 'minutes' | 'zone'> {
  if (when.kind === 'all-day') return { start: when.start, end: when.end };
  const zone = when.kind === 'zoned' ? (windowsNameOf(when.zone) ?? when.zone) : 'UTC';
  const { days = 0, seconds = 0 } = when.duration;
  const minutes = days * 1_440 + seconds / 60;
  return { start: when.start, minutes, zone };
}
