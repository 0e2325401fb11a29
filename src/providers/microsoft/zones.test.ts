import { describe, expect, it } from 'vitest';
import { windowsNames } from './windows-names.ts';
import { windowsNameOf, zoneNamed } from './zones.ts';

describe('time zone names', () => {
  it('Windows and IANA zone names are read', () => {
    expect(zoneNamed('W. Europe Standard Time')).toBe('Europe/Berlin');
    expect(zoneNamed('Pacific Standard Time')).toBe('America/Los_Angeles');
    expect(zoneNamed('Europe/Vienna')).toBe('Europe/Vienna');
    expect(zoneNamed('UTC')).toBe('UTC');
    expect(zoneNamed('tzone://Microsoft/Utc')).toBe('UTC');
  });

  it('a zone name known to one desktop only is not guessed', () => {
    for (const name of ['tzone://Microsoft/Custom', 'Customized Time Zone', 'Atlantis Standard Time', '', null]) {
      expect(zoneNamed(name)).toBeNull();
    }
  });

  it('an IANA zone is written as its Windows name, under newer names too', () => {
    expect(windowsNameOf('Europe/Vienna')).toBe('W. Europe Standard Time');
    expect(windowsNameOf('Asia/Kolkata')).toBe('India Standard Time');
    expect(windowsNameOf('Europe/Kyiv')).toBe('FLE Standard Time');
    expect(windowsNameOf('UTC')).toBe('UTC');
    expect(windowsNameOf('Nowhere/Atlantis')).toBeNull();
  });

  it('every Windows zone name comes back from its IANA zone', () => {
    for (const name of new Set(Object.values(windowsNames))) expect(windowsNameOf(zoneNamed(name) ?? '')).toBe(name);
  });
});
