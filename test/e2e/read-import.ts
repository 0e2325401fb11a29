import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Days that the story is told on; they move with today, because only what is near is mirrored. */
export interface StoryDays {
  /** Sunday of next week, where the person lives. */
  week: Temporal.PlainDate;
  /** The Sunday on which New York changes its clocks. */
  shift: Temporal.PlainDate;
}

export const home = 'Europe/Berlin';
export const newYork = 'America/New_York';

/** The clock change is the next one, or, where that lies beyond what is mirrored, the last one. */
export function storyDays(now: Temporal.Instant): StoryDays {
  const here = now.toZonedDateTimeISO(home).toPlainDate();
  const there = now.toZonedDateTimeISO(newYork);
  const next = there.getTimeZoneTransition('next');
  const last = there.getTimeZoneTransition('previous');
  if (next === null || last === null) throw new Error('New York no longer changes its clocks');
  const isNear = there.until(next, { largestUnit: 'days' }).days < 160;
  return {
    week: here.add({ days: 7 - (here.dayOfWeek % 7) }),
    shift: (isNear ? next : last).toPlainDate(),
  };
}

/**
 * `import.ics` with its days filled in, taken apart as a calendar program does on import: one object for each UID, with
 * the time zones it speaks of. By UID.
 */
export async function readImport(days: StoryDays): Promise<Map<string, string>> {
  const template = await readFile(join(import.meta.dirname, '../fixtures/import.ics'), 'utf8');
  const text = template.replaceAll(/\{\{(week|shift)([+-]\d+)\}\}/g, (_, anchor: keyof StoryDays, offset: string) =>
    compact(days[anchor].add({ days: Number(offset) })),
  );
  const zones = [...text.matchAll(/BEGIN:VTIMEZONE\n.*?END:VTIMEZONE\n/gs)].map(([block]) => block);
  const byUid = Map.groupBy(
    [...text.matchAll(/BEGIN:VEVENT\n.*?END:VEVENT\n/gs)].map(([block]) => block),
    (block) => /^UID:(.*)$/m.exec(block)?.[1] ?? '',
  );
  return new Map(
    [...byUid].map(([uid, events]) => {
      const spoken = zones.filter((zone) =>
        events.some((event) => event.includes(`TZID=${/TZID:(.*)/.exec(zone)?.[1]}:`)),
      );
      return [uid, whole([...spoken, ...events].join(''))];
    }),
  );
}

/** An object around components, with the line ends of RFC 5545. */
export function whole(components: string): string {
  const text = `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Example Corp.//Desk Calendar 4.2//EN\n${components.trim()}\nEND:VCALENDAR\n`;
  return text.replaceAll(/\r?\n/g, '\r\n');
}

/** `2027-03-08` as `20270308`. */
export function compact(day: Temporal.PlainDate): string {
  return day.toString().replaceAll('-', '');
}
