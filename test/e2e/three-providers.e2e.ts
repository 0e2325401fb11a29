import { expect, type Locator, type Page, test } from '@playwright/test';
import type { GoogleDialect } from '../../src/emulators/google/google.ts';
import { type ControlClient, connectControl } from '../../src/emulators/kit/control-client.ts';
import type { LedgerEntry } from '../../src/emulators/kit/emulator.ts';
import type { MicrosoftDialect } from '../../src/emulators/microsoft/launch.ts';
import { type CaldavServer, whyMissing } from '../harness/caldav-servers.ts';
import { killAll } from '../harness/spawn-holdfast.ts';
import { askIn } from './ask-as.ts';
import { type CountedServer, countRequests } from './counted-server.ts';
import { askToConnect, goTo, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { compact, home, whole } from './read-import.ts';
import {
  blocksWanted,
  type Standing,
  standingAtCaldav,
  standingAtGoogle,
  standingAtMicrosoft,
} from './read-standing.ts';
import type { RemoteCalendar } from './remote-calendar.ts';
import { startHome } from './start-home.ts';
import { desktop, watchPage } from './watched-page.ts';

/**
 * A person's week at three providers at once: a simulated Google, a simulated Outlook and a real Radicale, all mirrored
 * to each other. Each action at one of them is checked at the others, on the screen and in every calendar's data.
 */

const missing = whyMissing('radicale');
test.skip(missing !== null, missing ?? '');
test.use({ actionTimeout: 20_000 });

const dana = { username: 'dana@example.org', password: 'secret' };
const atGoogle = 'dana@gmail.example';
const atMicrosoft = 'dana@contoso.example';

let product: Product;
let radicale: CaldavServer;
let door: CountedServer;
let homeCalendar: RemoteCalendar;
let google: ControlClient<GoogleDialect>;
let microsoft: ControlClient<MicrosoftDialect>;

/** Monday of next week: everything that is done is done there. */
const today = Temporal.Now.zonedDateTimeISO(home).toPlainDate();
const monday = today.add({ days: 8 - today.dayOfWeek });
const at = (day: number, time: string) =>
  monday.add({ days: day }).toZonedDateTime({ timeZone: home, plainTime: Temporal.PlainTime.from(time) });
const stretch = { fromMs: at(0, '00:00').epochMilliseconds, toMs: at(35, '00:00').epochMilliseconds };

test.beforeAll(async () => {
  ({ radicale, home: homeCalendar } = await startHome(dana));
  door = await countRequests(radicale.url);
  product = await startProduct({ allow: [door.url], env: { SIMULATED_PROVIDERS: 'true' } });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
  await door?.close();
  await radicale?.stop();
});

const sides = ['google', 'microsoft', 'radicale'] as const;
type Side = (typeof sides)[number];

/** The three calendars as they stand, in the order of `sides`. */
async function readSides(): Promise<Standing[]> {
  const [atG, atM, events] = await Promise.all([google.snapshot(), microsoft.snapshot(), homeCalendar.events()]);
  return [
    standingAtGoogle(atG, atGoogle, stretch),
    standingAtMicrosoft(atM, atMicrosoft, 'calendar', stretch),
    standingAtCaldav(events, stretch),
  ];
}

/** Every side shows what blocks time on the others, to the minute, once, and nothing else. */
async function expectRightBlocks(timeout = 30_000): Promise<void> {
  await expect(async () => {
    const standing = await readSides();
    expect(standing.map(({ blocks }) => blocks)).toEqual(blocksWanted(standing));
  }).toPass({ timeout, intervals: [100] });
}

interface Write {
  side: Side;
  kind: 'insert' | 'change' | 'remove' | 'refused';
  atMs: number;
}

const kinds: Record<string, Write['kind']> = {
  'events.insert': 'insert',
  'events.patch': 'change',
  'events.update': 'change',
  'events.delete': 'remove',
  'create-event': 'insert',
  'update-event': 'change',
  'delete-event': 'remove',
};

/** Everything that the product wrote so far, as the providers' own books have it. */
async function readWrites(): Promise<Write[]> {
  const emulated = (side: Side, ledger: LedgerEntry[]) =>
    ledger.flatMap(({ operation, status, atMs }): Write[] => {
      const kind = kinds[operation];
      if (kind === undefined) return [];
      return [{ side, kind: status !== null && status < 300 ? kind : 'refused', atMs }];
    });
  const [ofGoogle, ofMicrosoft] = await Promise.all([google.ledger(), microsoft.ledger()]);
  const ofRadicale = door.ledger.flatMap(({ method, isInsert, status, atMs }): Write[] => {
    if (method !== 'PUT' && method !== 'DELETE') return [];
    const kind = method === 'DELETE' ? 'remove' : isInsert ? 'insert' : 'change';
    return [{ side: 'radicale', kind: status < 300 ? kind : 'refused', atMs }];
  });
  return [...emulated('google', ofGoogle), ...emulated('microsoft', ofMicrosoft), ...ofRadicale];
}

/** Objects that the product has at each side. */
async function countBlocks(): Promise<Record<Side, number>> {
  const [ofGoogle, ofMicrosoft, blocks] = await Promise.all([
    google.snapshot(),
    microsoft.snapshot(),
    homeCalendar.blocks(),
  ]);
  const isTagged = (one: unknown) => /holdfast/.test(JSON.stringify(one));
  const everywhere = <T extends { events: unknown[] }>(account: { calendars: Record<string, T> } | undefined) =>
    Object.values(account?.calendars ?? {}).flatMap(({ events }) => events.filter(isTagged)).length;
  return {
    google: everywhere(ofGoogle.accounts[atGoogle]),
    microsoft: everywhere(ofMicrosoft.accounts[atMicrosoft]),
    radicale: blocks.length,
  };
}

const inWords = (writes: readonly Write[]) => writes.map(({ side, kind }) => `${side} ${kind}`).sort();

interface Accounts {
  accounts: { accountId: string; email: string; lastSyncedAt: string | null; simulatedPage: string | null }[];
}
interface Mirrors {
  mirrors: { event_id: string; title: string }[];
  counts: { total: number; created: number; pending: number; failed: number };
}
interface Trail {
  logs: { timestamp: string; type: string; actor: string; status: string }[];
}

/** Presses the button of every account and waits until all have been read and nothing is left to write. */
async function syncNow(page: Page): Promise<void> {
  const ask = askIn(page.request, product.url);
  const pressedAt = Temporal.Now.instant().toString();
  for (const email of [atGoogle, atMicrosoft, dana.username]) {
    await page.getByRole('button', { name: `Sync now ${email}` }).click();
  }
  await expect
    .poll(async () => {
      const { accounts } = await ask<Accounts>('GET', '/integrations/accounts');
      return accounts.filter(({ lastSyncedAt }) => lastSyncedAt === null || lastSyncedAt <= pressedAt);
    })
    .toEqual([]);
  await expect.poll(async () => (await ask<Mirrors>('GET', '/meetings?scope=mirrors')).counts.pending).toBe(0);
}

async function simulate(page: Page, provider: 'Google' | 'Microsoft'): Promise<void> {
  await page.getByRole('button', { name: /^Connect (Calendar )?Account$/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Simulate ${provider}` })
    .click();
  const name = provider === 'Google' ? 'Google' : 'Microsoft Outlook';
  await expect(page.getByText(`${name} account simulated successfully!`)).toBeVisible();
}

async function openSimulated(page: Page, provider: 'Google' | 'Microsoft'): Promise<Page> {
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: `Open Simulated ${provider}` }).click(),
  ]);
  await expect(opened.getByRole('heading', { name: 'New event' }).or(opened.getByText('New event'))).toBeVisible();
  return opened;
}

/** The provider's own page of the week in which everything is done. */
const showAtProvider = async (provider: Page, account: string) => {
  const person = `/people/${encodeURIComponent(account)}?week=${monday.toString()}`;
  await provider.goto(provider.url().replace(/\/people\/.*$/, person));
};

async function createAtProvider(provider: Page, title: string, day: number, from: string, to: string): Promise<void> {
  await provider.getByLabel('Title').fill(title);
  await provider.getByLabel('Day', { exact: true }).fill(monday.add({ days: day }).toString());
  await provider.getByLabel('From').fill(from);
  await provider.getByLabel('To', { exact: true }).fill(to);
  await provider.getByRole('button', { name: 'Create' }).click();
}

async function changeAtProvider(provider: Page, title: string, button: string): Promise<void> {
  await provider.getByRole('link', { name: title }).first().click();
  await provider.getByRole('button', { name: button, exact: true }).click();
}

const stamp = (time: Temporal.ZonedDateTime) =>
  time.toInstant().toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');

function single(uid: string, title: string, start: Temporal.ZonedDateTime, more = ''): string {
  const end = start.add({ hours: 1 });
  return whole(
    `BEGIN:VEVENT\nUID:${uid}\nDTSTAMP:20261101T080000Z\nDTSTART:${stamp(start)}\nDTEND:${stamp(end)}\nSUMMARY:${title}${more}\nEND:VEVENT`,
  );
}

const berlin = `BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
DTSTART:19810329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
DTSTART:19961027T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE`;

/** Tuesdays at seven; `movedTo` is when the first one of the stretch is instead. */
function yoga(movedTo: string | null): string {
  const event = (day: Temporal.PlainDate, time: string, more: string) =>
    `BEGIN:VEVENT\nUID:yoga@home\nDTSTAMP:20261101T080000Z\nDTSTART;TZID=Europe/Berlin:${compact(day)}T${time}00\nDURATION:PT1H\nSUMMARY:Yoga\n${more}\nEND:VEVENT`;
  const first = monday.add({ days: 1 });
  const series = event(first.subtract({ days: 14 }), '0700', 'RRULE:FREQ=WEEKLY');
  const moved =
    movedTo === null ? '' : event(first, movedTo, `RECURRENCE-ID;TZID=Europe/Berlin:${compact(first)}T070000`);
  return whole(`${berlin}\n${series}\n${moved}`);
}

const invitation = (answer: string) =>
  `\nORGANIZER:mailto:mia@example.org\nATTENDEE;PARTSTAT=ACCEPTED:mailto:mia@example.org\nATTENDEE;PARTSTAT=${answer}:mailto:${dana.username}`;

/** A card in the week by title, time (`8:00 – 9:00 PM`) and calendar. */
function card(page: Page, title: string, time: string, calendar: string): Locator {
  const spoken = time.replaceAll(' ', '\\s');
  return page.getByRole('button', { name: new RegExp(`^${title}\\s+${spoken}\\s*,\\s*${calendar}`) });
}

interface Act {
  name: string;
  /** The event it is done to. */
  title: string;
  side: Side;
  run: () => Promise<unknown>;
  /** Effect on the block at each other side. */
  kind: 'insert' | 'change' | 'remove';
  /** Google's blocks are punched out: an instance that moves leaves the series and stands beside it. */
  punchedOut?: boolean;
  /** When the week shows it afterwards, where it is told there; null: it is gone. */
  shown?: string | null;
}

/**
 * Longest time until a change at this side is at every other one, however busy the machine. Two seconds are usual, six
 * for Radicale, which is polled. A change that waits for the next pull of a provider with notices takes minutes.
 * *Units*: ms.
 */
const liveMs: Record<Side, number> = { google: 20_000, microsoft: 20_000, radicale: 30_000 };
const trailOf = { insert: 'mirror.created', change: 'mirror.updated', remove: 'mirror.deleted' };

test('a change at one of three providers reaches the others live and once, and disconnecting leaves no trace', async ({
  page,
}) => {
  const ask = askIn(page.request, product.url);
  test.setTimeout(300_000);
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const [googlePage, outlookPage] = await test.step('connecting three accounts', async () => {
    await homeCalendar.put('yoga.ics', yoga(null));
    await homeCalendar.put(
      'reading.ics',
      single('reading@home', 'Reading group', at(6, '17:00'), invitation('ACCEPTED')),
    );
    await homeCalendar.put('garage.ics', single('garage@home', 'Garage', at(2, '07:00')));
    await watched.expectFailedRequests(() => signUp(page, product, 'dana@example.org'));
    await goTo(page, 'Integrations');
    await simulate(page, 'Google');
    await simulate(page, 'Microsoft');
    await expect(await askToConnect(page, { url: door.url, ...dana })).toBeHidden();
    for (const email of [atGoogle, atMicrosoft, dana.username]) {
      await expect(page.getByRole('button', { name: `Sync now ${email}` })).toBeVisible();
    }
    const { accounts } = await ask<Accounts>('GET', '/integrations/accounts');
    const emulatorOf = (address: string) =>
      new URL(accounts.find(({ email }) => email === address)?.simulatedPage ?? '').origin;
    google = connectControl<GoogleDialect>(emulatorOf(atGoogle));
    microsoft = connectControl<MicrosoftDialect>(emulatorOf(atMicrosoft));
    await expect(page.getByText(/^Live/)).toHaveCount(2, { timeout: 30_000 });
    return [await openSimulated(page, 'Google'), await openSimulated(page, 'Microsoft')] as const;
  });

  await test.step('making a mirror group of one calendar at each', async () => {
    await page.goto(`${product.url}/integrations/mirrors`);
    // The main calendar of each account, and no other.
    await expect(page.getByRole('switch', { name: /^Mirror / })).toHaveCount(6);
    await page.getByRole('button', { name: 'Review changes' }).click();
    const review = page.getByRole('dialog', { name: 'Review changes' });
    await expect(review.getByText(/^\d+ blocks will be added to 3 calendars\./)).toBeVisible();
    await review.getByRole('button', { name: /^Add \d+ blocks$/ }).click();
    await expect(review).toBeHidden();
    await expectRightBlocks(60_000);
    await expect.poll(async () => (await ask<Mirrors>('GET', '/meetings?scope=mirrors')).counts.pending).toBe(0);
    // One insert for each block that stands, and nothing else.
    const stored = await countBlocks();
    expect(inWords(await readWrites())).toEqual(
      sides.flatMap((side) => Array.from({ length: stored[side] }, () => `${side} insert`)),
    );
  });

  const acts: Act[] = [
    {
      name: 'created',
      title: 'Pottery',
      side: 'google',
      run: () => createAtProvider(googlePage, 'Pottery', 2, '20:00', '21:00'),
      kind: 'insert',
      shown: '8:00 – 9:00 PM',
    },
    {
      name: 'moved',
      title: 'Pottery',
      side: 'google',
      run: () => changeAtProvider(googlePage, 'Pottery', 'An hour later'),
      kind: 'change',
      shown: '9:00 – 10:00 PM',
    },
    {
      name: 'one of a series edited',
      title: 'Studying',
      side: 'google',
      run: () =>
        google.act({
          account: atGoogle,
          do: 'move',
          pick: 'Studying',
          at: at(5, '10:00').toInstant().toString(),
          minutes: 180,
        }),
      kind: 'change',
    },
    {
      name: 'declined',
      title: 'Moving help for Jonas',
      side: 'google',
      run: () => google.act({ account: atGoogle, do: 'respond', pick: 'Moving help for Jonas', response: 'declined' }),
      kind: 'remove',
    },
    {
      name: 'deleted',
      title: 'Pottery',
      side: 'google',
      run: () => google.act({ account: atGoogle, do: 'delete', pick: 'Pottery' }),
      kind: 'remove',
      shown: null,
    },
    {
      name: 'created',
      title: 'Retrospective',
      side: 'microsoft',
      run: () => createAtProvider(outlookPage, 'Retrospective', 3, '20:00', '21:00'),
      kind: 'insert',
      shown: '8:00 – 9:00 PM',
    },
    {
      name: 'moved',
      title: 'Retrospective',
      side: 'microsoft',
      run: () => microsoft.act({ account: atMicrosoft, do: 'move', event: 'Retrospective', minutes: 60 }),
      kind: 'change',
      shown: '9:00 – 10:00 PM',
    },
    {
      name: 'one of a series edited',
      punchedOut: true,
      title: 'Write the weekly report',
      side: 'microsoft',
      run: () =>
        microsoft.act({
          account: atMicrosoft,
          do: 'move',
          event: 'Write the weekly report',
          day: monday.add({ days: 4 }).toString(),
          minutes: 60,
        }),
      kind: 'change',
    },
    {
      name: 'declined',
      title: 'Interview panel',
      side: 'microsoft',
      run: () => changeAtProvider(outlookPage, 'Interview panel', 'Decline'),
      kind: 'remove',
    },
    {
      name: 'deleted',
      title: 'Retrospective',
      side: 'microsoft',
      run: () => microsoft.act({ account: atMicrosoft, do: 'delete', event: 'Retrospective' }),
      kind: 'remove',
      shown: null,
    },
    {
      name: 'created',
      title: 'Pilates',
      side: 'radicale',
      run: () => homeCalendar.put('pilates.ics', single('pilates@home', 'Pilates', at(1, '20:00'))),
      kind: 'insert',
      shown: '8:00 – 9:00 PM',
    },
    {
      name: 'moved',
      title: 'Pilates',
      side: 'radicale',
      run: () => homeCalendar.put('pilates.ics', single('pilates@home', 'Pilates', at(1, '21:00'))),
      kind: 'change',
      shown: '9:00 – 10:00 PM',
    },
    {
      name: 'one of a series edited',
      punchedOut: true,
      title: 'Yoga',
      side: 'radicale',
      run: () => homeCalendar.put('yoga.ics', yoga('0615')),
      kind: 'change',
    },
    {
      name: 'declined',
      title: 'Reading group',
      side: 'radicale',
      run: () =>
        homeCalendar.put(
          'reading.ics',
          single('reading@home', 'Reading group', at(6, '17:00'), invitation('DECLINED')),
        ),
      kind: 'remove',
    },
    {
      name: 'deleted',
      title: 'Garage',
      side: 'radicale',
      run: () => homeCalendar.remove('garage.ics'),
      kind: 'remove',
    },
  ];

  const calendarOf: Record<Side, string> = { google: atGoogle, microsoft: 'Calendar', radicale: 'Home' };
  const eventIds = new Map<string, string>();
  const eventIdOf = async (title: string) => {
    const { mirrors } = await ask<Mirrors>('GET', `/meetings?scope=mirrors&search=${encodeURIComponent(title)}`);
    const id = mirrors.find((mirror) => mirror.title === title)?.event_id;
    if (id !== undefined) eventIds.set(title, id);
    return eventIds.get(title);
  };

  // an event and its two blocks at one time do not fit beside each other in narrower days
  await page.setViewportSize({ width: 1920, height: 1000 });
  await page.goto(`${product.url}/calendar?day=${monday.toString()}&mirrors=full`);
  await expect(page.getByRole('region', { name: 'Events' })).not.toHaveAttribute('aria-busy', 'true');
  await Promise.all([showAtProvider(googlePage, atGoogle), showAtProvider(outlookPage, atMicrosoft)]);

  const took: { side: Side; name: string; ms: number }[] = [];
  for (const { name, title, side, run, kind, punchedOut, shown } of acts) {
    await test.step(`${title} ${name} at ${side}`, async () => {
      await eventIdOf(title);
      const before = await readWrites();
      const beforeMs = Temporal.Now.instant().epochMilliseconds;
      await run();
      await expectRightBlocks();

      const writes = (await readWrites()).filter(({ atMs }) => atMs >= beforeMs);
      const wanted = sides.filter((other) => other !== side).map((other) => `${other} ${kind}`);
      if (punchedOut) wanted.push('google insert');
      expect(inWords(writes)).toEqual(wanted.sort());
      expect((await readWrites()).length).toBe(before.length + wanted.length);
      const lastMs = Math.max(...writes.map(({ atMs }) => atMs)) - beforeMs;
      took.push({ side, name, ms: lastMs });
      expect.soft(lastMs, `${title} ${name} at ${side}`).toBeLessThan(liveMs[side]);

      if (shown !== undefined) {
        for (const other of sides) {
          const head = other === side ? title : `Mirror of ${title}`;
          if (shown === null) await expect(page.getByRole('button', { name: new RegExp(`^${head}`) })).toHaveCount(0);
          else await expect(card(page, head, shown, calendarOf[other])).toBeVisible();
        }
      }
      const trail = async () => {
        const { logs } = await ask<Trail>('GET', `/events/${await eventIdOf(title)}/audit`);
        const since = logs.filter(({ timestamp }) => Temporal.Instant.from(timestamp).epochMilliseconds >= beforeMs);
        return since.map(({ type, status }) => `${type} ${status}`).sort();
      };
      const told = [trailOf[kind], trailOf[kind], ...(punchedOut ? ['mirror.created'] : [])];
      await expect.poll(trail).toEqual(told.map((type) => `${type} success`).sort());
    });
  }
  const words = took.map(({ side, name, ms }) => `${side} ${name} ${ms}`);
  process.stdout.write(`From the act to the last block, in ms: ${words.join(', ')}\n`);

  await test.step('a quiet while writes nothing', async () => {
    const before = (await readWrites()).length;
    await watched.look('three-week', { phone: true });
    await Promise.all([showAtProvider(googlePage, atGoogle), showAtProvider(outlookPage, atMicrosoft)]);
    await watchPage(googlePage).look('simulated-google', { phone: true });
    await watchPage(outlookPage).look('simulated-outlook', { phone: true });
    await googlePage.getByRole('link', { name: 'Studying' }).click();
    await watchPage(googlePage).look('simulated-event', { phone: true });
    await showAtProvider(googlePage, atGoogle);
    await goTo(page, 'Integrations');
    await watched.look('three-integrations', { phone: true });
    await page.getByRole('button', { name: 'Connect Account' }).click();
    await expect(page.getByText('Development Mode - Simulate Connections')).toBeVisible();
    await watched.look('three-chooser', { phone: true });
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await syncNow(page);
    await syncNow(page);
    // and Radicale is asked again without anybody who presses
    const asked = door.ledger.length;
    await expect
      .poll(() => door.ledger.length, { timeout: 60_000, message: 'requests at Radicale' })
      .toBeGreaterThan(asked + 1);
    expect((await readWrites()).length).toBe(before);
    await expectRightBlocks();
  });

  await test.step('a calendar left out of the unified availability', async () => {
    const { feeds } = await ask<{ feeds: { content: string; url: string }[] }>('PUT', '/api/published-feeds/events');
    const feed = async () => await (await fetch(feeds.find(({ content }) => content === 'events')?.url ?? '')).text();
    const before = (await readWrites()).length;
    const included = page.getByRole('checkbox', { name: /^Include in unified availability\s*: Home$/ });
    expect(await feed()).toContain('SUMMARY:Pilates');
    await included.click();
    await expect(included).not.toBeChecked();
    await expect.poll(feed).not.toContain('SUMMARY:Pilates');
    await page.reload();
    await expect(included).not.toBeChecked();
    await included.click();
    await expect.poll(feed).toContain('SUMMARY:Pilates');
    expect((await readWrites()).length).toBe(before);
  });

  await test.step('a consent taken back is one click to give again', async () => {
    const sinceMs = Temporal.Now.instant().epochMilliseconds;
    const stored = await countBlocks();
    await microsoft.act({ account: atMicrosoft, do: 'revoke' });
    await createAtProvider(googlePage, 'Late call', 2, '21:00', '22:00');
    const again = page.getByRole('link', { name: `Reconnect ${atMicrosoft}` });
    await expect(again).toBeVisible({ timeout: 30_000 });
    // The others go on, and nothing is taken away.
    await expect.poll(countBlocks).toEqual({ ...stored, radicale: stored.radicale + 1 });
    await watched.look('three-reconnect');
    await again.click();
    await expect(page.getByRole('button', { name: 'Accept' })).toBeVisible();
    await watched.look('simulated-consent', { phone: true });
    await page.getByRole('button', { name: 'Accept' }).click();
    await expect(page.getByText('Microsoft Outlook calendar connected successfully!')).toBeVisible();
    await expect(again).toBeHidden();
    await expectRightBlocks();
    const writes = (await readWrites()).filter(({ atMs, kind }) => atMs >= sinceMs && kind !== 'refused');
    expect(inWords(writes)).toEqual(['microsoft insert', 'radicale insert']);
    expect(await countBlocks()).toEqual({
      ...stored,
      microsoft: stored.microsoft + 1,
      radicale: stored.radicale + 1,
    });
  });

  await test.step('disconnecting one account leaves the others, and no trace', async () => {
    const ownAtGoogle = async () => {
      const { accounts } = await google.snapshot();
      const events = Object.values(accounts[atGoogle]?.calendars ?? {}).flatMap((calendar) => calendar.events);
      return events.filter((event) => !JSON.stringify(event).includes('holdfast'));
    };
    const own = await ownAtGoogle();
    await page.getByRole('button', { name: `Disconnect ${atGoogle}` }).click();
    const question = page.getByRole('dialog', { name: 'Are you sure you want to disconnect this account?' });
    await question.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await expect(page.getByRole('heading', { name: atGoogle })).toHaveCount(0, { timeout: 60_000 });
    expect((await countBlocks()).google).toBe(0);
    expect(await ownAtGoogle()).toEqual(own);
    const { accounts, channels } = await google.snapshot();
    expect(accounts[atGoogle]?.refreshTokens).toBe(0);
    expect(channels.filter(({ live }) => live)).toEqual([]);
    const [, ...rest] = await readSides();
    expect(rest.map(({ blocks }) => blocks)).toEqual(blocksWanted(rest));
    expect((await readWrites()).filter(({ kind, side }) => kind === 'refused' && side !== 'microsoft')).toEqual([]);
    await goTo(page, 'Calendar');
    await expect(page.getByRole('button', { name: /^Mirror of Late call/ })).toHaveCount(0);
  });

  watched.expectQuietConsole();
});
