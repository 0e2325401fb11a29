import { expect, test } from 'vitest';
import { readMoments } from '../page/moments.ts';
import en from '../page/words/en.json' with { type: 'json' };
import { fillWords } from './fill-words.ts';

test('a sentence has one stop, also after a time that ends in one', () => {
  const moments = readMoments({ zone: 'UTC', locale: 'en-CA', hour12: true, firstWeekday: 6 });
  const time = moments.time(15 * 60 + 24);
  expect(time).toBe('3:24 p.m.');
  expect(fillWords(en, 'form.held', { time })).toBe('Reserved for you until 3:24 p.m.');
  expect(fillWords(en, 'form.held', { time: '15:24' })).toBe('Reserved for you until 15:24.');
  expect(fillWords({ one: '{host} offers {what}. More later.' }, 'one', { host: 'Acme Inc.', what: 'x' })).toBe(
    'Acme Inc. offers x. More later.',
  );
});
