import { describe, expect, it } from 'vitest';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import { offsetLabel, timeLabels, zoneLabel } from './time-labels.ts';
import { dayNumberOf } from './wall-clock.ts';

const plain = (text: string) => text.replaceAll(/[\u2009\u202f\u00a0]/g, ' ');

describe('timeLabels', () => {
  const english = timeLabels({ locale: 'en-US', timeFormat: '12h' });
  const german = timeLabels({ locale: 'de-DE', timeFormat: '24h' });

  it('hours and ranges are written in the preferred clock format', () => {
    expect(plain(english.hour(0))).toBe('12 AM');
    expect(german.hour(8)).toBe('08:00');
    expect(plain(english.range(495, 615))).toBe('8:15 – 10:15 AM');
    expect(plain(english.range(690, 750))).toBe('11:30 AM – 12:30 PM');
    expect(german.range(495, 615)).toBe('08:15 – 10:15');
  });

  it('the end of a night shift is written without a date', () => {
    expect(plain(english.range(1320, 1440 + 360))).toBe('10:00 PM – 6:00 AM');
  });

  it('the month label names one month, or both months of a week that lies in two', () => {
    const [monday, sunday] = [dayNumberOf('2026-11-16'), dayNumberOf('2026-11-22')];
    expect(english.month(monday, sunday)).toBe('November 2026');
    expect(plain(english.month(dayNumberOf('2026-11-29'), dayNumberOf('2026-12-05')))).toBe('Nov – Dec 2026');
    expect(plain(english.month(dayNumberOf('2026-12-27'), dayNumberOf('2027-01-02')))).toBe('Dec 2026 – Jan 2027');
  });
});

describe('offsetLabel', () => {
  it('an offset label follows daylight saving and shows half hours', () => {
    const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
    const berlin = loadZone('Europe/Berlin') as Zone;
    expect(offsetLabel(berlin, at('2026-07-01T00:00Z'))).toBe('GMT+2');
    expect(offsetLabel(berlin, at('2026-12-01T00:00Z'))).toBe('GMT+1');
    expect(offsetLabel(loadZone('Asia/Kolkata') as Zone, at('2026-12-01T00:00Z'))).toBe('GMT+5:30');
    expect(offsetLabel(loadZone('America/New_York') as Zone, at('2026-12-01T00:00Z'))).toBe('GMT−5');
    expect(offsetLabel(loadZone('UTC') as Zone, 0)).toBe('GMT');
    expect(zoneLabel('America/New_York')).toBe('America/New York');
  });
});
