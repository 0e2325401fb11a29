import { loadZone } from '#kernel/time/zones.ts';

/** Kinds of warnings of a reading. `identity`: UIDs; `form`: everything else. */
export const warningKinds = [
  'start',
  'end',
  'zone',
  'rule',
  'dates',
  'people',
  'text',
  'damage',
  'identity',
  'density',
  'form',
] as const;

export interface ReadingWarning {
  kind: (typeof warningKinds)[number];
  /** The zone in the source, and the zone it is read as; `used` is null for the calendar's zone. Only for the kind `zone`. */
  zone: { name: string; used: string | null } | null;
  /** In the reader's own words, for whoever looks into the source. */
  detail: string;
}

const patterns: readonly [RegExp, Exclude<ReadingWarning['kind'], 'zone'>][] = [
  [/^too dense$/, 'density'],
  [/^cut off|^END:|no iCalendar|^NUL|damaged/, 'damage'],
  [
    /override|changed instance|instances? (?:was|were)|excluded date|extra date|dates of|too many|RECURRENCE-ID|following/i,
    'dates',
  ],
  [/\brules?\b|recurrence/, 'rule'],
  [/DTEND|DURATION|the end /, 'end'],
  [/DTSTART|its time|the start is|is no date or time|time zone/, 'start'],
  [/attendees|guests/, 'people'],
  [/was cut at/, 'text'],
  [/\bUIDs?\b|stands more than once/, 'identity'],
];

/** A warning of any adapter, by what it is about. */
export function readingWarning(text: string): ReadingWarning {
  const detail = text.slice(0, 300);
  const zone = zoneOf(text);
  if (zone !== null) return { kind: 'zone', zone: { name: zone.name, used: zone.used }, detail };
  return { kind: patterns.find(([pattern]) => pattern.test(text))?.[1] ?? 'form', zone: null, detail };
}

/** A zone that could not be resolved, among the warnings of an event: it may be hours off. */
export function unresolvedZone(texts: readonly string[]): NonNullable<ReadingWarning['zone']> | null {
  for (const text of texts) {
    const zone = zoneOf(text);
    if (zone !== null && !zone.resolved) return { name: zone.name, used: zone.used };
  }
  return null;
}

function zoneOf(text: string): { name: string; used: string | null; resolved: boolean } | null {
  const [, name, rest] = /time zone "(.{1,100}?)"[ ;] ?(.*)$/is.exec(text) ?? [];
  // of an event that is withheld for it
  if (name === undefined || rest === undefined || rest === 'is unknown') return null;
  const fixed = /^was taken for the fixed (\S+)$/.exec(rest)?.[1];
  if (fixed !== undefined) return { name, used: offsetName(fixed), resolved: false };
  const found = /^was taken for (\S+)$|: (\S+) was used$/.exec(rest);
  if (found !== null) return { name, used: found[1] ?? found[2] ?? null, resolved: true };
  // an instant that its provider gave with an offset
  if (rest.endsWith('read as UTC')) return { name, used: 'UTC', resolved: true };
  return { name, used: rest.startsWith('UTC is used') ? 'UTC' : null, resolved: false };
}

/** `Etc/GMT-2` as `UTC+2`. */
function offsetName(zone: string): string {
  const minutes = Math.round((loadZone(zone)?.offsetAt(0) ?? 0) / 60_000);
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}
