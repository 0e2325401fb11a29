import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { EventBody, SelfResponse } from '#kernel/event.ts';
import { decodeCalendar } from '#kernel/ical/decode-calendar.ts';
import { parseFeed } from '#kernel/ical/parse-feed.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';

/*
 * One file for each habit of an exporter, and beside it what its author meant, worked out by hand from RFC 5545 and the
 * documentation of the exporter: the instants by status (days in the owner's zone, Europe/Berlin), and the warnings.
 */

const folder = new URL('../fixtures/calendars/', import.meta.url);
export const calendarFiles = readdirSync(folder)
  .filter((name) => name.endsWith('.ics'))
  .map((name) => name.slice(0, -'.ics'.length));
/** The person whom the invitations among the files ask. */
export const ownerOfFiles = 'ann@example.com';

/** `2026-07-06T07:00Z/PT1H` by status, days as `2026-07-06/2026-07-07`; a status that the file has not is absent. */
export interface Meaning {
  busy?: string[];
  tentative?: string[];
  oof?: string[];
  elsewhere?: string[];
  free?: string[];
  /** Beginnings of the reasons. */
  withheld?: string[];
  /** Parts of the warnings, in any order. */
  warnings?: string[];
  titles?: string[];
  /** The owner's to invitations, where the file has some; a feed has no owner. */
  answers?: SelfResponse[];
}

interface Expected extends Meaning {
  exporter: string;
  habit: string;
  /** Different expectations for a CalDAV server's objects; null where a server has no such object. */
  caldav?: Meaning | null;
}

export function bytesOf(name: string): Uint8Array {
  return readFileSync(new URL(`${name}.ics`, folder));
}

function expectedOf(name: string): Expected {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Expected;
}

export function meaningInFeed(name: string): Meaning {
  const { exporter: _exporter, habit: _habit, caldav: _caldav, ...meaning } = expectedOf(name);
  return meaning;
}

/** Null where a server has no such object. */
export function meaningOnCaldav(name: string): Meaning | null {
  const { caldav } = expectedOf(name);
  return caldav === null ? null : { ...meaningInFeed(name), ...caldav };
}

export interface Read {
  body: EventBody;
  warnings: string[];
}

export function readAsFeed(bytes: Uint8Array): { objects: Read[]; warnings: string[]; zone: string | undefined } {
  const feed = parseFeed(bytes, { selfAddresses: [], tags: { verify: () => false } });
  if (!feed.ok) return expect.fail(feed.reason);
  return { objects: [...feed.objects], warnings: feed.warnings, zone: feed.zone };
}

/** The file as a CalDAV server keeps it: an object for each UID, with all that is no event. */
export function objectsOf(bytes: Uint8Array): string[] {
  const text = decodeCalendar(bytes);
  if (typeof text !== 'string') return expect.fail(text.reason);
  const calendars = text.match(/^\uFEFF?BEGIN:VCALENDAR$[\s\S]*?^END:VCALENDAR$/gm) ?? [];
  return calendars.flatMap((calendar) => {
    const events = calendar.match(/^BEGIN:VEVENT$[\s\S]*?^END:VEVENT$\s*/gm) ?? [];
    const uidOf = (event: string) => /^UID:.*(?:\s+^[ \t].*)*/m.exec(event)?.[0] ?? event;
    const uids = new Set(events.map(uidOf));
    return [...uids].map((uid) => {
      const others = events.filter((event) => uidOf(event) !== uid);
      return others.reduce((rest, event) => rest.replace(event, ''), calendar);
    });
  });
}

const window = { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2028, 0, 1) };

export function meaningOf(objects: Read[], zone: string | undefined, fileWarnings: string[] = []): Meaning {
  const meaning: Record<string, string[]> = {};
  const add = (key: string, text: string) => {
    meaning[key] = [...(meaning[key] ?? []), text].sort();
  };
  for (const { body } of objects) {
    if (body.kind === 'withheld') add('withheld', body.reason);
    const limits = { instances: 100, steps: 50_000 };
    for (const one of occurrencesOf(body, zone ?? 'Europe/Berlin', 'Europe/Berlin', window, limits).list) {
      add(one.core.busy, one.allDay ? daysOf(one.startMs, one.endMs) : timeOf(one.startMs, one.endMs));
      add('titles', one.core.title ?? '');
      if (one.core.self !== 'none' && one.core.self !== 'organizer') add('answers', one.core.self);
    }
  }
  for (const warning of new Set([...fileWarnings, ...objects.flatMap(({ warnings }) => warnings)])) {
    add('warnings', warning);
  }
  return meaning;
}

function timeOf(startMs: number, endMs: number): string {
  const start = Temporal.Instant.fromEpochMilliseconds(startMs);
  const length = Temporal.Instant.fromEpochMilliseconds(endMs).since(start, { largestUnit: 'hours' });
  return `${start.toString({ smallestUnit: 'minute' })}/${length.toString()}`;
}

function daysOf(startMs: number, endMs: number): string {
  const day = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('Europe/Berlin');
  return [startMs, endMs].map((ms) => day(ms).toPlainDate()).join('/');
}

export function expectMeaning(found: Meaning, expected: Meaning): void {
  const { warnings = [], withheld = [], titles, answers, ...times } = expected;
  const {
    warnings: foundWarnings = [],
    withheld: foundReasons = [],
    titles: foundTitles,
    answers: foundAnswers,
  } = found;
  const { busy, tentative, oof, elsewhere, free } = found;
  expect({ busy, tentative, oof, elsewhere, free }).toEqual({
    busy: times.busy,
    tentative: times.tentative,
    oof: times.oof,
    elsewhere: times.elsewhere,
    free: times.free,
  });
  expect(foundWarnings).toHaveLength(warnings.length);
  for (const part of warnings) expect(foundWarnings).toContainEqual(expect.stringContaining(part));
  expect(foundReasons).toEqual(withheld.map((part) => expect.stringContaining(part)));
  if (titles !== undefined) expect(foundTitles).toEqual(titles);
  expect(foundAnswers).toEqual(answers);
}
