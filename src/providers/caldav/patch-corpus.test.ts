import { readFile } from 'node:fs/promises';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { generateCalendar } from '#emulators/caldav/generate-calendar.ts';
import type { WritableBody } from '#kernel/ical/normalise-body.ts';
import { parseObject } from '#kernel/ical/parse-object.ts';
import { patchObject } from '#kernel/ical/patch-object.ts';

const stamp = { stampMs: Date.UTC(2027, 0, 5, 12), owner: 'ann@example.com' };
const elsewhere = { title: 'Renamed, by us', location: 'Elsewhere' };

function read(text: string): WritableBody {
  const { body } = parseObject(text, { selfAddresses: ['ann@example.com'], tags: { verify: () => false } });
  if (body.kind !== 'single' && body.kind !== 'series') throw new Error(`It is ${body.kind}`);
  return body;
}

/** Returns the objects of the generator and of the import file, each separately. */
async function corpus(): Promise<string[]> {
  const generated = generateCalendar({ count: 60, fromDay: '2027-01-04' }).map((object) => object.body);
  const template = await readFile(new URL('../../../test/fixtures/import.ics', import.meta.url), 'utf8');
  const file = template.replace(
    /\{\{(?:week|shift)([+-]\d+)\}\}/g,
    (_, days: string) => `202703${String(14 + Number(days)).padStart(2, '0')}`,
  );
  const events = file.match(/^BEGIN:VEVENT$[\s\S]*?^END:VEVENT$/gm) ?? [];
  const byUid = Map.groupBy(events, (event) => /^UID:(.*)$/m.exec(event)?.[1] ?? '');
  const head = file.slice(0, file.indexOf('BEGIN:VEVENT'));
  return [...generated, ...[...byUid.values()].map((own) => `${head}${own.join('\n')}\nEND:VCALENDAR\n`)];
}

/** The unfolded lines of one text that are not in another, by name. */
function namesOf(lines: string[], others: string[]): string[] {
  const left = [...others];
  return lines.flatMap((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at >= 0 ? [] : [line.split(/[;:]/, 1)[0] ?? ''];
  });
}

test('a patched title and location change only their own lines in every sample object', async () => {
  const texts = await corpus();
  expect(texts.length).toBeGreaterThan(65);
  const unfolded = (text: string) => text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
  for (const text of texts) {
    const before = read(text);
    expect(patchObject(text, before, structuredClone(before), stamp)).toBe(text);
    const after = { ...before, core: { ...before.core, ...elsewhere } };
    const patched = patchObject(text, before, after, stamp) ?? '';
    const [was, is] = [unfolded(text), unfolded(patched)];
    for (const name of [...namesOf(was, is), ...namesOf(is, was)]) {
      expect(['SUMMARY', 'LOCATION', 'DTSTAMP', 'LAST-MODIFIED']).toContain(name);
    }
    expect(read(patched)).toEqual(after);
    const event = new ICAL.Component(ICAL.parse(patched) as never).getFirstSubcomponent('vevent');
    expect(event?.getFirstPropertyValue('summary')).toBe('Renamed, by us');
  }
});
