import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { writeTimes } from './write-times.ts';

const t = ((key: string, values: Record<string, unknown>) => `${key} ${Object.values(values).join()}`) as TFunction;
const at = (time: string) => Date.parse(`2027-03-08T${time}:00Z`);
const shared = {
  starts: [at('09:00'), at('15:30')],
  minutes: 30,
  zone: 'Asia/Tokyo',
  url: 'https://cal.example/l/token',
  locale: 'en-GB',
  timeFormat: '24h' as const,
};

test('shared times are written in the zone and locale of their readers', () => {
  const { text } = writeTimes(shared, t);
  expect(text.split('\n').filter((line) => line !== '')).toEqual([
    'share.intro 30',
    'Monday 8 March',
    '- 18:00–18:30',
    'Tuesday 9 March',
    '- 00:30–01:00',
    'share.outro Asia/Tokyo',
    'https://cal.example/l/token',
  ]);
});

test('each time in shared HTML links to its slot, and the URL is escaped', () => {
  const { html } = writeTimes({ ...shared, url: 'https://cal.example/l/"><script>' }, t);
  expect(html).not.toContain('<script>');
  const plain = writeTimes(shared, t).html;
  expect(plain).toContain(`href="https://cal.example/l/token?slot=${at('09:00') / 60_000}&amp;tz=Asia%2FTokyo"`);
});
