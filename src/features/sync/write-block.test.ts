import { describe, expect, test } from 'vitest';
import { contentHash } from '#kernel/event-hash.ts';
import { normaliseBody } from '#kernel/ical/normalise-body.ts';
import { createMirrorSigner } from '#platform/mirror-signer.ts';
import type { CalendarProvider, MirrorBody } from '#providers/port.ts';
import { emulateGoogle } from '../../../test/harness/emulated-google.ts';
import { fixedTokens, googleAccount, openEmulatedGoogle } from '../../../test/harness/google-world.ts';
import { mailboxAddress, openMailbox } from '../../../test/harness/microsoft-mailbox.ts';
import type { DueMirror } from './store/mirrors.ts';
import { writeBlock } from './write-block.ts';

const signer = createMirrorSigner(new Uint8Array(32).fill(7));
const key = signer.keyOf({ targetCalendarId: 't', originCalendarId: 'o', originUid: 'u', recId: null });
const identity = signer.identityUnder(key, 1);
const signal = () => AbortSignal.timeout(10_000);

const at = (start: string): MirrorBody =>
  normaliseBody({
    kind: 'single',
    when: { kind: 'zoned', start, zone: 'UTC', duration: { seconds: 1_800 } },
    core: { busy: 'busy', private: true, self: 'none', kind: 'default', title: 'Busy' },
  }) as MirrorBody;
const first = at('2027-03-08T09:00:00');
const moved = at('2027-03-09T09:00:00');

interface Target {
  provider: CalendarProvider;
  calendarRef: string;
  /** Actions of the account's person on its calendar, or on its only block. */
  removeCalendar(): Promise<unknown>;
  removeBlock(ref: string): Promise<unknown>;
}

async function atGoogle(): Promise<Target> {
  const emulated = emulateGoogle();
  const calendarRef = 'team@group.calendar.example.com';
  await emulated.control.seed({ account: googleAccount, calendars: [{ id: calendarRef, summary: 'Team' }] });
  const { token } = await emulated.signIn(googleAccount);
  const here = { account: googleAccount, calendar: calendarRef };
  return {
    provider: openEmulatedGoogle(emulated, fixedTokens(token.access_token), signer),
    calendarRef,
    removeCalendar: () => emulated.control.act({ ...here, do: 'unshare' }),
    removeBlock: (ref) => emulated.control.act({ ...here, do: 'delete', pick: ref }),
  };
}

async function atMicrosoft(): Promise<Target> {
  const mailbox = await openMailbox();
  const { control } = mailbox.emulator;
  const calendarRef = await mailbox.addCalendar('team');
  return {
    provider: mailbox.open(signer),
    calendarRef,
    removeCalendar: () => control.act({ account: mailboxAddress, do: 'remove-calendar', calendar: 'team' }),
    removeBlock: (event) => control.act({ account: mailboxAddress, do: 'delete', event }),
  };
}

const wishes = {
  'is to be moved': { state: 'pending', desired: moved, desiredHash: contentHash(moved) },
  'is to be checked': { state: 'pending', desired: first, desiredHash: contentHash(first) },
  'is to be removed': { state: 'deleting', desired: null, desiredHash: null },
} as const;

describe.each([
  { at: 'Google', open: atGoogle },
  { at: 'Microsoft', open: atMicrosoft },
])('mirror writes at $at', ({ open }) => {
  const write = async (
    target: Target,
    wish: Pick<DueMirror, 'state' | 'desired' | 'desiredHash'>,
    lose: (ref: string) => unknown,
  ) => {
    const { provider, calendarRef } = target;
    const stands = await provider.createMirror(calendarRef, identity, first, signal());
    await lose(stands.ref);
    const row = {
      id: 'm',
      identityKey: key,
      generation: 1,
      attempts: 0,
      appliedHash: contentHash(first),
      ...stands,
      ...wish,
    } as DueMirror;
    return writeBlock(provider, calendarRef, row, identity, signal());
  };

  for (const [what, wish] of Object.entries(wishes)) {
    test(`a mirror that ${what} is not given up when its calendar is gone`, async () => {
      const target = await open();
      await expect(write(target, wish, target.removeCalendar)).rejects.toMatchObject({
        kind: 'not-found',
        code: 'CALENDAR_GONE',
      });
    });

    test(`a mirror that ${what} and was deleted by its user counts as gone`, async () => {
      const target = await open();
      const result = await write(target, wish, target.removeBlock);
      expect(result).toEqual({ kind: wish.state === 'deleting' ? 'removed' : 'gone' });
    });
  }
});
