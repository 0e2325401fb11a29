import { createClock } from '../../src/emulators/kit/clock.ts';
import { embedMicrosoft, type MicrosoftEmulator } from '../../src/emulators/microsoft/launch.ts';
import type { Calendar } from '../../src/emulators/microsoft/world.ts';
import type { TagVerifier } from '../../src/kernel/mirror-identity.ts';
import { openMicrosoft } from '../../src/providers/microsoft/provider.ts';
import type { AccessTokens, CalendarProvider, PullEnd, PullPage, PullRequest } from '../../src/providers/port.ts';

export const mailboxAddress = 'alice@contoso.example';

/** A mailbox at the Microsoft emulator in this process, its clock standing at 2027-02-15, without sockets. */
export interface MicrosoftMailbox {
  emulator: MicrosoftEmulator;
  nowMs(): number;
  advance(ms: number): void;
  /** A calendar of this test's own, and its Graph id. */
  addCalendar(key: string): Promise<string>;
  calendar(key: string): Calendar;
  open(tags: TagVerifier, options?: { tokens?: AccessTokens; timeoutMs?: number }): CalendarProvider;
  /** Grants again; `open` without tokens uses the last grant. */
  grant(): Promise<string>;
}

export async function openMailbox(): Promise<MicrosoftMailbox> {
  const clock = createClock(Temporal.Instant.from('2027-02-15T12:00:00Z').epochMilliseconds);
  const emulator = embedMicrosoft({ clock });
  const { control } = emulator;
  await control.seed({ account: mailboxAddress, calendars: [{ key: 'default', name: 'Calendar' }] });
  let token = '';
  const mailbox: MicrosoftMailbox = {
    emulator,
    nowMs: clock.now,
    advance: clock.advance,
    async addCalendar(key) {
      await control.seed({ account: mailboxAddress, calendars: [{ key, name: key }] });
      const found = (await control.snapshot()).accounts[mailboxAddress]?.calendars[key];
      if (found === undefined) throw new Error(`The emulator has no calendar ${key}`);
      return found.id;
    },
    calendar(key) {
      const found = emulator.emulator.world.mailboxes.get(mailboxAddress)?.calendars.get(key);
      if (found === undefined) throw new Error(`The emulator has no calendar ${key}`);
      return found;
    },
    open: (tags, { tokens, timeoutMs } = {}) =>
      openMicrosoft({
        baseUrl: emulator.urls.graphBase,
        tokens: tokens ?? { get: () => Promise.resolve(token), refuse: () => undefined },
        fetch: emulator.fetch,
        selfAddresses: [mailboxAddress],
        tags,
        nowMs: clock.now,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      }),
    async grant() {
      const granted = await control.act({ do: 'grant', account: mailboxAddress });
      token = String(granted.accessToken);
      return token;
    },
  };
  await mailbox.grant();
  return mailbox;
}

export interface Pulled extends PullPage {
  pages: number;
  end: PullEnd;
}

/** A whole pull, its pages laid together. */
export async function pullAll(
  provider: CalendarProvider,
  request: Pick<PullRequest, 'calendarRef'> & Partial<PullRequest>,
): Promise<Pulled> {
  const pages = provider.pull({
    cursor: null,
    full: false,
    known: () => Promise.resolve(new Map()),
    signal: AbortSignal.timeout(20_000),
    ...request,
  });
  const all: PullPage = { items: [], gone: [] };
  for (let count = 0; ; count += 1) {
    const step: IteratorResult<PullPage, PullEnd> = await pages.next();
    if (step.done) return { ...all, pages: count, end: step.value };
    all.items.push(...step.value.items);
    all.gone.push(...step.value.gone);
  }
}
