import { expect, test } from 'vitest';
import de from '../locales/de/search.json' with { type: 'json' };
import en from '../locales/en/search.json' with { type: 'json' };
import es from '../locales/es/search.json' with { type: 'json' };
import fr from '../locales/fr/search.json' with { type: 'json' };
import ja from '../locales/ja/search.json' with { type: 'json' };
import { momentOf, type Reading, readWish } from './read-wish.ts';

// a Wednesday, 10:30 in Berlin
const reading: Reading = {
  nowMs: Temporal.Instant.from('2027-03-03T09:30:00Z').epochMilliseconds,
  zone: 'Europe/Berlin',
  monthFirst: false,
  language: 'en',
};

function read(typed: string, more: Partial<Reading> = {}) {
  const at = { ...reading, ...more };
  const wish = readWish(typed, at);
  const moment = momentOf(wish, at);
  const start = moment?.start.toPlainDateTime().toString({ smallestUnit: 'minute' });
  return [wish.title, start ?? null, moment?.minutes ?? null];
}

test.each([
  ['lunch with Priya fri 1pm 45m', 'lunch with Priya', '2027-03-05T13:00', 45],
  ['Standup tomorrow at 9:15 for 15 minutes', 'Standup', '2027-03-04T09:15', 15],
  ['review 2-3:30pm next tue', 'review', '2027-03-09T14:00', 90],
  ['Board 11-1pm 12 mar', 'Board', '2027-03-12T11:00', 120],
  ['Dinner at 7', 'Dinner', '2027-03-04T07:00', 60],
  ['Coffee at 3', 'Coffee', '2027-03-03T15:00', 60],
  ['Gym 18:00 1.5h', 'Gym', '2027-03-03T18:00', 90],
  ['Call 1h30 on March 9th 16:00', 'Call', '2027-03-09T16:00', 90],
  ['Party 31 dec 2027 10pm-1am', 'Party', '2027-12-31T22:00', 180],
  ['Taxes 15.4. noon', 'Taxes', '2027-04-15T12:00', 60],
  ['in 20 minutes call mum', 'call mum', '2027-03-03T10:50', 60],
  ['Offsite in 2 weeks', 'Offsite', '2027-03-17T09:00', 60],
  ['Dentist 2027-06-01 8am', 'Dentist', '2027-06-01T08:00', 60],
  ['create lunch with Priya fri 1pm', 'lunch with Priya', '2027-03-05T13:00', 60],
  ['Schedule an event Kickoff tomorrow 8am', 'Kickoff', '2027-03-04T08:00', 60],
  ['go to next tue', '', '2027-03-09T09:00', 60],
  ['jump to 12 mar', '', '2027-03-12T09:00', 60],
  ['Kickoff with Sam wed 9am', 'Kickoff with Sam', '2027-03-03T09:00', 60],
])('the palette parses "%s"', (typed, title, start, minutes) => {
  expect(read(typed)).toEqual([title, start, minutes]);
});

test('a time alone is its next occurrence, and a date alone is that morning', () => {
  expect(read('9am')).toEqual(['', '2027-03-04T09:00', 60]);
  expect(read('11am')).toEqual(['', '2027-03-03T11:00', 60]);
  expect(read('next wed')).toEqual(['', '2027-03-10T09:00', 60]);
  expect(read('1 jan')).toEqual(['', '2028-01-01T09:00', 60]);
  expect(read('29 feb')).toEqual(['', '2028-02-29T09:00', 60]);
  expect(read('budget review')).toEqual(['budget review', null, null]);
});

test('numeric dates are parsed in the order of the user’s setting', () => {
  expect(read('4/5')[1]).toBe('2027-05-04T09:00');
  expect(read('4/5', { monthFirst: true })[1]).toBe('2027-04-05T09:00');
});

test('a place right after a time sets its time zone', () => {
  expect(read('9am Tokyo')).toEqual(['', '2027-03-04T01:00', 60]);
  expect(read('5pm New York fri')).toEqual(['', '2027-03-05T23:00', 60]);
  expect(read('call Kenji 9am Tokyo time tomorrow')).toEqual(['call Kenji', '2027-03-04T01:00', 60]);
  expect(readWish('9am Tokyo', reading).place).toEqual({ name: 'Tokyo', zone: 'Asia/Tokyo' });
  expect(read('Dinner in Paris 8pm')).toEqual(['Dinner in Paris', '2027-03-03T20:00', 60]);
});

test('a text that only resembles a time stays in the title', () => {
  expect(read('Room 101')).toEqual(['Room 101', null, null]);
  expect(read('release 2.10.1')).toEqual(['release 2.10.1', null, null]);
  expect(read('wedding of Summer')).toEqual(['wedding of Summer', null, null]);
  expect(read('mail sam@fri.example')).toEqual(['mail sam@fri.example', null, null]);
  expect(read('31 feb')).toEqual(['31 feb', null, null]);
  expect(read('25:00')).toEqual(['25:00', null, null]);
  expect(read('1-1 with Ana')).toEqual(['1-1 with Ana', null, null]);
  expect(read('Q3 plan')).toEqual(['Q3 plan', null, null]);
});

test.each([
  ['de', 'Mittagessen mit Priya am Freitag um 13 Uhr für 45 Min', 'Mittagessen mit Priya', '2027-03-05T13:00', 45],
  ['de', 'Essen mit Priya Fr 13 Uhr 45 Min', 'Essen mit Priya', '2027-03-05T13:00', 45],
  ['de', 'Essen mit Priya Fr 13 Uhr 45', 'Essen mit Priya', '2027-03-05T13:45', 60],
  ['fr', 'Point vendredi 13 h 45 min', 'Point', '2027-03-05T13:00', 45],
  ['de', 'Zahnarzt morgen 9:15', 'Zahnarzt', '2027-03-04T09:15', 60],
  ['de', 'Abgabe übermorgen', 'Abgabe', '2027-03-05T09:00', 60],
  ['de', 'Kaffee halb vier', 'Kaffee', '2027-03-03T15:30', 60],
  ['de', 'Jour fixe nächsten Mi. 9-11 Uhr', 'Jour fixe', '2027-03-10T09:00', 120],
  ['de', 'Essen heute Abend', 'Essen', '2027-03-03T20:00', 60],
  ['de', 'Urlaub in 2 Wochen', 'Urlaub', '2027-03-17T09:00', 60],
  ['de', 'Steuer 15.4. mittags', 'Steuer', '2027-04-15T12:00', 60],
  ['de', 'Konzert 12. März 2028 20 Uhr 30 2h', 'Konzert', '2028-03-12T20:30', 120],
  ['de', 'So machen wir das', 'So machen wir das', null, null],
  ['de', 'Termin So. 10 Uhr', 'Termin', '2027-03-07T10:00', 60],
  ['de', 'Kaffee mit Tom', 'Kaffee mit Tom', null, null],
  ['fr', 'Déjeuner avec Priya vendredi à 13h pendant 45 min', 'Déjeuner avec Priya', '2027-03-05T13:00', 45],
  ['fr', 'Revue mardi prochain 14h30-15h30', 'Revue', '2027-03-09T14:30', 60],
  ['fr', 'Point demain de 9h à 11h', 'Point', '2027-03-04T09:00', 120],
  ['fr', 'Réunion 15h 2h', 'Réunion', '2027-03-03T15:00', 120],
  ['fr', '2h Atelier 15h', 'Atelier', '2027-03-03T15:00', 120],
  ['fr', 'Anniversaire 1er août midi', 'Anniversaire', '2027-08-01T12:00', 60],
  ['fr', 'Kickoff avec Sam', 'Kickoff avec Sam', null, null],
  ['fr', 'Dîner ce soir', 'Dîner', '2027-03-03T20:00', 60],
  ['fr', 'Appel après-demain 9h du matin', 'Appel', '2027-03-05T09:00', 60],
  ['fr', 'Vacances dans 3 jours', 'Vacances', '2027-03-06T09:00', 60],
  ['es', 'Comida con Ana el viernes a las 13:00 durante 45 minutos', 'Comida con Ana', '2027-03-05T13:00', 45],
  ['es', 'Café mañana a las 5 de la tarde', 'Café', '2027-03-04T17:00', 60],
  ['es', 'Reunión 10 de la mañana', 'Reunión', '2027-03-04T10:00', 60],
  ['es', 'Médico pasado mañana 9:30', 'Médico', '2027-03-05T09:30', 60],
  ['es', 'Taller el próximo martes de 9 a 11', 'Taller', '2027-03-09T09:00', 120],
  ['fr', 'Point 15h et suite', 'Point et suite', '2027-03-03T15:00', 60],
  ['de', 'Anruf 9:00 Tokio', 'Anruf', '2027-03-04T01:00', 60],
  ['de', '15 Uhr ist Abgabe', 'ist Abgabe', '2027-03-03T15:00', 60],
  ['es', 'Viaje al mar', 'Viaje al mar', null, null],
  ['es', 'Impuestos 15 de abril de 2027 mediodía', 'Impuestos', '2027-04-15T12:00', 60],
  ['es', 'Llamada dentro de 20 minutos', 'Llamada', '2027-03-03T10:50', 60],
  ['ja', '明日15時 プリヤとランチ 45分', 'プリヤとランチ', '2027-03-04T15:00', 45],
  ['ja', '来週火曜日午後3時半からレビュー', 'レビュー', '2027-03-09T15:30', 60],
  ['ja', '金曜 10時〜11時30分 定例会議', '定例会議', '2027-03-05T10:00', 90],
  ['ja', '３月１２日（金） 歯医者', '歯医者', '2027-03-12T09:00', 60],
  ['ja', '2週間後 合宿', '合宿', '2027-03-17T09:00', 60],
  ['ja', '会議 16:00 1時間半', '会議', '2027-03-03T16:00', 90],
  ['ja', '30分後に電話', '電話', '2027-03-03T11:00', 60],
  ['ja', '9:00 東京', '', '2027-03-04T01:00', 60],
  ['ja', '3月12日日本出張', '日本出張', '2027-03-12T09:00', 60],
  ['ja', '4/5 花見', '花見', '2027-04-05T09:00', 60],
  ['ja', '企画書', '企画書', null, null],
])('the palette parses in %s: "%s"', (language, typed, title, start, minutes) => {
  expect(read(typed, { language })).toEqual([title, start, minutes]);
});

test.each(Object.entries({ de, en, es, fr, ja }))(
  'the palette’s own suggestions are parsed whole in %s',
  (language, { hint }) => {
    const samples = [...hint.matchAll(/[“„«「](.+?)[”“»」]/gu)].map(([, sample = '']) => sample.trim());
    expect(samples).toHaveLength(3);
    for (const sample of samples) {
      const [title, start] = read(sample, { language });
      expect(title, sample).toMatch(/^\p{L}*(?: ?\p{L}+)*$/u);
      expect(title, sample).not.toMatch(/min|東京|Tok/iu);
      expect(start, sample).not.toBeNull();
    }
  },
);
