import { describe, expect, it } from 'vitest';
import { windowsNames } from './windows-names.ts';
import { windowsNameOf, zoneNamed } from './zones.ts';

describe('names of time zones', () => {
  it('reads Windows and IANA names', () => {
    expect(zoneNamed('W. Europe Standard Time')).toBe('Europe/Berlin');
    expect(zoneNamed('Pacific Standard Time')).toBe('America/Los_Angeles');
    expect(zoneNamed('Europe/Vienna')).toBe('Europe/Vienna');
    expect(zoneNamed('UTC')).toBe('UTC');
    expect(zoneNamed('tzone://Microsoft/Utc')).toBe('UTC');
  });

  it('takes no guess at what only one desktop knows', () => {
    for (const name of ['tzone://Microsoft/Custom', 'Customized Time Zone', 'Atlantis Standard Time', '', null]) {
      expect(zoneNamed(name)).toBeNull();
    }
  });

  it('writes the Windows name of every zone that CLDR knows, and of newer names for them', () => {
    expect(windowsNameOf('Europe/Vienna')).toBe('W. Europe Standard Time');
    expect(windowsNameOf('Asia/Kolkata')).toBe('India Standard Time');
    expect(windowsNameOf('Europe/Kyiv')).toBe('FLE Standard Time');
    expect(windowsNameOf('UTC')).toBe('UTC');
    expect(windowsNameOf('Nowhere/Atlantis')).toBeNull();
  });

  it('comes back from every Windows name to a zone that Windows calls by it', () => {
    for (const name of new Set(Object.values(windowsNames))) expect(windowsNameOf(zoneNamed(name) ?? '')).toBe(name);
  });
});
