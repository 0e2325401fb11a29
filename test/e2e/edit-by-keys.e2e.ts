import { expect, type Page, test } from '@playwright/test';
import type { GoogleDialect } from '../../src/emulators/google/google.ts';
import { connectControl } from '../../src/emulators/kit/control-client.ts';
import type { MicrosoftDialect } from '../../src/emulators/microsoft/launch.ts';
import { type CaldavServer, whyMissing } from '../harness/caldav-servers.ts';
import { killAll } from '../harness/spawn-holdfast.ts';
import { askIn } from './ask-as.ts';
import { pickByKeys, pressByKeys, tabTo, walkTo } from './by-keys.ts';
import { signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { type Occurrence, occurrencesAtCaldav, occurrencesAtGoogle, occurrencesAtMicrosoft } from './read-standing.ts';
import type { RemoteCalendar } from './remote-calendar.ts';
import { startHome } from './start-home.ts';
import { desktop, watchPage } from './watched-page.ts';

/**
 * Editing by keyboard, in New York with the browser in Tokyo, across the end of New York's daylight saving time. A
 * series and an event are made, changed, and undone. The servers are a simulated Google, a simulated Microsoft and a
 * real Radicale. The screen matches the provider's data on both sides of the change.
 */

const missing = whyMissing('radicale');
test.skip(missing !== null, missing ?? '');
test.use({ actionTimeout: 20_000, timezoneId: 'Asia/Tokyo' });

const zone = 'America/New_York';
const dana = { username: 'dana@example.org', password: 'secret' };
const atGoogle = 'dana@gmail.example';
const atMicrosoft = 'dana@contoso.example';

/** The day whose clocks go back, some weeks ahead. */
function nextAutumn(): Temporal.PlainDate {
  let at = Temporal.Now.zonedDateTimeISO(zone).add({ days: 21 });
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (next === null) throw new Error(`${zone} keeps its clocks as they are`);
    if (next.offsetNanoseconds < next.subtract({ hours: 1 }).offsetNanoseconds) return next.toPlainDate();
    at = next;
  }
}

const sunday = nextAutumn();
const day = (days: number) => sunday.add({ days });
/** A time of New York's clock, so many days after the change: an instant. */
const at = (days: number, time: string) =>
  day(days)
    .toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(time) })
    .toInstant();
const span = (days: number, from: string, to: string) => `${at(days, from).toString()}/${at(days, to).toString()}`;
const stretch = { fromMs: at(-6, '00:00').epochMilliseconds, toMs: at(40, '00:00').epochMilliseconds };

let product: Product;
let radicale: CaldavServer;
let home: RemoteCalendar;

test.beforeAll(async () => {
  ({ radicale, home } = await startHome(dana));
  product = await startProduct({ allow: [radicale.url], env: { SIMULATED_PROVIDERS: 'true' } });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
  await radicale?.stop();
});

/** A calendar at one provider, and what is made there. */
interface Side {
  name: string;
  /** As the list of calendars has it. */
  calendar: string;
  series: string;
  /** Hour at which each day of the series begins. */
  hour: number;
  night: string;
  read: () => Promise<Occurrence[]>;
}

async function connectAll(page: Page): Promise<[Side, Side, Side]> {
  const ask = askIn(page.request, product.url);
  const simulate = async (provider: string) => {
    const { account } = await ask<{ account: { simulatedPage: string } }>('POST', '/dev/simulate/connect', {
      provider,
    });
    return new URL(account.simulatedPage).origin;
  };
  const google = connectControl<GoogleDialect>(await simulate('google'));
  const microsoft = connectControl<MicrosoftDialect>(await simulate('microsoft'));
  await ask('POST', '/api/connections/caldav', { profile: 'generic', url: radicale.url, ...dana });
  return [
    {
      name: 'Google',
      calendar: `· ${atGoogle}`,
      series: 'Gym',
      hour: 9,
      night: 'Watch',
      read: async () => occurrencesAtGoogle(await google.snapshot(), atGoogle, stretch),
    },
    {
      name: 'Microsoft',
      calendar: '· Calendar',
      series: 'Mentoring',
      hour: 11,
      night: 'Backup',
      read: async () => occurrencesAtMicrosoft(await microsoft.snapshot(), atMicrosoft, 'calendar', stretch),
    },
    {
      name: 'Radicale',
      calendar: '· Home',
      series: 'Cello',
      hour: 14,
      night: 'Comet',
      read: async () => occurrencesAtCaldav(await home.events()),
    },
  ];
}

/** `09:30` */
const clock = (hour: number, minute = 0) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;

/** The series that the form has made at the first side. */
async function createSeries(page: Page, { series, calendar, hour }: Side): Promise<void> {
  const ask = askIn(page.request, product.url);
  const { calendars } = await ask<{ calendars: { id: string; name: string }[] }>('GET', '/api/calendars');
  await ask('POST', '/events', {
    calendar_id: calendars.find(({ name }) => `· ${name}` === calendar)?.id,
    title: series,
    when: {
      kind: 'timed',
      start: `${day(-1).toString()}T${clock(hour)}`,
      end: `${day(-1).toString()}T${clock(hour + 1)}`,
      zone,
    },
    recurrence: 'FREQ=WEEKLY;BYDAY=SA,SU;COUNT=6',
    description: '',
    location: '',
    meeting_link: null,
    attendees: [],
    busy: 'busy',
    private: false,
    reminders: null,
    tell_guests: false,
  });
}

/** `1:30 – 2:30 PM`, as a card says it. */
function spoken(from: string, to: string): string {
  const [start, end] = [from, to].map((time) => {
    const [hour = 0, minute = 0] = time.split(':').map(Number);
    return { text: `${hour % 12 || 12}:${String(minute).padStart(2, '0')}`, half: hour < 12 ? 'AM' : 'PM' };
  });
  if (start === undefined || end === undefined) throw new Error('no time');
  return `${start.text}${start.half === end.half ? '' : `\\s${start.half}`} – ${end.text}\\s${end.half}`;
}

test('a series and an event are created, edited, and undone by keyboard across a DST change', async ({ page }) => {
  const watched = watchPage(page);
  const { keyboard } = page;
  const ask = askIn(page.request, product.url);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signUp(page, product, 'dana@example.org'));
  await ask('PATCH', '/api/account/preferences', { timezone: zone, weekStart: 1 });
  const sides = await connectAll(page);
  const [first, ...others] = sides;
  // From here on nothing is clicked.
  await page.goto(`${product.url}/calendar?day=${day(0).toString()}`);
  await keyboard.press('Escape');

  const longDay = (days: number) =>
    day(days).toLocaleString('en-US', { weekday: 'long', month: 'long', day: 'numeric' });
  const hourName = (hour: number) => `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`;
  const slot = (days: number, hour: number) =>
    page.getByRole('button', { name: `${longDay(days)}, ${hourName(hour)}`, exact: true });
  const card = (title: string, from: string, to: string) =>
    page.getByRole('button', { name: new RegExp(`^${title} ${spoken(from, to)}`) });
  const form = page.getByRole('dialog', { name: /^(Create|Edit) Event$/ });
  const question = page.getByRole('dialog', { name: 'Change repeating event' });
  const answer = async (scope: 'This event' | 'This and following events' | 'All events') => {
    const choice = question.getByRole('radio', { name: scope });
    await expect(question.getByRole('radio').and(page.locator(':focus'))).toBeVisible();
    for (let presses = 0; presses < 3 && !(await choice.isChecked()); presses += 1) await keyboard.press('ArrowDown');
    await expect(choice).toBeChecked();
    await pressByKeys(question.getByRole('button', { name: 'Save' }));
  };
  const shift = async (held: 'Shift' | 'Alt', key: string, times: number) => {
    await keyboard.down(held);
    for (let time = 0; time < times; time += 1) await keyboard.press(key);
    await keyboard.up(held);
  };
  const range = `from=${at(-6, '00:00').toString()}&to=${at(10, '00:00').toString()}`;
  /** Nothing waits, and it stands at every provider: the events of these titles at these times, by the instant. */
  const expectAtProviders = async (wanted: (side: Side) => Record<string, string[]>) => {
    await expect(async () => {
      const { edits } = await ask<{ edits: { state: string; title: string }[] }>('GET', `/api/edits?${range}`);
      expect(edits.filter(({ state }) => state !== 'done' && state !== 'undone')).toEqual([]);
      for (const side of sides) {
        const all = await side.read();
        const spansOf = (title: string) =>
          all.flatMap((one) => (one.title.split(' / ').includes(title) ? [one.span] : [])).sort();
        const found = Object.keys(wanted(side)).map((title) => [title, spansOf(title)]);
        expect(Object.fromEntries(found), side.name).toEqual(wanted(side));
      }
    }).toPass({ timeout: 30_000, intervals: [50] });
  };

  await test.step('a series on both sides of the change, with a rule of its own', async () => {
    const { series, calendar, hour } = first;
    await walkTo(slot(-1, hour));
    await keyboard.press('Enter');
    await expect(form.getByLabel('Title')).toBeFocused();
    await keyboard.type(series);
    await pickByKeys(form.getByRole('combobox', { name: 'Target Calendar' }), calendar);
    await pressByKeys(form.getByRole('button', { name: 'More options' }));
    await expect(form.getByLabel('Title')).toBeFocused();
    await expect(form.getByLabel('Title')).toHaveValue(series);
    // Arrows pass by all that has a name; the editor begins at the last of it.
    await pickByKeys(form.getByRole('combobox', { name: 'Repeats' }), 'Custom...');
    await pickByKeys(form.getByRole('combobox', { name: 'Unit' }), 'week');
    await keyboard.press('Shift+Tab');
    await keyboard.press('ArrowDown');
    await expect(form.getByRole('spinbutton', { name: 'Every' })).toHaveValue('1');
    await tabTo(form.getByRole('button', { name: 'Sunday' }));
    await keyboard.press('Space');
    await pickByKeys(form.getByRole('combobox', { name: 'Ends' }), 'After');
    await tabTo(form.getByRole('spinbutton', { name: 'Times' }));
    await keyboard.press('End');
    await keyboard.press('Backspace');
    await keyboard.press('Backspace');
    await keyboard.type('6');
    await expect(form.getByText('Every week on Saturday and Sunday 6 times')).toBeVisible();
    await watched.look('by-keys-rule', { phone: true });
    await keyboard.press('Enter');
    await expect(form).toBeHidden();
    await expect(slot(-1, hour)).toBeFocused();
    // The same form would be filled in twice more.
    for (const side of others) await createSeries(page, side);
    for (const side of sides) {
      await expect(card(side.series, clock(side.hour), clock(side.hour + 1))).toHaveCount(2);
    }
    await expectAtProviders((side) => ({
      [side.series]: [-1, 0, 6, 7, 13, 14].map((days) => span(days, clock(side.hour), clock(side.hour + 1))),
    }));
  });

  await test.step('this one: the first after the change, half an hour later', async () => {
    for (const { series, hour } of sides) {
      await walkTo(card(series, clock(hour), clock(hour + 1)).nth(1));
      await shift('Shift', 'ArrowDown', 2);
      await answer('This event');
      await expect(card(series, clock(hour, 30), clock(hour + 1, 30))).toBeFocused();
      await expect(card(series, clock(hour), clock(hour + 1))).toHaveCount(1);
    }
    await expectAtProviders(({ series, hour }) => ({
      [series]: [
        span(-1, clock(hour), clock(hour + 1)),
        span(0, clock(hour, 30), clock(hour + 1, 30)),
        ...[6, 7, 13, 14].map((days) => span(days, clock(hour), clock(hour + 1))),
      ],
    }));
  });

  await test.step('all of them, from before the change: an hour earlier', async () => {
    for (const { series, hour } of sides) {
      await walkTo(card(series, clock(hour), clock(hour + 1)));
      await shift('Shift', 'ArrowUp', 4);
      await answer('All events');
      await expect(card(series, clock(hour - 1), clock(hour))).toBeFocused();
      await expect(card(series, clock(hour, 30), clock(hour + 1, 30))).toHaveCount(1);
    }
    await expectAtProviders(({ series, hour }) => ({
      [series]: [
        span(-1, clock(hour - 1), clock(hour)),
        span(0, clock(hour, 30), clock(hour + 1, 30)),
        ...[6, 7, 13, 14].map((days) => span(days, clock(hour - 1), clock(hour))),
      ],
    }));
  });

  await test.step('this and following: another name, and at Google another rule', async () => {
    await keyboard.press('j');
    for (const { series, hour } of sides) {
      await walkTo(card(series, clock(hour - 1), clock(hour)).first());
      await keyboard.press('e');
      await expect(form.getByLabel('Title')).toHaveValue(series);
      await expect(form.getByLabel('Title')).toBeFocused();
      await keyboard.press('End');
      await keyboard.type(' later');
      if (series === first.series) {
        await tabTo(form.getByRole('button', { name: 'Sunday' }));
        await keyboard.press('Space');
        await pickByKeys(form.getByRole('combobox', { name: 'Ends' }), 'On date');
        await tabTo(form.getByLabel('Last day'));
        await keyboard.press('ControlOrMeta+a');
        await keyboard.type(day(20).toString());
        await expect(form.getByLabel('Last day')).toHaveValue(day(20).toString());
      }
      await keyboard.press('Enter');
      await answer('This and following events');
      await expect(form).toBeHidden();
      // the event has another id by now, and the focus
      await expect(card(`${series} later`, clock(hour - 1), clock(hour)).and(page.locator(':focus'))).toBeVisible();
      await expect(card(series, clock(hour - 1), clock(hour))).toHaveCount(0);
    }
    await expectAtProviders(({ series, hour }) => ({
      [series]: [span(-1, clock(hour - 1), clock(hour)), span(0, clock(hour, 30), clock(hour + 1, 30))],
      [`${series} later`]: (series === first.series ? [6, 13, 20] : [6, 7, 13, 14]).map((days) =>
        span(days, clock(hour - 1), clock(hour)),
      ),
    }));
    await keyboard.press('k');
  });

  await test.step('an event in the night itself, made longer, moved to the day before', async () => {
    // Room for three cards at the same time.
    await page.setViewportSize({ ...desktop, width: 1920 });
    for (const { night, calendar } of sides) {
      await walkTo(slot(0, 0));
      await keyboard.press('Enter');
      await expect(form.getByLabel('Title')).toBeFocused();
      await keyboard.type(night);
      await pickByKeys(form.getByRole('combobox', { name: 'Target Calendar' }), calendar);
      await pressByKeys(form.getByRole('button', { name: /^(Save|Create anyway)$/ }));
      await expect(form).toBeHidden();
      await expect(card(night, '00:00', '01:00')).toBeVisible();
      await expect(slot(0, 0)).toBeFocused();
    }
    // Where one o'clock is there twice the first is meant; ical.js, which reads Radicale here, takes the second.
    await expectAtProviders(({ name, night }) => (name === 'Radicale' ? {} : { [night]: [span(0, '00:00', '01:00')] }));

    // Three hours on the clock, four that passed.
    for (const { night } of sides) {
      await walkTo(card(night, '00:00', '01:00'));
      await shift('Alt', 'ArrowDown', 8);
      await expect(card(night, '00:00', '03:00')).toBeFocused();
    }
    await expectAtProviders(({ night }) => ({ [night]: [span(0, '00:00', '03:00')] }));

    for (const { night } of sides) {
      await walkTo(card(night, '00:00', '03:00'));
      await shift('Shift', 'ArrowLeft', 1);
      await expect(card(night, '00:00', '04:00')).toBeFocused();
    }
    await expectAtProviders(({ night }) => ({ [night]: [span(-1, '00:00', '04:00')] }));
  });

  await test.step('deleted, and taken back; what was moved too', async () => {
    for (const { night } of sides) {
      await walkTo(card(night, '00:00', '04:00'));
      await keyboard.press('Delete');
      await expect(card(night, '00:00', '04:00')).toHaveCount(0);
      // a deletion by keyboard keeps the focus in the grid
      await expect(page.locator('[data-grid] :focus')).toBeVisible();
      await keyboard.press('ControlOrMeta+z');
      await expect(page.getByText(`Undone: ${night}`)).toBeVisible();
      await expect(card(night, '00:00', '04:00')).toBeVisible();
    }
    await expectAtProviders(({ night }) => ({ [night]: [span(-1, '00:00', '04:00')] }));
    for (const { night } of sides.toReversed()) {
      await keyboard.press('ControlOrMeta+z');
      await expect(card(night, '00:00', '03:00')).toBeVisible();
    }
    await expectAtProviders(({ night }) => ({ [night]: [span(0, '00:00', '03:00')] }));
  });

  await test.step('and so it is when the page comes again', async () => {
    await page.reload();
    for (const { series, night, hour } of sides) {
      await expect(card(series, clock(hour - 1), clock(hour))).toHaveCount(1);
      await expect(card(series, clock(hour, 30), clock(hour + 1, 30))).toHaveCount(1);
      await expect(card(night, '00:00', '03:00')).toHaveCount(1);
    }
    await watched.look('by-keys-november');
  });
  watched.expectQuietConsole();
});
