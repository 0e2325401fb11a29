import { createRandom } from '#emulators/kit/random.ts';
import type { SeedEvent } from './seed.ts';

export interface GenerateOptions {
  count: number;
  /** First possible day of an event, `2027-01-04`. */
  fromDay: string;
  /** Events start within so many days. Default 150: inside the window that a mirror rule covers. */
  days?: number;
  /** Other seeds give other calendars. */
  seed?: number;
  prefix?: string;
}

const TOPICS = ['Planning', 'Review', 'Interview', 'Workshop', 'Dentist', 'Budget', 'Retrospective', 'Call'];

/**
 * Calendars as people have them, for benches: one event in ten a weekly series of 26, half of the series with a
 * cancelled and a moved occurrence; each with three attendees and a description. The same options give the same events.
 */
export function generateEvents({
  count,
  fromDay,
  days = 150,
  seed = 1,
  prefix = 'event',
}: GenerateOptions): SeedEvent[] {
  const random = createRandom(seed);
  const first = Temporal.PlainDate.from(fromDay);
  return Array.from({ length: count }, (_, index): SeedEvent => {
    const day = first.add({ days: Math.floor(random() * days) });
    const start = day.toPlainDateTime({ hour: 8 + Math.floor(random() * 10), minute: 15 * Math.floor(random() * 4) });
    const topic = TOPICS[Math.floor(random() * TOPICS.length)]!;
    const event: SeedEvent = {
      summary: `${topic} ${prefix} ${index}`,
      start: print(start),
      minutes: 30 * (1 + Math.floor(random() * 4)),
      location: 'Room 4, second floor',
      description: 'We meet to look at what was done, what is left and who needs help with it.',
      attendees: ['ada', 'ben', 'cem'].map((name) => ({ email: `${name}@example.org`, responseStatus: 'accepted' })),
    };
    if (index % 10 !== 9) return event;
    const instances =
      index % 20 === 19
        ? {
            [print(start.add({ weeks: 5 }))]: null,
            [print(start.add({ weeks: 8 }))]: { start: print(start.add({ weeks: 8, hours: 26 })), minutes: 60 },
          }
        : {};
    return { ...event, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=26'], instances };
  });
}

function print(time: Temporal.PlainDateTime): string {
  return time.toString({ smallestUnit: 'minute' });
}
