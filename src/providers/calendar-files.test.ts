import { expect, test } from 'vitest';
import { withoutPause } from '#kernel/work-budget.ts';
import {
  bytesOf,
  calendarFiles,
  expectMeaning,
  meaningInFeed,
  meaningOf,
  meaningOnCaldav,
  objectsOf,
  ownerOfFiles,
  readAsFeed,
} from '../../test/harness/calendar-files.ts';
import { objectReader } from './caldav/to-event.ts';

test('there is a file for the habits of at least sixty exporters, each with its meaning', () => {
  expect(calendarFiles.length).toBeGreaterThan(60);
});

test.each(calendarFiles)('%s, subscribed to as a feed, takes the time that its author meant', (name) => {
  const { objects, warnings, zone } = readAsFeed(bytesOf(name));
  expectMeaning(meaningOf(objects, zone, warnings), meaningInFeed(name));
});

test.each(calendarFiles.filter((name) => meaningOnCaldav(name) !== null))(
  '%s, kept on a CalDAV server, takes the time that its author meant',
  (name) => {
    const bytes = bytesOf(name);
    const read = objectReader([ownerOfFiles], { verify: () => false });
    const objects = objectsOf(bytes).map((text) => {
      const item = withoutPause(read({ ref: '/a.ics', version: '1', text }));
      return item === null ? expect.fail('no event') : { body: item.body, warnings: item.warnings ?? [] };
    });
    expectMeaning(meaningOf(objects, readAsFeed(bytes).zone), meaningOnCaldav(name) ?? {});
  },
);
