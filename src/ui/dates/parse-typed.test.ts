import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDate, parseMoment, parseTime, showDate, showMoment, showTime, type TypedStyle } from './parse-typed.ts';

const american: TypedStyle = { locale: 'en-US', timeFormat: '12h', dateFormat: 'MM/DD/YYYY', today: '2026-11-28' };
const german: TypedStyle = { locale: 'de-DE', timeFormat: '24h', dateFormat: 'DD.MM.YYYY', today: '2026-11-28' };
const french: TypedStyle = { ...german, locale: 'fr-FR', dateFormat: 'DD/MM/YYYY' };
const japanese: TypedStyle = { ...american, locale: 'ja-JP', dateFormat: 'YYYY-MM-DD' };

describe('a typed time', () => {
  it.each([
    ['9', american, '09:00'],
    ['9:30', american, '09:30'],
    ['930', american, '09:30'],
    ['1430', german, '14:30'],
    ['9p', american, '21:00'],
    ['9:30 PM', american, '21:30'],
    ['9 p.m.', american, '21:00'],
    ['12a', american, '00:00'],
    ['12 pm', american, '12:00'],
    ['14h30', french, '14:30'],
    ['14 h', french, '14:00'],
    ['14.30 Uhr', german, '14:30'],
    ['24:00', german, '00:00'],
    ['午後2:30', japanese, '14:30'],
    ['14時30分', japanese, '14:30'],
    ['９：３０', japanese, '09:30'],
  ])('%s reads as a clock does', (text, style, time) => expect(parseTime(text, style)).toBe(time));

  it.each(['', 'noonish', '25', '9:60', '13am', '9:3', '24:01', '-1', '9:30:10'])('"%s" is no time', (text) =>
    expect(parseTime(text, american)).toBeNull(),
  );
});

describe('a typed date', () => {
  it.each([
    ['3/21', american, '2027-03-21'],
    ['12/1', american, '2026-12-01'],
    ['1/12', american, '2027-01-12'],
    ['21.3.', german, '2027-03-21'],
    ['1.12.', german, '2026-12-01'],
    ['01122026', german, '2026-12-01'],
    ['1.12.26', german, '2026-12-01'],
    ['1/12', french, '2026-12-01'],
    ['21/3', american, '2027-03-21'],
    ['2027-03-21', american, '2027-03-21'],
    ['2027-03-21', german, '2027-03-21'],
    ['21 mar 2028', american, '2028-03-21'],
    ['Mar 21', american, '2027-03-21'],
    ['21. März', german, '2027-03-21'],
    ['morgen', german, '2026-11-29'],
    ['aujourd’hui', french, '2026-11-28'],
    ['3月5日', japanese, '2027-03-05'],
    ['29.2.', { ...german, today: '2028-01-10' }, '2028-02-29'],
  ])('%s reads in the order of the person', (text, style, date) => expect(parseDate(text, style)).toBe(date));

  it.each(['', 'soon', '31.2.', '32', '30.2.2027', '1.2.3.4', '1.1.123', '21 3'])('"%s" is no date', (text) =>
    expect(parseDate(text, german)).toBeNull(),
  );
});

describe('a typed date with its time', () => {
  const before = '2026-12-01T10:00';
  it.each([
    ['3/21 9p', '2027-03-21T21:00'],
    ['3/21/2028, 9:15 AM', '2028-03-21T09:15'],
    ['2027-03-21T14:30', '2027-03-21T14:30'],
    ['21 mar 2027', '2027-03-21T10:00'],
    ['3/21 1430', '2027-03-21T14:30'],
    ['3.21. 14', '2027-03-21T14:00'],
    ['tomorrow 9', '2026-11-29T09:00'],
    ['11:30', '2026-12-01T11:30'],
    ['12/4', '2026-12-04T10:00'],
  ])('%s takes the other half from before', (text, moment) => expect(parseMoment(text, before, american)).toBe(moment));

  it('text that is neither is no moment', () => expect(parseMoment('lunch', before, american)).toBeNull());
});

it('each shown date, time and moment reads as itself, in every format and language', () => {
  const style = fc.record({
    locale: fc.constantFrom('en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES', 'es-MX', 'ja-JP'),
    timeFormat: fc.constantFrom('12h' as const, '24h' as const),
    dateFormat: fc.constantFrom('YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY', 'DD.MM.YYYY'),
    today: fc.constantFrom('2026-11-28', '2028-02-29'),
  });
  const day = fc.integer({ min: -10_000, max: 80_000 });
  fc.assert(
    fc.property(style, day, fc.integer({ min: 0, max: 1439 }), (looks, days, minute) => {
      const date = Temporal.PlainDate.from('2000-01-01').add({ days }).toString();
      const time = Temporal.PlainTime.from('00:00').add({ minutes: minute }).toString().slice(0, 5);
      expect(parseDate(showDate(date, looks), looks)).toBe(date);
      expect(parseTime(showTime(time, looks), looks)).toBe(time);
      expect(parseMoment(showMoment(`${date}T${time}`, looks), '', looks)).toBe(`${date}T${time}`);
    }),
    { numRuns: 500 },
  );
});

it('typed text of any kind is read or refused, and never breaks', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), (text) => {
      const time = parseTime(text, japanese);
      if (time !== null) expect(() => Temporal.PlainTime.from(time)).not.toThrow();
      const moment = parseMoment(text, '', french);
      if (moment !== null) expect(() => Temporal.PlainDateTime.from(moment)).not.toThrow();
    }),
  );
});
