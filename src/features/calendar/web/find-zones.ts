import { presentName } from '#kernel/time/place-zones.ts';
import { loadZone } from '#kernel/time/zones.ts';
import { offsetLabel, zoneLabel } from './time-labels.ts';

export interface ZoneChoice {
  value: string;
  /** `Asia/Tokyo (GMT+9)` */
  label: string;
}

/** Every zone of this machine under its name and its offset at an instant; those asked for first. */
export function listZones(first: readonly string[], nowMs: number): ZoneChoice[] {
  const names = new Set([...first, 'UTC', ...Intl.supportedValuesOf('timeZone').map(presentName)]);
  return [...names].map((name) => {
    const zone = loadZone(name);
    const label = zoneLabel(name);
    return { value: name, label: zone === null ? label : `${label} (${offsetLabel(zone, nowMs)})` };
  });
}

/** Whether a zone is what somebody typed: parts of its name in any order, or an offset as `+9`, `utc-5`, `gmt+5:30`. */
export function isZoneFor(label: string, typed: string): boolean {
  const text = fold(label);
  return fold(typed)
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => {
      const offset = /^(?:utc|gmt)?([+-]\d{1,2}(?::\d{2})?)$/.exec(word)?.[1];
      // "+1" is not "+10" nor "+11".
      return offset === undefined ? text.includes(word) : text.endsWith(`gmt${offset.replace(/^([+-])0/, '$1')})`);
    });
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .replaceAll('\u2212', '-')
    .toLowerCase();
}
