import { expect, test } from 'vitest';
import { findZones, listCountries } from './find-zones.ts';

const zones = Intl.supportedValuesOf('timeZone');
const find = (typed: string) => findZones(typed, zones).map(({ zone, city }) => `${city}: ${zone}`);

test.each([
  ['new y', 'New York: America/New_York'],
  ['NEW YORK', 'New York: America/New_York'],
  ['  tokyo ', 'Tokyo: Asia/Tokyo'],
  ['são paulo', 'Sao Paulo: America/Sao_Paulo'],
  ['zürich', 'Zurich: Europe/Zurich'],
  ['munich', 'Munich: Europe/Berlin'],
  ['san fr', 'San Francisco: America/Los_Angeles'],
  ['ニューヨーク', 'ニューヨーク: America/New_York'],
  ['kathmandu', 'Kathmandu: Asia/Kathmandu'],
  ['katmandu', 'Katmandu: Asia/Kathmandu'],
  ['yangon', 'Yangon: Asia/Yangon'],
  ['ho chi minh', 'Ho Chi Minh: Asia/Ho_Chi_Minh'],
  ['nuuk', 'Nuuk: America/Nuuk'],
  ['nyc', 'NYC: America/New_York'],
])('the first zone for %o is %s', (typed, first) => {
  expect(find(typed)[0]).toBe(first);
});

test('a region finds its cities, and the list is short', () => {
  const found = find('argentina');
  expect(found.length).toBeGreaterThan(3);
  for (const one of found) expect(one).toContain('Argentina');
  expect(find('a')).toHaveLength(8);
  expect(find('nowhere at all')).toEqual([]);
  expect(find('  ')).toEqual([]);
});

test.each([
  ['India', 'en', ['Kolkata: Asia/Kolkata']],
  ['indien', 'de', ['Kolkata: Asia/Kolkata']],
  ['インド', 'ja', ['Kolkata: Asia/Kolkata']],
  ['Germany', 'fr', ['Berlin: Europe/Berlin']],
  ['Australia', 'en', ['Sydney: Australia/Sydney', 'Perth: Australia/Perth']],
  ['united states', 'en', ['New York: America/New_York', 'Los Angeles: America/Los_Angeles']],
  ['USA', 'ja', ['New York: America/New_York']],
  ['uk', 'de', ['London: Europe/London']],
  ['canada', 'en', ['Toronto: America/Toronto', 'Vancouver: America/Vancouver']],
])('the country %s finds its largest cities', (typed, language, cities) => {
  const found = findZones(typed, zones, listCountries([language, 'en'])).map(({ zone, city }) => `${city}: ${zone}`);
  for (const city of cities) expect(found).toContain(city);
});

test('a city comes before a country whose name begins like it', () => {
  const [first] = findZones('chi', zones, listCountries(['en']));
  expect(first?.city).toBe('Chicago');
});
