import { expect, type Locator, type Page, test } from '@playwright/test';
import {
  type CaldavServer,
  createCalendar,
  startRadicale,
  startXandikos,
  whyMissing,
} from '../harness/caldav-servers.ts';
import { killAll } from '../harness/spawn-holdfast.ts';
import { askToConnect, goTo, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { compact, home, newYork, readImport, storyDays, whole } from './read-import.ts';
import { openRemoteCalendar, type RemoteCalendar } from './remote-calendar.ts';
import { desktop, phone, watchPage } from './watched-page.ts';

/**
 * The main job from beginning to end: two accounts on two real servers, a real import on one side, what becomes of it on
 * the other, on the screen and on the server itself.
 */

const dana = { username: 'dana@example.org', password: 'secret' };
const work = { username: 'dana@work.example', password: 'anything' };
const days = storyDays(Temporal.Now.instant());

let radicale: CaldavServer;
let xandikos: CaldavServer;
let product: Product;
let left: RemoteCalendar;
let right: RemoteCalendar;

const missing = whyMissing('radicale') ?? whyMissing('xandikos');
test.skip(missing !== null, missing ?? '');

test.beforeAll(async () => {
  [radicale, xandikos] = await Promise.all([
    startRadicale({ users: { [dana.username]: dana.password } }),
    startXandikos(),
  ]);
  const authorization = (account: typeof dana) => ({
    authorization: `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`,
  });
  // A first sign-in makes Radicale's folder for that person.
  await fetch(`${radicale.url}${dana.username}/`, {
    method: 'PROPFIND',
    headers: { ...authorization(dana), depth: '0' },
  });
  await xandikos.removeCalendar(`${xandikos.url}alice/calendars/calendar/`);
  const [homeUrl, workUrl] = await Promise.all([
    createCalendar(`${radicale.url}${dana.username}/`, 'Home', authorization(dana)),
    createCalendar(`${xandikos.url}alice/calendars/`, 'Work', authorization(work)),
  ]);
  left = openRemoteCalendar({ url: homeUrl, ...dana });
  right = openRemoteCalendar({ url: workUrl, ...work });
  product = await startProduct({ embedded: true, allow: [radicale.url, xandikos.url] });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
  await Promise.all([radicale?.stop(), xandikos?.stop()]);
});

/** A moment of next week's `day` (0 = Sunday) on Dana's clock. */
const at = (day: number, time: string) =>
  days.week.add({ days: day }).toZonedDateTime({ timeZone: home, plainTime: Temporal.PlainTime.from(time) });
const date = (day: number) => days.week.add({ days: day }).toString();

interface Span {
  start: Temporal.ZonedDateTime;
  end: Temporal.ZonedDateTime;
}

const from = (start: Temporal.ZonedDateTime, minutes: number): Span => ({ start, end: start.add({ minutes }) });
const text = ({ start, end }: Span) => `${start.toInstant().toString()}/${end.toInstant().toString()}`;
const single = (uid: string, title: string, { start, end }: Span, more = '') => {
  const stamp = (time: Temporal.ZonedDateTime) => time.toInstant().toString().replaceAll(/[-:]/g, '');
  return whole(
    `BEGIN:VEVENT\nUID:${uid}\nDTSTAMP:20261101T080000Z\nDTSTART:${stamp(start)}\nDTEND:${stamp(end)}\nSUMMARY:${title}${more}\nEND:VEVENT`,
  );
};

const board = from(at(1, '09:00'), 90);
const movedBoard = from(at(1, '15:30'), 60);
const train: Span = { start: at(4, '21:30'), end: at(5, '08:15') };
const dentist = from(at(3, '14:00'), 60);
const workshop = from(at(4, '11:00'), 90);
const lunch = from(at(3, '12:00'), 60);
const gym = from(at(2, '18:00'), 60);
const standup = from(at(1, '11:00'), 15);
const interview = from(at(2, '14:00'), 60);

/** The weekly series on New York's clock: one instance cancelled, one moved to another day, over the clock change. */
const weekly = (cancelled: readonly number[]) =>
  Array.from({ length: 30 }, (_, turn) => turn)
    .filter((turn) => !cancelled.includes(turn))
    .map((turn) => {
      const moved = turn === 2;
      const day = days.shift.add({ days: moved ? 3 : -13 + 7 * turn });
      const start = day.toZonedDateTime({ timeZone: newYork, plainTime: moved ? '15:00' : '09:30' });
      return text(from(start, moved ? 45 : 30));
    })
    .sort();

/** Titles and words of the import that must not be found anywhere on the other side. */
const secrets =
  /board|Lisbon|visit|Vienna|Dentist|workshop|Supplier|Gym|School|New York|Room 4|8841|uwe|FINANCE|VALARM/;

const spansIn = async (calendar: RemoteCalendar) => {
  const blocks = await calendar.blocks();
  expect(blocks.map((block) => [block.title, block.busy])).toEqual(blocks.map(() => ['Busy', true]));
  for (const block of blocks) {
    expect(block.text.replaceAll('TZID:America/New_York', '').replaceAll('TZID=America/New_York', '')).not.toMatch(
      secrets,
    );
  }
  return {
    single: blocks
      .filter((block) => !block.recurring)
      .flatMap((block) => block.spans)
      .sort(),
    blocks,
  };
};

const importedSpans = [
  text(board),
  `${date(2)}/${date(3)}`,
  `${date(3)}/${date(6)}`,
  text(train),
  text(dentist),
  text(workshop),
].sort();

/** `9:00 – 10:30 AM` with the spaces that Unicode has for it. */
function clock({ start, end }: Span): string {
  const half = ({ hour }: Temporal.ZonedDateTime) => (hour < 12 ? 'AM' : 'PM');
  const time = ({ hour, minute }: Temporal.ZonedDateTime) => `${hour % 12 || 12}:${String(minute).padStart(2, '0')}`;
  const sameHalf = half(start) === half(end) && start.toPlainDate().equals(end.toPlainDate());
  return `${time(start)}${sameHalf ? '' : `\\s${half(start)}`}\\s–\\s${time(end)}\\s${half(end)}`;
}

const longDay = (day: { toLocaleString: Temporal.PlainDate['toLocaleString'] }) =>
  day.toLocaleString('en-US', { weekday: 'long', month: 'long', day: 'numeric' });

/** A block of whatever event: to its owner it tells which, to everybody else only Busy. */
const block = '(?:Busy|Mirror of .+?)';

/** A card in the week, by its title, time and calendar. */
function card(page: Page, title: string, span: Span, calendar: string): Locator {
  const here: Span = { start: span.start.withTimeZone(home), end: span.end.withTimeZone(home) };
  return page
    .getByRole('group', { name: longDay(here.start.toPlainDate()) })
    .getByRole('button', { name: new RegExp(`^${title}\\s*${clock(here)}\\s*,\\s*${calendar}`) });
}

const bar = (page: Page, title: string, calendar: string) =>
  page.getByRole('button', { name: new RegExp(`^${title}\\s*,.*, ${calendar}`) });

async function showWeek(page: Page, day: Temporal.PlainDate, mirrors: 'full' | 'slim' = 'full'): Promise<void> {
  await page.goto(`${product.url}/calendar?day=${day.toString()}${mirrors === 'full' ? '&mirrors=full' : ''}`);
  await expect(page.getByRole('region', { name: 'Events' })).not.toHaveAttribute('aria-busy', 'true');
}

async function ask<T>(page: Page, path: string): Promise<T> {
  const response = await page.request.get(`${product.url}${path}`, { headers: { accept: 'application/json' } });
  return (await response.json()) as T;
}

interface Accounts {
  accounts: { email: string; lastSyncedAt: string | null }[];
}
interface Mirrors {
  mirrors: { event_id: string }[];
  counts: { total: number; created: number; pending: number; failed: number; skipped: number };
}

/** Presses both buttons on the Integrations screen, waits until both accounts have been read and nothing is left to write. */
async function syncNow(page: Page): Promise<void> {
  await page.goto(`${product.url}/integrations`);
  const pressedAt = Temporal.Now.instant().toString();
  for (const { username } of [dana, work]) {
    await page.getByRole('button', { name: `Sync now ${username}` }).click();
  }
  await expect
    .poll(async () => {
      const { accounts } = await ask<Accounts>(page, '/integrations/accounts');
      return accounts.map(({ lastSyncedAt }) => lastSyncedAt !== null && lastSyncedAt > pressedAt);
    })
    .toEqual([true, true]);
  await expect.poll(async () => (await ask<Mirrors>(page, '/meetings?scope=mirrors')).counts.pending).toBe(0);
}

test('an event in one calendar is blocked in the other, updated with every change, and removed without a trace', async ({
  page,
}) => {
  // 80 s on an idle machine of two cores, 120 s with eight busy processes beside it.
  test.setTimeout(360_000);
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await page.emulateMedia({ reducedMotion: 'reduce' });

  await test.step('signing up', async () => {
    // A stranger's browser asks who it is, and notes the answer: 401.
    await watched.expectFailedRequests(async () => {
      await page.goto(`${product.url}/signup`);
      await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
    });
    await watched.look('sign-up', { phone: true });
    await page.getByRole('link', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome Back', exact: true })).toBeVisible();
    await watched.look('sign-in', { phone: true });
    await watched.expectFailedRequests(() => signUp(page, product, 'dana@example.org'));
    await goTo(page, 'Calendar');
    await expect(page.getByRole('heading', { name: 'No calendars connected' })).toBeVisible();
    await watched.look('calendar-empty', { phone: true });
  });

  await test.step('connecting two accounts', async () => {
    await goTo(page, 'Integrations');
    await expect(page.getByRole('heading', { name: 'No calendars connected yet' })).toBeVisible();
    await watched.look('integrations-empty', { phone: true });

    await right.put('standup.ics', single('standup@work', 'Stand-up', standup));
    await right.put('interview.ics', single('interview@work', 'Interview', interview));
    await left.put('notes.ics', single('notes@home', 'Read notes', from(at(0, '10:00'), 30), '\nTRANSP:TRANSPARENT'));

    const wrong = await watched.expectFailedRequests(async () => {
      const dialog = await askToConnect(page, { url: radicale.url, ...dana, password: 'not it' });
      await expect(dialog.getByText(/didn't accept the username or password/)).toBeVisible();
      return dialog;
    });
    await watched.look('connect-refused', { phone: true });
    await wrong.getByRole('textbox', { name: 'Password or app password' }).fill(dana.password);
    await wrong.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(page.getByText('CalDAV calendar connected successfully!')).toBeVisible();
    await expect(wrong).toBeHidden();

    const second = await askToConnect(page, { url: xandikos.url, ...work });
    await expect(second).toBeHidden();
    for (const { username } of [dana, work]) {
      await expect(page.getByRole('button', { name: `Sync now ${username}` })).toBeVisible();
    }
    await expect(page.getByRole('status').filter({ hasText: 'Synced Just now' })).toHaveCount(2);
    await watched.look('integrations', { phone: true });
  });

  await test.step('making the mirror group', async () => {
    await page.getByRole('link', { name: 'Mirror groups' }).click();
    for (const name of ['Mirror Home to Work', 'Mirror Work to Home'])
      await expect(page.getByRole('switch', { name })).toBeChecked();
    await expect(page.getByText('2 pairs · 2 blocks to add')).toBeVisible();
    await watched.look('mirrors-new', { phone: true });
    await page.getByRole('button', { name: 'Review changes' }).click();
    const review = page.getByRole('dialog', { name: 'Review changes' });
    await expect(review.getByText('2 blocks will be added to 1 calendar.')).toBeVisible();
    await watched.look('mirrors-review', { phone: true });
    await review.getByRole('button', { name: 'Add 2 blocks' }).click();
    await expect(page.getByText('2/2 synced')).toBeVisible();
    await watched.look('mirrors', { phone: true });
    expect((await spansIn(left)).single).toEqual([text(standup), text(interview)].sort());
    expect((await spansIn(right)).blocks).toEqual([]);
  });

  await test.step('importing an .ics file on one side', async () => {
    for (const [uid, object] of await readImport(days)) await left.put(`${uid.split('@')[0]}.ics`, object);
    await syncNow(page);
    // the plan follows the pull after a moment
    await expect.poll(async () => (await spansIn(right)).single).toEqual(importedSpans);
    const { blocks: all } = await spansIn(right);
    const series = all.filter((block) => block.recurring);
    expect(series).toHaveLength(1);
    expect(series[0]?.spans).toEqual(weekly([1]));
    await expect.poll(async () => (await spansIn(left)).single).toEqual([text(standup), text(interview)].sort());
  });

  await test.step('seeing both calendars in one week', async () => {
    await showWeek(page, days.week);
    for (const [title, span] of [
      ['Quarterly board meeting', board],
      ['Night train to Vienna', train],
      ['Dentist', dentist],
      ['Pricing workshop', workshop],
    ] as const) {
      await expect(card(page, title, span, 'Home')).toBeVisible();
      await expect(card(page, `Mirror of ${title}`, span, 'Work')).toBeVisible();
    }
    for (const [title, span] of [
      ['Stand-up', standup],
      ['Interview', interview],
    ] as const) {
      await expect(card(page, title, span, 'Work')).toBeVisible();
      await expect(card(page, `Mirror of ${title}`, span, 'Home')).toBeVisible();
    }
    for (const title of ['Team offsite in Lisbon', 'Family visit']) {
      await expect(bar(page, title, 'Home')).toHaveCount(1);
      await expect(bar(page, `Mirror of ${title}`, 'Work')).toHaveCount(1);
    }
    // events that block no time have no mirror
    await expect(card(page, 'Supplier lunch', lunch, 'Home')).toHaveAccessibleName(/declined/);
    await expect(card(page, 'Gym, if there is time', gym, 'Home')).toHaveAccessibleName(/shown as free/);
    await expect(card(page, block, lunch, 'Work')).toHaveCount(0);
    await expect(card(page, block, gym, 'Work')).toHaveCount(0);
    await expect(card(page, block, from(at(5, '14:00'), 60), 'Work')).toHaveCount(0);
    // An event and its own block are no conflict.
    await expect(page.getByRole('button', { name: /Quarterly board meeting.*Conflicts/ })).toHaveCount(0);

    await card(page, 'Quarterly board meeting', board, 'Home').click();
    await expect(page.getByRole('dialog').getByText('Mirrored to 1 calendar')).toBeVisible();
    await watched.look('event-card');
    await page.keyboard.press('Escape');
    await card(page, block, dentist, 'Work').click();
    await expect(page.getByRole('dialog').getByText('Mirror of Dentist in Home')).toBeVisible();
    await page.keyboard.press('Escape');
    await watched.look('week-full');
    await showWeek(page, days.week, 'slim');
    await expect(page.getByRole('button', { name: /^Quarterly board meeting/ })).toBeVisible();
    await watched.look('week', { phone: true });
  });

  await test.step('the series over the clock change', async () => {
    const instance = (offset: number, time: string, minutes: number) =>
      from(days.shift.add({ days: offset }).toZonedDateTime({ timeZone: newYork, plainTime: time }), minutes);
    for (const [offset, time, minutes, stands] of [
      [-13, '09:30', 30, true],
      [-6, '09:30', 30, false],
      [1, '09:30', 30, false],
      [3, '15:00', 45, true],
      [8, '09:30', 30, true],
      [15, '09:30', 30, true],
    ] as const) {
      const span = instance(offset, time, minutes);
      await showWeek(page, span.start.toPlainDate());
      await expect(card(page, 'Weekly with New York', span, 'Home')).toHaveCount(stands ? 1 : 0);
      await expect(card(page, block, span, 'Work')).toHaveCount(stands ? 1 : 0);
    }
  });

  await test.step('a second pass writes nothing', async () => {
    const before = [await left.versions(), await right.versions()];
    await syncNow(page);
    await syncNow(page);
    expect([await left.versions(), await right.versions()]).toEqual(before);
  });

  await test.step('edits and deletions follow', async () => {
    const objects = await readImport(days);
    const seriesText = objects.get('weekly@desk.example.org') ?? '';
    const cancelled = `BEGIN:VEVENT\r\nUID:weekly@desk.example.org\r\nDTSTAMP:20261101T090000Z\r\nRECURRENCE-ID;TZID=America/New_York:${compact(days.shift.add({ days: 15 }))}T093000\r\nDTSTART;TZID=America/New_York:${compact(days.shift.add({ days: 15 }))}T093000\r\nDTEND;TZID=America/New_York:${compact(days.shift.add({ days: 15 }))}T100000\r\nSTATUS:CANCELLED\r\nSUMMARY:Weekly with New York\r\nEND:VEVENT\r\n`;
    await left.put('board.ics', single('board@desk.example.org', 'Quarterly board meeting', movedBoard));
    await left.put('weekly.ics', seriesText.replace('END:VCALENDAR', `${cancelled}END:VCALENDAR`));
    await left.put(
      'lunch.ics',
      (objects.get('lunch@desk.example.org') ?? '').replace('PARTSTAT=DECLINED', 'PARTSTAT=ACCEPTED'),
    );
    await left.remove('dentist.ics');
    await right.remove('standup.ics');
    await syncNow(page);
    await expect
      .poll(async () => (await spansIn(right)).single)
      .toEqual(
        [
          ...importedSpans.filter((span) => span !== text(board) && span !== text(dentist)),
          text(movedBoard),
          text(lunch),
        ].sort(),
      );
    const series = (await spansIn(right)).blocks.filter((block) => block.recurring);
    expect(series.map((block) => block.spans)).toEqual([weekly([1, 4])]);
    await expect.poll(async () => (await spansIn(left)).single).toEqual([text(interview)]);

    await showWeek(page, days.week);
    await expect(card(page, block, movedBoard, 'Work')).toBeVisible();
    await expect(card(page, block, lunch, 'Work')).toBeVisible();
    await expect(card(page, block, board, 'Work')).toHaveCount(0);
    await expect(card(page, block, dentist, 'Work')).toHaveCount(0);
    await expect(card(page, block, standup, 'Home')).toHaveCount(0);
  });

  await test.step('a block that its user moved goes back to its place', async () => {
    const standing = (await right.blocks()).find((one) => one.spans[0] === text(movedBoard));
    if (standing === undefined) throw new Error('the block of the moved meeting is gone');
    const stamp = ({ start }: Span) => start.toInstant().toString().replaceAll(/[-:]/g, '');
    await right.put(standing.name, standing.text.replaceAll(stamp(movedBoard), stamp(from(at(1, '15:00'), 90))));
    expect((await right.blocks()).map((one) => one.spans[0])).not.toContain(text(movedBoard));
    await syncNow(page);
    await expect.poll(async () => (await right.blocks()).map((one) => one.spans[0])).toContain(text(movedBoard));
  });

  await test.step('kill -9 in the middle of the work', async () => {
    const many = Array.from({ length: 80 }, (_, turn) =>
      from(at(8 + Math.floor(turn / 8), `${8 + (turn % 8)}:00`.padStart(5, '0')), 25),
    );
    // before them: the heartbeat may mirror the first while the last are put
    const standing = (await right.blocks()).length;
    for (const [turn, span] of many.entries())
      await left.put(`many-${turn}.ics`, single(`many-${turn}@home`, `Call ${turn}`, span));

    await page.goto(`${product.url}/integrations`);
    await page.getByRole('button', { name: `Sync now ${dana.username}` }).click();
    await watched.expectFailedRequests(async () => {
      await expect
        .poll(async () => (await right.names()).length, { intervals: [20] })
        .toBeGreaterThan(standing + 1 + 5);

      await product.crash();
      expect((await right.blocks()).length).toBeLessThan(standing + many.length);

      await product.restart();

      await expect
        .poll(async () => (await right.blocks()).map((block) => block.spans[0]), { timeout: 60_000 })
        .toEqual(expect.arrayContaining(many.map(text)));

      // the page that stayed open reconnects to its server
      await expect(page.getByRole('status').filter({ hasText: /^Synced/ })).toHaveCount(2, { timeout: 30_000 });
    });
    await syncNow(page);
    await expect.poll(async () => (await spansIn(right)).blocks.length).toBe(standing + many.length);
    await expect.poll(async () => (await spansIn(left)).single).toEqual([text(interview)]);
  });

  await test.step('the console tells what happened', async () => {
    await goTo(page, 'Meetings');
    await page.getByRole('tab', { name: /^Mirrors/ }).click();
    const row = page.getByRole('row', { name: /Quarterly board meeting/ });
    await expect(row.getByText('Created')).toBeVisible();
    await expect(page.getByRole('row', { name: /Night train to Vienna/ }).getByText('Created')).toBeVisible();
    await watched.look('meetings', { phone: true });
    await row.getByRole('button', { name: /^View/ }).click();
    await expect(page.getByRole('dialog', { name: 'Mirror Event Details' })).toBeVisible();
    await watched.look('mirror-details', { phone: true });
    await page.getByRole('button', { name: 'View Full Audit Log' }).click();
    const audit = page.getByRole('dialog', { name: 'Mirror Audit Log' });
    for (const type of ['mirror.created', 'mirror.updated']) {
      await expect(audit.getByText(type).first()).toBeVisible();
    }
    await watched.look('audit', { phone: true });
    await audit.getByRole('button', { name: 'Close' }).last().click();

    // An event that no longer blocks has no mirror any more; its trail stays.
    const {
      mirrors: [mirror],
    } = await ask<Mirrors>(page, '/meetings?scope=mirrors&search=board');
    await left.put(
      'board.ics',
      single('board@desk.example.org', 'Quarterly board meeting', movedBoard, '\nTRANSP:TRANSPARENT'),
    );
    await syncNow(page);
    await goTo(page, 'Meetings');
    await page.getByRole('tab', { name: /^Mirrors/ }).click();
    await expect(page.getByRole('row', { name: /Night train to Vienna/ })).toBeVisible();
    await expect(row).toHaveCount(0);
    const { logs } = await ask<{ logs: { type: string }[] }>(page, `/events/${mirror?.event_id}/audit`);
    expect(logs.map((line) => line.type)).toEqual(
      expect.arrayContaining(['mirror.created', 'mirror.updated', 'mirror.deleted']),
    );
  });

  await test.step('the same screens on a phone', async () => {
    await page.setViewportSize(phone);
    await showWeek(page, days.week, 'slim');
    await page
      .getByRole('button', { name: /^Night train to Vienna/ })
      .first()
      .click();
    await expect(page.getByRole('dialog').getByText('Mirrored to 1 calendar')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.goto(`${product.url}/integrations/mirrors`);
    await expect(page.getByRole('heading', { name: 'Mirrors', exact: true })).toBeVisible();
    await page.setViewportSize(desktop);
  });

  await test.step('disconnecting leaves no trace', async () => {
    const own = async (calendar: RemoteCalendar) =>
      new Map([...(await calendar.objects())].filter(([, body]) => !body.includes('X-HOLDFAST-MIRROR')));
    const before = [await own(left), await own(right)];
    await page.goto(`${product.url}/integrations`);
    await page.getByRole('button', { name: `Disconnect ${dana.username}` }).click();
    const question = page.getByRole('dialog', { name: 'Are you sure you want to disconnect this account?' });
    await watched.look('disconnect', { phone: true });
    await question.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await expect(page.getByRole('heading', { name: dana.username })).toHaveCount(0, { timeout: 30_000 });
    await page.getByRole('button', { name: `Disconnect ${work.username}` }).click();
    await question.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'No calendars connected yet' })).toBeVisible({ timeout: 30_000 });
    expect([await left.objects(), await right.objects()]).toEqual(before);
  });

  watched.expectQuietConsole();
});
