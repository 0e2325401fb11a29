import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Says left or right where a line that is read from the right begins or ends on the other side. */
const physical =
  /(?:^|[\s;{])(?:(?:margin|padding|border)-(?:left|right)\b|(?:left|right)\s*:|border-(?:top|bottom)-(?:left|right)-radius|(?:text-align|float|clear)\s*:\s*(?:left|right))/;

/** Where something is put at a distance that a script measured from the left. */
const measured = [
  'src/features/calendar/web/floating-card.module.css',
  'src/features/calendar/web/ghost.module.css',
  'src/features/calendar/web/menu/event-menu.module.css',
  'src/features/calendar/web/panel/date-picker.module.css',
  'src/ui/dates/when-field.module.css',
];

const physicalIn = (css: string) => css.replace(/\/\*.*?\*\//gs, '').match(new RegExp(physical, 'gm')) ?? [];

test('stylesheets use logical sides instead of left and right', () => {
  const files = globSync('src/**/*.css', { cwd: root });
  expect(files.length).toBeGreaterThan(100);
  const found = files.filter((file) => physicalIn(readFileSync(join(root, file), 'utf8')).length > 0);
  expect(found.sort()).toEqual(measured);
});

test('the check for physical sides finds left and right in CSS', () => {
  for (const css of [
    'a { margin-left: 1px }',
    'a{left:0}',
    'a { text-align: right; }',
    'a { border-top-left-radius: 2px }',
  ])
    expect(physicalIn(css), css).toHaveLength(1);
  for (const css of ['a { margin-inline-start: 1px }', 'a { inset-inline-start: 0; --left: 2px }', '/* left: 0 */'])
    expect(physicalIn(css), css).toEqual([]);
});
