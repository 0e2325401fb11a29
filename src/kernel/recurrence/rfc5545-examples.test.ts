import { describe, expect, it } from 'vitest';
import { openSeries } from '#kernel/recurrence/open-series.ts';
import { printLocalDateTime } from '#kernel/time/local.ts';
import { loadZone } from '#kernel/time/zones.ts';

/**
 * Every example of RFC 5545 section 3.8.5.3, plus those of 3.3.10, in its zone, America/New_York.
 * Instances as the RFC prints them: `year-month:days`, with ranges.
 */
interface Example {
  what: string;
  start?: string;
  rules: string[];
  days: string;
  /** Times of day on each of the days; 09:00 where not given. */
  times?: string[];
  endless?: true;
  exdates?: string[];
}

const nine = ['09:00'];
const allMonth = (year: number) => `${year}-01:1-31`;

const examples: Example[] = [
  { what: 'daily for 10 occurrences', rules: ['FREQ=DAILY;COUNT=10'], days: '1997-09:2-11' },
  {
    what: 'daily until December 24, 1997',
    rules: ['FREQ=DAILY;UNTIL=19971224T000000Z'],
    days: '1997-09:2-30 1997-10:1-31 1997-11:1-30 1997-12:1-23',
  },
  {
    what: 'every other day, forever',
    rules: ['FREQ=DAILY;INTERVAL=2'],
    days: '1997-09:2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 1997-10:2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 1997-11:1,3,5',
    endless: true,
  },
  {
    what: 'every 10 days, 5 occurrences',
    rules: ['FREQ=DAILY;INTERVAL=10;COUNT=5'],
    days: '1997-09:2,12,22 1997-10:2,12',
  },
  {
    what: 'every day in January, for 3 years',
    start: '1998-01-01T09:00:00',
    rules: [
      'FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA',
      'FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1',
    ],
    days: [1998, 1999, 2000].map(allMonth).join(' '),
  },
  {
    what: 'weekly for 10 occurrences',
    rules: ['FREQ=WEEKLY;COUNT=10'],
    days: '1997-09:2,9,16,23,30 1997-10:7,14,21,28 1997-11:4',
  },
  {
    what: 'weekly until December 24, 1997',
    rules: ['FREQ=WEEKLY;UNTIL=19971224T000000Z'],
    days: '1997-09:2,9,16,23,30 1997-10:7,14,21,28 1997-11:4,11,18,25 1997-12:2,9,16,23',
  },
  {
    what: 'every other week, forever',
    rules: ['FREQ=WEEKLY;INTERVAL=2;WKST=SU'],
    days: '1997-09:2,16,30 1997-10:14,28 1997-11:11,25 1997-12:9,23 1998-01:6,20 1998-02:3,17',
    endless: true,
  },
  {
    what: 'weekly on Tuesday and Thursday for five weeks',
    rules: ['FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH', 'FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH'],
    days: '1997-09:2,4,9,11,16,18,23,25,30 1997-10:2',
  },
  {
    what: 'every other week on Monday, Wednesday, and Friday until December 24, 1997',
    start: '1997-09-01T09:00:00',
    rules: ['FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR'],
    days: '1997-09:1,3,5,15,17,19,29 1997-10:1,3,13,15,17,27,29,31 1997-11:10,12,14,24,26,28 1997-12:8,10,12,22',
  },
  {
    what: 'every other week on Tuesday and Thursday, for 8 occurrences',
    rules: ['FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH'],
    days: '1997-09:2,4,16,18,30 1997-10:2,14,16',
  },
  {
    what: 'monthly on the first Friday for 10 occurrences',
    start: '1997-09-05T09:00:00',
    rules: ['FREQ=MONTHLY;COUNT=10;BYDAY=1FR'],
    days: '1997-09:5 1997-10:3 1997-11:7 1997-12:5 1998-01:2 1998-02:6 1998-03:6 1998-04:3 1998-05:1 1998-06:5',
  },
  {
    what: 'monthly on the first Friday until December 24, 1997',
    start: '1997-09-05T09:00:00',
    rules: ['FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR'],
    days: '1997-09:5 1997-10:3 1997-11:7 1997-12:5',
  },
  {
    what: 'every other month on the first and last Sunday for 10 occurrences',
    start: '1997-09-07T09:00:00',
    rules: ['FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU'],
    days: '1997-09:7,28 1997-11:2,30 1998-01:4,25 1998-03:1,29 1998-05:3,31',
  },
  {
    what: 'monthly on the second-to-last Monday for 6 months',
    start: '1997-09-22T09:00:00',
    rules: ['FREQ=MONTHLY;COUNT=6;BYDAY=-2MO'],
    days: '1997-09:22 1997-10:20 1997-11:17 1997-12:22 1998-01:19 1998-02:16',
  },
  {
    what: 'monthly on the third-to-last day, forever',
    start: '1997-09-28T09:00:00',
    rules: ['FREQ=MONTHLY;BYMONTHDAY=-3'],
    days: '1997-09:28 1997-10:29 1997-11:28 1997-12:29 1998-01:29 1998-02:26',
    endless: true,
  },
  {
    what: 'monthly on the 2nd and 15th for 10 occurrences',
    rules: ['FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15'],
    days: '1997-09:2,15 1997-10:2,15 1997-11:2,15 1997-12:2,15 1998-01:2,15',
  },
  {
    what: 'monthly on the first and last day for 10 occurrences',
    start: '1997-09-30T09:00:00',
    rules: ['FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1'],
    days: '1997-09:30 1997-10:1,31 1997-11:1,30 1997-12:1,31 1998-01:1,31 1998-02:1',
  },
  {
    what: 'every 18 months on the 10th through 15th for 10 occurrences',
    start: '1997-09-10T09:00:00',
    rules: ['FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15'],
    days: '1997-09:10-15 1999-03:10-13',
  },
  {
    what: 'every Tuesday, every other month',
    rules: ['FREQ=MONTHLY;INTERVAL=2;BYDAY=TU'],
    days: '1997-09:2,9,16,23,30 1997-11:4,11,18,25 1998-01:6,13,20,27 1998-03:3,10,17,24,31',
    endless: true,
  },
  {
    what: 'yearly in June and July for 10 occurrences',
    start: '1997-06-10T09:00:00',
    rules: ['FREQ=YEARLY;COUNT=10;BYMONTH=6,7'],
    days: [1997, 1998, 1999, 2000, 2001].map((year) => `${year}-06:10 ${year}-07:10`).join(' '),
  },
  {
    what: 'every other year on January, February, and March for 10 occurrences',
    start: '1997-03-10T09:00:00',
    rules: ['FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3'],
    days: `1997-03:10 ${[1999, 2001, 2003].map((year) => `${year}-01:10 ${year}-02:10 ${year}-03:10`).join(' ')}`,
  },
  {
    what: 'every third year on the 1st, 100th, and 200th day for 10 occurrences',
    start: '1997-01-01T09:00:00',
    rules: ['FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200'],
    days: '1997-01:1 1997-04:10 1997-07:19 2000-01:1 2000-04:9 2000-07:18 2003-01:1 2003-04:10 2003-07:19 2006-01:1',
  },
  {
    what: 'every 20th Monday of the year',
    start: '1997-05-19T09:00:00',
    rules: ['FREQ=YEARLY;BYDAY=20MO'],
    days: '1997-05:19 1998-05:18 1999-05:17',
    endless: true,
  },
  {
    what: 'Monday of week number 20',
    start: '1997-05-12T09:00:00',
    rules: ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO'],
    days: '1997-05:12 1998-05:11 1999-05:17',
    endless: true,
  },
  {
    what: 'every Thursday in March',
    start: '1997-03-13T09:00:00',
    rules: ['FREQ=YEARLY;BYMONTH=3;BYDAY=TH'],
    days: '1997-03:13,20,27 1998-03:5,12,19,26 1999-03:4,11,18,25',
    endless: true,
  },
  {
    what: 'every Thursday, but only during June, July, and August',
    start: '1997-06-05T09:00:00',
    rules: ['FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8'],
    days:
      '1997-06:5,12,19,26 1997-07:3,10,17,24,31 1997-08:7,14,21,28 1998-06:4,11,18,25 1998-07:2,9,16,23,30 ' +
      '1998-08:6,13,20,27 1999-06:3,10,17,24 1999-07:1,8,15,22,29 1999-08:5,12,19,26',
    endless: true,
  },
  {
    what: 'every Friday the 13th',
    rules: ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13'],
    exdates: ['19970902T130000Z'],
    days: '1998-02:13 1998-03:13 1998-11:13 1999-08:13 2000-10:13',
    endless: true,
  },
  {
    what: 'the first Saturday that follows the first Sunday of the month',
    start: '1997-09-13T09:00:00',
    rules: ['FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13'],
    days: '1997-09:13 1997-10:11 1997-11:8 1997-12:13 1998-01:10 1998-02:7 1998-03:7 1998-04:11 1998-05:9 1998-06:13',
    endless: true,
  },
  {
    what: 'U.S. Presidential Election day',
    start: '1996-11-05T09:00:00',
    rules: ['FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8'],
    days: '1996-11:5 2000-11:7 2004-11:2',
    endless: true,
  },
  {
    what: 'the third instance into the month of one of Tuesday, Wednesday, or Thursday, for 3 months',
    start: '1997-09-04T09:00:00',
    rules: ['FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3'],
    days: '1997-09:4 1997-10:7 1997-11:6',
  },
  {
    what: 'the second-to-last weekday of the month',
    start: '1997-09-29T09:00:00',
    rules: ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2'],
    days: '1997-09:29 1997-10:30 1997-11:27 1997-12:30 1998-01:29 1998-02:26 1998-03:30',
    endless: true,
  },
  {
    // Erratum 3883: the RFC prints UNTIL=19970902T170000Z, which is 13:00 in New York.
    what: 'every 3 hours from 9:00 AM to 5:00 PM on a specific day, as corrected',
    rules: ['FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z'],
    days: '1997-09:2',
    times: ['09:00', '12:00', '15:00'],
  },
  {
    what: 'every 3 hours, UNTIL as printed',
    rules: ['FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z'],
    days: '1997-09:2',
    times: ['09:00', '12:00'],
  },
  {
    what: 'every 15 minutes for 6 occurrences',
    rules: ['FREQ=MINUTELY;INTERVAL=15;COUNT=6'],
    days: '1997-09:2',
    times: ['09:00', '09:15', '09:30', '09:45', '10:00', '10:15'],
  },
  {
    what: 'every hour and a half for 4 occurrences',
    rules: ['FREQ=MINUTELY;INTERVAL=90;COUNT=4'],
    days: '1997-09:2',
    times: ['09:00', '10:30', '12:00', '13:30'],
  },
  {
    what: 'every 20 minutes from 9:00 AM to 4:40 PM every day',
    rules: [
      'FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40',
      'FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16',
    ],
    days: '1997-09:2-4',
    times: ['09', '10', '11', '12', '13', '14', '15', '16'].flatMap((hour) => [
      `${hour}:00`,
      `${hour}:20`,
      `${hour}:40`,
    ]),
    endless: true,
  },
  {
    what: 'the week starts on Monday',
    start: '1997-08-05T09:00:00',
    rules: ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO'],
    days: '1997-08:5,10,19,24',
  },
  {
    what: 'the week starts on Sunday',
    start: '1997-08-05T09:00:00',
    rules: ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU'],
    days: '1997-08:5,17,19,31',
  },
  {
    what: 'an invalid date (February 30) is ignored',
    start: '2007-01-15T09:00:00',
    rules: ['FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5'],
    days: '2007-01:15,30 2007-02:15 2007-03:15,30',
  },
  {
    what: 'the last work day of the month (3.3.10)',
    start: '1997-09-30T09:00:00',
    rules: ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'],
    days: '1997-09:30 1997-10:31 1997-11:28 1997-12:31 1998-01:30 1998-02:27',
    endless: true,
  },
  {
    what: 'every Sunday in January of every other year, at 8:30 and 9:30 (3.3.10)',
    start: '1997-01-05T08:30:00',
    rules: ['FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYDAY=SU;BYHOUR=8,9;BYMINUTE=30'],
    days: '1997-01:5,12,19,26 1999-01:3,10,17,24,31',
    times: ['08:30', '09:30'],
    endless: true,
  },
];

/** `1997-09:2,5-7` as dates. */
function datesOf(days: string): string[] {
  return days.split(' ').flatMap((part) => {
    const [month, list = ''] = part.split(':');
    return list.split(',').flatMap((item) => {
      const [from = 0, to = from] = item.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, i) => `${month}-${String(from + i).padStart(2, '0')}`);
    });
  });
}

describe('examples of RFC 5545', () => {
  const zone = loadZone('America/New_York');
  if (zone === null) throw new Error('The zone of the examples is missing.');

  for (const example of examples) {
    for (const rule of example.rules) {
      it(`an RFC 5545 example has its instances (${example.what}): ${rule}`, () => {
        const expected = datesOf(example.days).flatMap((day) =>
          (example.times ?? nine).map((time) => `${day}T${time}:00`),
        );
        const series = openSeries({
          start: example.start ?? '1997-09-02T09:00:00',
          zone: zone.id,
          rules: [rule],
          exRules: [],
          extraDates: [],
          exdates: example.exdates ?? [],
        });
        const found: string[] = [];
        for (const startMs of series.startsFrom(0)) {
          found.push(printLocalDateTime(zone.toLocal(startMs)));
          const wall = Temporal.PlainDateTime.from(found.at(-1) as string);
          expect(wall.toZonedDateTime('America/New_York').epochMilliseconds).toBe(startMs);
          if (example.endless && found.length === expected.length) break;
        }
        expect(found).toEqual(expected);
        expect(series.problems).toEqual([]);
        expect(series.lastMs() === null).toBe(example.endless === true);
      });
    }
  }
});
