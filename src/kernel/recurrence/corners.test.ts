import { describe, expect, it } from 'vitest';
import { openSeries, type SeriesOptions } from '#kernel/recurrence/open-series.ts';
import {
  parseBasic,
  printBasicDate,
  printBasicDateTime,
  printLocalDate,
  printLocalDateTime,
} from '#kernel/time/local.ts';

/**
 * Corner cases that other engines get wrong. `rules only` rows follow tables in which DTSTART counts only if the rule
 * makes it (libical, dateutil, lib-recur). `RFC` rows follow section 3.8.5.3, where it always counts. Columns: name,
 * DTSTART, rule, first instances; a list ending in `…` continues.
 */
type Row = [what: string, start: string, rule: string, instances: string];

const rulesOnly: Row[] = [
  // BYWEEKNO: years that begin and end inside a week, 52 or 53 of them, any day to start the week.
  [
    'weeks 1 and 2 mean the weekday of DTSTART',
    '20130101',
    'FREQ=YEARLY;BYWEEKNO=1,2;UNTIL=20170101',
    '20130101 20130108 20131231 20140107 20141230 20150106 20160105 20160112',
  ],
  [
    '… from the second week on',
    '20130108',
    'FREQ=YEARLY;BYWEEKNO=1,2;UNTIL=20170101',
    '20130108 20131231 20140107 20141230 20150106 20160105 20160112',
  ],
  [
    '… with weeks from Friday',
    '20130108',
    'FREQ=YEARLY;BYWEEKNO=1,2;WKST=FR;UNTIL=20170101',
    '20130108 20130115 20140107 20140114 20150106 20150113 20160105 20160112',
  ],
  [
    '… on Mondays',
    '20130107',
    'FREQ=YEARLY;BYWEEKNO=1,2;UNTIL=20170101',
    '20130107 20131230 20140106 20141229 20150105 20160104 20160111',
  ],
  [
    '… on Mondays, weeks from Tuesday',
    '20130107',
    'FREQ=YEARLY;BYWEEKNO=1,2;WKST=TU;UNTIL=20170101',
    '20130107 20130114 20140106 20140113 20150105 20150112 20160104 20160111',
  ],
  [
    '… on Saturdays, weeks from Tuesday',
    '20140111',
    'FREQ=YEARLY;BYWEEKNO=1,2;WKST=TU;UNTIL=20180101',
    '20140111 20150103 20150110 20160102 20160109 20170107 20170114',
  ],
  [
    '… on Saturdays, weeks from Sunday',
    '20140111',
    'FREQ=YEARLY;BYWEEKNO=1,2;WKST=SU;UNTIL=20180101',
    '20140111 20150110 20150117 20160109 20160116 20170107 20170114',
  ],
  ['the last two weeks', '20131224', 'FREQ=YEARLY;BYWEEKNO=-1,-2;COUNT=2', '20131224 20141216'],
  [
    'first two and last two weeks',
    '20130101',
    'FREQ=YEARLY;BYWEEKNO=1,2,-1,-2;BYDAY=TU;UNTIL=20170101',
    '20130101 20130108 20131217 20131224 20131231 20140107 20141216 20141223 20141230 20150106 20151222 20151229 20160105 20160112 20161220 20161227',
  ],
  [
    'week 53 reaches into January',
    '20130101',
    'FREQ=YEARLY;BYWEEKNO=53;BYDAY=TU,SA;UNTIL=20170101',
    '20151229 20160102',
  ],
  ['… and may begin there', '20160102', 'FREQ=YEARLY;BYWEEKNO=53;BYDAY=TU,SA;UNTIL=20170101', '20160102'],
  ['week 53 on the weekday of DTSTART', '20230101', 'FREQ=YEARLY;BYWEEKNO=53;COUNT=1', '20270103'],
  ['week 53 that DTSTART itself is in', '20270103', 'FREQ=YEARLY;BYWEEKNO=53;COUNT=1', '20270103'],
  ['week 53 after one begun in the year before', '20270103', 'FREQ=YEARLY;BYWEEKNO=53;BYDAY=TH;COUNT=1', '20321230'],
  ['week 53 every fifth year', '20270103', 'FREQ=YEARLY;BYWEEKNO=53;INTERVAL=5;BYDAY=TH;COUNT=1', '20711231'],
  ['week 53 every sixth year', '20270103', 'FREQ=YEARLY;BYWEEKNO=53;INTERVAL=6;BYDAY=TH;COUNT=1', '20321230'],
  [
    'weeks from Thursday',
    '20180213',
    'FREQ=YEARLY;BYWEEKNO=6;BYDAY=TU;WKST=TH;UNTIL=20210612',
    '20180213 20190212 20200211 20210209',
  ],
  [
    'Monday of week 20, weeks from Sunday',
    '19970512',
    'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;WKST=SU;COUNT=3',
    '19970512 19980518 19990517',
  ],
  [
    'Monday of week 20, weeks from Friday',
    '19970512',
    'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;WKST=FR;COUNT=3',
    '19970519 19980518 19990517',
  ],
  [
    'week 1 may begin in the old year',
    '19970902',
    'FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO;COUNT=3',
    '19971229 19990104 20000103',
  ],
  [
    'week 52 may end in the new year',
    '19970902',
    'FREQ=YEARLY;BYWEEKNO=52;BYDAY=SU;COUNT=3',
    '19971228 19981227 20000102',
  ],
  ['the last week on Sunday', '19970902', 'FREQ=YEARLY;BYWEEKNO=-1;BYDAY=SU;COUNT=3', '19971228 19990103 20000102'],
  ['week 53 on Monday', '19970902', 'FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;COUNT=3', '19981228 20041227 20091228'],
  [
    'a week and a month and a day of it meet',
    '20241230',
    'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=30;BYWEEKNO=1;UNTIL=20320101',
    '20241230 20251230 20301230 20311230',
  ],
  ['weeks limit months', '19970902', 'FREQ=MONTHLY;BYWEEKNO=20;COUNT=3', '19980512 19990518 20000516'],
  ['weeks limit weeks', '19970902', 'FREQ=WEEKLY;BYWEEKNO=20;COUNT=3', '19980512 19990518 20000516'],
  [
    'weeks limit days, all seven of them',
    '19970902',
    'FREQ=DAILY;BYWEEKNO=20;COUNT=8',
    '19980511 19980512 19980513 19980514 19980515 19980516 19980517 19990517',
  ],

  // Days that a year or month may lack.
  ['day 366', '20121231', 'FREQ=YEARLY;BYYEARDAY=366;COUNT=3', '20121231 20161231 20201231'],
  ['day -366', '20120101', 'FREQ=YEARLY;BYYEARDAY=-366;COUNT=3', '20120101 20160101 20200101'],
  [
    'day -366 as a limit',
    '20120101T120000',
    'FREQ=HOURLY;BYHOUR=12;BYYEARDAY=-366;COUNT=3',
    '20120101T120000 20160101T120000 20200101T120000',
  ],
  ['29 February, yearly', '20120229', 'FREQ=YEARLY;COUNT=4', '20120229 20160229 20200229 20240229'],
  ['29 February, across 2100', '20920229', 'FREQ=YEARLY;COUNT=4', '20920229 20960229 21040229 21080229'],
  [
    'BYMONTHDAY alone under YEARLY means the month of DTSTART',
    '20240229',
    'FREQ=YEARLY;BYMONTHDAY=29;COUNT=4',
    '20240229 20280229 20320229 20360229',
  ],
  ['the 31st, monthly', '20150131', 'FREQ=MONTHLY;COUNT=5', '20150131 20150331 20150531 20150731 20150831'],
  [
    'day 31 from the end',
    '20150101',
    'FREQ=MONTHLY;BYMONTHDAY=-31;COUNT=5',
    '20150101 20150301 20150501 20150701 20150801',
  ],
  [
    'the 15th, 30th where there is one',
    '20070115',
    'FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5',
    '20070115 20070130 20070215 20070315 20070330',
  ],
  [
    'Fridays on or after 26 March, counted from the end of the year',
    '20060331',
    'FREQ=YEARLY;UNTIL=20100326;BYDAY=FR;BYYEARDAY=-275,-276,-277,-278,-279,-280,-281',
    '20060331 20070330 20080328 20090327 20100326',
  ],
  [
    'a fifth weekday that most months lack',
    '20240129',
    'FREQ=MONTHLY;BYDAY=5MO;COUNT=4',
    '20240129 20240429 20240729 20240930',
  ],
  ['a 53rd weekday that most years lack', '20120101', 'FREQ=YEARLY;BYDAY=53SU;COUNT=2', '20121230 20171231'],
  ['the 53rd weekday from the end', '20120101', 'FREQ=YEARLY;BYDAY=-53SU;COUNT=2', '20120101 20170101'],

  // BYDAY with numbers: of the month under MONTHLY and with BYMONTH, else of the year.
  [
    'last Friday of October',
    '20101029',
    'FREQ=YEARLY;BYDAY=-1FR;BYMONTH=10;UNTIL=20150101',
    '20101029 20111028 20121026 20131025 20141031',
  ],
  [
    'first and last Tuesday or Thursday of the year',
    '19970902',
    'FREQ=YEARLY;BYDAY=1TU,-1TH;COUNT=4',
    '19971225 19980106 19981231 19990105',
  ],
  [
    '… of two months',
    '19970902',
    'FREQ=YEARLY;BYMONTH=1,3;BYDAY=1TU,-1TH;COUNT=4',
    '19980106 19980129 19980303 19980326',
  ],
  [
    'numbered and plain weekdays add up',
    '20240101',
    'FREQ=MONTHLY;BYDAY=MO,1WE;COUNT=7',
    '20240101 20240103 20240108 20240115 20240122 20240129 20240205',
  ],
  [
    'a number before a weekday does not count under WEEKLY',
    '19970902',
    'FREQ=WEEKLY;BYDAY=1TU,-1TH;COUNT=3',
    '19970902 19970904 19970909',
  ],
  ['… nor under DAILY', '19970902', 'FREQ=DAILY;BYDAY=1TU,-1TH;COUNT=3', '19970902 19970904 19970909'],
  [
    'a numbered weekday limits days of the month',
    '20240101',
    'FREQ=MONTHLY;BYDAY=2FR;BYMONTHDAY=8,9,13,14;COUNT=4',
    '20240209 20240308 20240614 20240809',
  ],
  [
    'BYDAY limits BYYEARDAY',
    '20240101',
    'FREQ=YEARLY;BYYEARDAY=1,100,200;BYDAY=MO;COUNT=3',
    '20240101 20270719 20290101',
  ],
  [
    'BYMONTH limits BYYEARDAY',
    '19970902',
    'FREQ=YEARLY;BYMONTH=4,7;BYYEARDAY=1,100,200,365;COUNT=4',
    '19980410 19980719 19990410 19990719',
  ],
  [
    'every Wednesday in February, every other year',
    '20170201',
    'FREQ=YEARLY;INTERVAL=2;UNTIL=20191231;BYMONTH=2;BYDAY=WE',
    '20170201 20170208 20170215 20170222 20190206 20190213 20190220 20190227',
  ],

  // BYSETPOS in every frequency, out of order, from both ends, with several times a day.
  [
    'positions of a year',
    '20240102',
    'FREQ=YEARLY;BYYEARDAY=1,2,3,4,5,6,7;BYSETPOS=3,2;COUNT=4',
    '20240102 20240103 20250102 20250103',
  ],
  [
    'positions of a year of 29ths',
    '20240229',
    'FREQ=YEARLY;BYMONTH=1,2,3;BYMONTHDAY=29;BYSETPOS=3,2;COUNT=4',
    '20240229 20240329 20250329 20260329',
  ],
  [
    'positions of a week',
    '20240102',
    'FREQ=WEEKLY;BYDAY=MO,TU,SU,SA,TH;BYSETPOS=3,2;COUNT=4',
    '20240102 20240104 20240109 20240111',
  ],
  [
    'positions of the week that DTSTART is in the middle of',
    '20241023',
    'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,3;COUNT=3',
    '20241023 20241028 20241030',
  ],
  [
    'positions of a month from both ends',
    '20250810',
    'FREQ=MONTHLY;BYMONTHDAY=1,2,3,4,5,6,7,8,9,10;BYSETPOS=1,2,-1,-2;COUNT=6',
    '20250810 20250901 20250902 20250909 20250910 20251001',
  ],
  [
    'positions over days and times',
    '20240101T081200',
    'FREQ=MONTHLY;BYMINUTE=12,39;BYHOUR=8,14,15;BYDAY=1MO,1TU,2SA,3MO;BYSETPOS=1,-5,3,-21,4,-8;COUNT=8',
    '20240101T081200 20240101T141200 20240101T143900 20240113T151200 20240115T083900 20240205T081200 20240205T141200 20240205T143900',
  ],
  [
    'positions that begin before DTSTART',
    '20240102T143900',
    'FREQ=MONTHLY;BYMINUTE=12,39;BYHOUR=8,14,15;BYDAY=1MO,1TU,2SA,3MO;BYSETPOS=1,-5,3,-21,4,-8;COUNT=3',
    '20240113T151200 20240115T083900 20240205T081200',
  ],
  [
    'positions of a day',
    '20241023T154000',
    'FREQ=DAILY;BYMINUTE=0,10,20,30,40,50;BYSETPOS=-2,3;INTERVAL=5;COUNT=5',
    '20241023T154000 20241028T152000 20241028T154000 20241102T152000 20241102T154000',
  ],
  [
    'positions of a day among limited days',
    '20241023T154000',
    'FREQ=DAILY;BYMONTHDAY=23,28,2;BYMINUTE=0,10,20,30,40,50;BYSETPOS=-2,3;INTERVAL=5;COUNT=5',
    '20241023T154000 20241028T152000 20241028T154000 20241102T152000 20241102T154000',
  ],
  [
    'positions of an hour',
    '20241023T154000',
    'FREQ=HOURLY;BYMINUTE=0,10,20,30,40,50;BYSETPOS=-2,3;INTERVAL=2;COUNT=5',
    '20241023T154000 20241023T172000 20241023T174000 20241023T192000 20241023T194000',
  ],
  [
    'positions of a minute',
    '20241023T001540',
    'FREQ=MINUTELY;BYSECOND=0,10,20,30,40,50;BYSETPOS=-2,3;INTERVAL=2;COUNT=5',
    '20241023T001540 20241023T001720 20241023T001740 20241023T001920 20241023T001940',
  ],
  [
    'the first position of a second',
    '20240229T140104',
    'FREQ=SECONDLY;BYSECOND=4;BYSETPOS=1;COUNT=2',
    '20240229T140104 20240229T140204',
  ],
  ['the second position of a second is never', '20240229T140104', 'FREQ=SECONDLY;BYSECOND=4;BYSETPOS=2;COUNT=2', ''],
  [
    'first and last of 69,632 times a month',
    '20250101T010101',
    `FREQ=MONTHLY;BYMONTHDAY=${upTo(17)};BYHOUR=${upTo(16)};BYMINUTE=${upTo(16)};BYSECOND=${upTo(16)};BYSETPOS=1,-1;COUNT=4`,
    '20250101T010101 20250117T161616 20250201T010101 20250217T161616',
  ],
  ['a position beyond the set', '20240101', 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=5;COUNT=3', '20240129 20240429 20240729'],

  // Lists out of order or with doubles.
  ['months out of order', '20240501', 'FREQ=MONTHLY;BYMONTH=5,4;COUNT=4', '20240501 20250401 20250501 20260401'],
  ['year days out of order', '20240103', 'FREQ=YEARLY;BYYEARDAY=3,2;COUNT=4', '20240103 20250102 20250103 20260102'],
  [
    'seconds out of order, twice',
    '20240229T140104',
    'FREQ=SECONDLY;BYSECOND=5,4,4;COUNT=4',
    '20240229T140104 20240229T140105 20240229T140204 20240229T140205',
  ],
  [
    'hours and minutes twice',
    '19970902T090000',
    'FREQ=DAILY;BYHOUR=9,10,9;BYMINUTE=0,20,40,0;COUNT=2',
    '19970902T090000 19970902T092000',
  ],
  ['weekdays twice', '20111120', 'FREQ=WEEKLY;COUNT=3;BYDAY=SU,TH,TH', '20111120 20111124 20111127'],
  ['one day named from both ends', '20240101', 'FREQ=MONTHLY;BYMONTHDAY=31,-1;COUNT=3', '20240131 20240229 20240331'],

  // Weeks and intervals.
  [
    'every other week from Wednesday',
    '19970901',
    'FREQ=WEEKLY;INTERVAL=2;WKST=WE;BYDAY=MO,WE,FR;COUNT=10',
    '19970901 19970910 19970912 19970915 19970924 19970926 19970929 19971008 19971010 19971013',
  ],
  [
    'every other week from a day the rule does not have',
    '20190101',
    'FREQ=WEEKLY;BYDAY=WE,FR;INTERVAL=2;COUNT=4',
    '20190102 20190104 20190116 20190118',
  ],
  ['every fourth Sunday', '20150322', 'FREQ=WEEKLY;INTERVAL=4;BYDAY=SU;COUNT=4', '20150322 20150419 20150517 20150614'],
  [
    'every other week across the year',
    '20161229',
    'FREQ=WEEKLY;UNTIL=20170127;WKST=MO;BYDAY=SU,TU,TH;INTERVAL=2',
    '20161229 20170101 20170110 20170112 20170115 20170124 20170126',
  ],
  ['weeks limited to months', '19970902', 'FREQ=WEEKLY;BYMONTH=1,3;COUNT=3', '19980106 19980113 19980120'],
  [
    'weeks limited to days of the month',
    '19970902',
    'FREQ=WEEKLY;BYMONTHDAY=1,3;COUNT=3',
    '19970903 19971001 19971003',
  ],
  ['every 13 months, in May', '20100212', 'FREQ=MONTHLY;INTERVAL=13;BYMONTH=5;COUNT=3', '20130512 20260512 20390512'],
  [
    'every seventh day, when it is the 1st or 20th',
    '20250101',
    'FREQ=DAILY;BYMONTHDAY=1,20;INTERVAL=7;COUNT=2',
    '20250101 20250820',
  ],
  [
    'days limited to months across the year',
    '20141030',
    'FREQ=DAILY;UNTIL=20141102;BYMONTH=11,12,1,2,3,4,10',
    '20141030 20141031 20141101 20141102',
  ],
  [
    'days limited from the end of the month',
    '20250220',
    'FREQ=DAILY;BYMONTHDAY=20,-2;UNTIL=20250401',
    '20250220 20250227 20250320 20250330',
  ],

  // Below the day: intervals that do not divide it.
  [
    'every 61 seconds at :05 and :25',
    '20250101T051005',
    'FREQ=SECONDLY;BYSECOND=5,25;INTERVAL=61;COUNT=2',
    '20250101T051005 20250101T053025',
  ],
  [
    'every 61 minutes at :05 and :25',
    '20250101T050500',
    'FREQ=MINUTELY;BYMINUTE=5,25;INTERVAL=61;COUNT=6',
    '20250101T050500 20250102T012500 20250103T180500 20250104T142500 20250106T070500 20250107T032500',
  ],
  [
    'every 7 hours at 3 and 6',
    '20250101T030500',
    'FREQ=HOURLY;BYHOUR=3,6;BYMINUTE=5,15,25;INTERVAL=7;COUNT=6',
    '20250101T030500 20250101T031500 20250101T032500 20250107T060500 20250107T061500 20250107T062500',
  ],
  [
    '… first and last of the hour',
    '20250101T030500',
    'FREQ=HOURLY;BYHOUR=3,6;BYMINUTE=5,15,25;INTERVAL=7;BYSETPOS=1,-1;COUNT=4',
    '20250101T030500 20250101T032500 20250107T060500 20250107T062500',
  ],
  [
    'hours on Thursdays',
    '20241024T221234',
    'FREQ=HOURLY;BYDAY=TH;BYHOUR=22,23;COUNT=4',
    '20241024T221234 20241024T231234 20241031T221234 20241031T231234',
  ],
  [
    'hours on two days of the year',
    '20251220T000000',
    'FREQ=HOURLY;BYHOUR=0;BYYEARDAY=360,-2;UNTIL=20260101T000000',
    '20251226T000000 20251230T000000',
  ],
  [
    'seconds limited by hour, minute and second',
    '20250216T015905',
    'FREQ=SECONDLY;BYHOUR=1,2;BYMINUTE=3,4,59;BYSECOND=5,6;UNTIL=20250216T020500',
    '20250216T015905 20250216T015906 20250216T020305 20250216T020306 20250216T020405 20250216T020406',
  ],
  [
    'an interval longer than a day',
    '20250101T000000',
    'FREQ=HOURLY;INTERVAL=100;COUNT=3',
    '20250101T000000 20250105T040000 20250109T080000',
  ],
  [
    'an interval longer than a day, on Mondays',
    '20250101T000000',
    'FREQ=HOURLY;INTERVAL=100;BYDAY=MO;COUNT=2',
    '20250113T120000 20250203T080000',
  ],

  // Parts that a date has no use for.
  [
    'times of day under a date',
    '20241018',
    'FREQ=DAILY;BYMINUTE=1,2,3,4;INTERVAL=2;COUNT=3',
    '20241018 20241020 20241022',
  ],
  // 23:59:60 is the next second, and 00:00:00 after it is the same one.
  [
    'a leap second',
    '20241231T235900',
    'FREQ=DAILY;BYSECOND=59,60;COUNT=3',
    '20241231T235959 20250101T000000 20250101T235959',
  ],
  [
    'a leap second beside the next minute',
    '20241231T090000',
    'FREQ=DAILY;BYMINUTE=0,1;BYSECOND=0,60;COUNT=4',
    '20241231T090000 20241231T090100 20241231T090200 20250101T090000',
  ],

  // Where there is nothing.
  ['30 February', '20240101', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', ''],
  ['31st of short months', '20240101', 'FREQ=MONTHLY;BYMONTH=4,6,9,11;BYMONTHDAY=31', ''],
  ['day 366 in January', '20240101', 'FREQ=YEARLY;BYMONTH=1;BYYEARDAY=366', ''],
  ['an hour the interval never meets', '20240101T000000', 'FREQ=HOURLY;INTERVAL=2;BYHOUR=1', ''],
  ['UNTIL before DTSTART', '20240102', 'FREQ=DAILY;UNTIL=20240101', ''],
];

const rfc: Row[] = [
  [
    'DTSTART off its rule is an instance and counts',
    '20240101',
    'FREQ=WEEKLY;BYDAY=FR;COUNT=3',
    '20240101 20240105 20240112',
  ],
  ['COUNT=1 is DTSTART', '20240101', 'FREQ=MONTHLY;BYMONTHDAY=15;COUNT=1', '20240101'],
  ['UNTIL before DTSTART leaves DTSTART', '20240102', 'FREQ=DAILY;UNTIL=20240101', '20240102'],
  ['a rule that never matches leaves DTSTART', '20240101', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', '20240101'],
  ['UNTIL is inclusive', '20240101', 'FREQ=DAILY;UNTIL=20240103', '20240101 20240102 20240103'],
  [
    'UNTIL as a date takes in the whole day',
    '20240101T090000',
    'FREQ=DAILY;UNTIL=20240103',
    '20240101T090000 20240102T090000 20240103T090000',
  ],
  [
    'UNTIL with a time cuts the day',
    '20240101T090000',
    'FREQ=DAILY;UNTIL=20240103T085959',
    '20240101T090000 20240102T090000',
  ],
  [
    'UNTIL in UTC is read as local without a zone',
    '20240101T090000',
    'FREQ=DAILY;UNTIL=20240103T090000Z',
    '20240101T090000 20240102T090000 20240103T090000',
  ],
  [
    'UNTIL with a time is that day for a date',
    '20240101',
    'FREQ=DAILY;UNTIL=20240103T235900Z',
    '20240101 20240102 20240103',
  ],
  ['COUNT far beyond the calendar', '99991230', 'FREQ=DAILY;COUNT=999999999', '99991230 99991231'],
  ['an interval far beyond the calendar', '20240101', 'FREQ=DAILY;INTERVAL=2147483647', '20240101'],
  ['the year 2038', '20380118T120000', 'FREQ=DAILY;COUNT=3', '20380118T120000 20380119T120000 20380120T120000'],
  ['before 1970', '19681231', 'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3', '19681231 19690131 19690228'],
  ['1900 had no 29 February', '18960229', 'FREQ=YEARLY;COUNT=2', '18960229 19040229'],
  ['the year 0000 is a leap year', '00000229', 'FREQ=YEARLY;COUNT=2', '00000229 00040229'],

  // RFC 7529.
  [
    'the 31st, omitted',
    '20140131',
    'RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=OMIT;COUNT=4',
    '20140131 20140331 20140531 20140731',
  ],
  [
    'the 31st, backward',
    '20140131',
    'RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD;COUNT=4',
    '20140131 20140228 20140331 20140430',
  ],
  [
    'the 31st, forward',
    '20140131',
    'RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD;COUNT=4',
    '20140131 20140301 20140331 20140501',
  ],
  [
    'leap day, no SKIP',
    '20160229',
    'RSCALE=GREGORIAN;FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=3',
    '20160229 20200229 20240229',
  ],
  [
    'leap day, backward',
    '20160229',
    'FREQ=YEARLY;RSCALE=GREGORIAN;SKIP=BACKWARD;COUNT=5',
    '20160229 20170228 20180228 20190228 20200229',
  ],
  [
    'leap day, forward',
    '20160229',
    'FREQ=YEARLY;RSCALE=GREGORIAN;SKIP=FORWARD;COUNT=5',
    '20160229 20170301 20180301 20190301 20200229',
  ],
  [
    '28 to 31, backward, once each',
    '20230128',
    'RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;SKIP=BACKWARD;COUNT=6',
    '20230128 20230129 20230130 20230131 20230228 20230328',
  ],
  [
    'the 31st forward meets the 1st',
    '20230131',
    'RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=1,31;SKIP=FORWARD;COUNT=6',
    '20230131 20230201 20230301 20230331 20230401 20230501',
  ],
  [
    'day 366, forward',
    '20121231',
    'RSCALE=GREGORIAN;FREQ=YEARLY;BYYEARDAY=366;SKIP=FORWARD;COUNT=6',
    '20121231 20140101 20150101 20160101 20161231 20180101',
  ],
  [
    'day 366, backward',
    '20121231',
    'RSCALE=GREGORIAN;FREQ=YEARLY;BYYEARDAY=366;SKIP=BACKWARD;COUNT=5',
    '20121231 20131231 20141231 20151231 20161231',
  ],
  [
    'day -366, forward',
    '20120101',
    'RSCALE=GREGORIAN;FREQ=YEARLY;BYYEARDAY=-366;SKIP=FORWARD;COUNT=5',
    '20120101 20130101 20140101 20150101 20160101',
  ],
  [
    'day -366, backward',
    '20120101',
    'RSCALE=GREGORIAN;FREQ=YEARLY;BYYEARDAY=-366;SKIP=BACKWARD;COUNT=6',
    '20120101 20121231 20131231 20141231 20160101 20161231',
  ],
  [
    'the 31st from the end, backward',
    '20150101',
    'RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=-31;SKIP=BACKWARD;COUNT=5',
    '20150101 20150131 20150301 20150331 20150501',
  ],
  [
    'SKIP before BYSETPOS',
    '20230101',
    'RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=1,31;BYSETPOS=-1;SKIP=BACKWARD;COUNT=4',
    '20230101 20230131 20230228 20230331',
  ],
  [
    'SKIP at leap day with a time at its end',
    '20230131T235900',
    'RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD;BYSECOND=60;COUNT=4',
    '20230131T235900 20230201T000000 20230301T000000 20230401T000000',
  ],
];

function upTo(last: number): string {
  return Array.from({ length: last }, (_, i) => i + 1).join(',');
}

function isoOf(text: string): string {
  const time = parseBasic(text);
  if (time === null) throw new Error(`The table has no time in ${text}.`);
  return time.form === 'date' ? printLocalDate(time.ms) : printLocalDateTime(time.ms);
}

function instancesOf(start: string, rule: string, most: number, options: SeriesOptions): string[] {
  const series = openSeries(
    { start: isoOf(start), zone: null, rules: [rule], exRules: [], extraDates: [], exdates: [] },
    options,
  );
  expect(series.problems).toEqual([]);
  const found: string[] = [];
  for (const startMs of series.startsFrom(Number.NEGATIVE_INFINITY)) {
    found.push(series.allDay ? printBasicDate(startMs) : printBasicDateTime(startMs));
    if (found.length > most) break;
  }
  return found;
}

function check(rows: Row[], options: SeriesOptions): void {
  for (const [what, start, rule, instances] of rows) {
    it(`an RRULE has the expected instances (${what}): ${rule.slice(0, 120)}`, () => {
      const expected = instances === '' ? [] : instances.split(' ');
      expect(instancesOf(start, rule, expected.length, options)).toEqual(expected);
    });
  }
}

describe('instances of the rules alone', () => check(rulesOnly, { dtstart: 'when-matching' }));
describe('instances by RFC 5545 and RFC 7529', () => check(rfc, {}));

describe('weeks without a weekday', () => {
  it('BYWEEKNO without a weekday is the whole week when the caller asks for it, as in dateutil', () => {
    expect(
      instancesOf('19970902', 'FREQ=YEARLY;BYWEEKNO=20;COUNT=3', 3, {
        dtstart: 'when-matching',
        reading: 'dateutil',
      }),
    ).toEqual(['19980511', '19980512', '19980513']);
  });
});
