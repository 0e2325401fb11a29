import { expect, test } from '@playwright/test';
import { features } from '../../../src/features.ts';
import { findOutdated, readRecord } from './record.ts';
import { takeLooks } from './take-looks.ts';

/** Every screen of the app, of what the product answered once: `record.ts`. */

/** Under no name that the compiler follows: behind it are the components of the browser, of which this side knows nothing. */
const listOfScreens: string = '../../../src/web/screens.ts';
const { screens } = (await import(listOfScreens)) as { screens: readonly { path: string }[] };

/** Seen in looks.e2e.ts, on a week that was thought out. */
const typedByHand = ['/calendar', '/meetings', '/dashboard'];

/** Routes without a picture, with the reason. */
const without: Readonly<Record<string, string>> = {
  '/': 'the landing page, as at /home',
  '/availability/links': 'leads on to /booking-links',
  '/availability/links/$typeId': 'leads on to /booking-links/$typeId',
  '/booked/$token/calendar.ics': 'a file that is kept',
};

test('every route has recorded pictures, and the recorded answers match the contracts', () => {
  const record = readRecord();
  const routes = [
    ...screens.map(({ path }) => path),
    ...features
      .flatMap(({ pages = [] }) => pages.filter(({ method }) => method === 'GET'))
      .map(({ path }) => path.replace(/\{(\w+)\}/g, '$$$1')),
  ];
  const seen = [...record.sights.map(({ route }) => route), ...typedByHand, ...Object.keys(without)];
  expect.soft(routes.filter((route) => !seen.includes(route))).toEqual([]);
  expect.soft(seen.filter((route) => !routes.includes(route))).toEqual([]);
  expect.soft(findOutdated(record)).toEqual([]);
});

/** A picture says what is wrong; a trace of each step was a sixth of the time. */
test.use({ trace: 'off' });
takeLooks('person', 'admin');
