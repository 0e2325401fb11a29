import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { searchDocs, sectionsOf } from './search-docs.ts';

const dir = join(import.meta.dirname, '../../../../docs/help');
const sections = sectionsOf(
  Object.fromEntries(globSync('*.md', { cwd: dir }).map((file) => [file, readFileSync(join(dir, file), 'utf8')])),
);

test('help search finds the expected article for common questions', () => {
  const first = (typed: string) => searchDocs(sections, typed)[0]?.to;
  expect(first('reconnect')).toBe('/docs/troubleshooting#a-calendar-says-needs-reconnect');
  expect(first('holiday')).toBe('/docs/availability#days-off-and-holidays');
  expect(first('delete account')).toBe('/docs/your-data#delete-your-account');
  expect(first('second fact')).toBe('/docs/troubleshooting#i-lost-my-second-factor');
});

test('help search in a translation uses its own words and leads to the same places', () => {
  const read = (folder: string) =>
    Object.fromEntries(
      globSync('*.md', { cwd: folder }).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
    );
  const first = (language: string, typed: string) =>
    searchDocs(sectionsOf(read(dir), read(join(dir, language))), typed)[0]?.to;
  expect(first('de', 'feiertag')).toBe('/docs/availability#days-off-and-holidays');
  expect(first('ja', '祝日')).toBe('/docs/availability#days-off-and-holidays');
});

test('help search requires every word and finds nothing for an empty query', () => {
  expect(searchDocs(sections, 'calendar zeppelin')).toEqual([]);
  expect(searchDocs(sections, '  ?! ')).toEqual([]);
  expect(searchDocs(sections, 'calendar').length).toBeLessThanOrEqual(6);
});
