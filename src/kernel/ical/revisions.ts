import type { Core, RecId } from '#kernel/event.ts';
import { type ContentLine, readProperty } from '#kernel/ical/content-lines.ts';
import { readDateProperty, readDateValue } from '#kernel/ical/date-value.ts';
import { keyword, type RawEvent, rawValue } from '#kernel/ical/read-event.ts';
import { recIdOf } from '#kernel/ical/read-recurrence.ts';
import { readDateLine } from '#kernel/ical/read-when.ts';
import { warning } from '#kernel/ical/reading-warning.ts';
import type { Frame } from '#kernel/ical/series-frame.ts';
import type { ZoneLookup } from '#kernel/ical/zone-lookup.ts';
import { sha256 } from '#kernel/sha256.ts';

/**
 * Masters and overrides. Where there is an event, messages about it are left out. An override that has a rule and no master
 * is a series itself: Outlook copies a series with its RECURRENCE-ID.
 */
export function sortRevisions(all: RawEvent[]): { masters: RawEvent[]; overrides: RawEvent[] } {
  const events = all.every(isMessage) ? all : all.filter((event) => !isMessage(event));
  const masters = events.filter((event) => !event.one.has('RECURRENCE-ID'));
  const overrides = events.filter((event) => event.one.has('RECURRENCE-ID'));
  const series = overrides.find((event) => event.rules.length > 0 && !isCancelled(event) && !isThisAndFuture(event));
  if (masters.length > 0 || series === undefined) return { masters, overrides };
  return { masters: [series], overrides: overrides.filter((event) => event !== series) };
}

export const isThisAndFuture = (raw: RawEvent): boolean => rangeOf(raw) === 'THISANDFUTURE';
/** A range of RFC 2445 4.2.13, which RFC 5545 forbids to write. */
export const isThisAndPrior = (raw: RawEvent): boolean => rangeOf(raw) === 'THISANDPRIOR';

function rangeOf(raw: RawEvent): string | undefined {
  const line = raw.one.get('RECURRENCE-ID');
  return line === undefined ? undefined : readDateProperty(line).parameters?.get('RANGE')?.trim().toUpperCase();
}

export function isCancelled(raw: RawEvent): boolean {
  const status = keyword(raw, 'STATUS');
  // the American spelling is not that of RFC 5545, and is met
  return status === 'CANCELLED' || status === 'CANCELED' || methodOf(raw) === 'CANCEL';
}

/** The METHOD of the calendar that an event is in, in upper case. Files that somebody mailed have one. */
function methodOf({ calendar }: RawEvent): string | undefined {
  const line = calendar?.lines.slice(0, mostHeadLines).find(({ name }) => name === 'METHOD');
  return line === undefined ? undefined : readProperty(line).value.trim().toUpperCase();
}

/** METHOD is among the first lines, and each event looks for it. */
const mostHeadLines = 50;

const messages = new Set(['REPLY', 'REFRESH', 'COUNTER', 'DECLINECOUNTER']);

/** Whether it is a message about an event, which is another object. Source: RFC 5546 1.4. */
function isMessage(raw: RawEvent): boolean {
  return messages.has(methodOf(raw) ?? '');
}

/** A message takes no time, but where the owner says in it that they attend. */
export function takesNoTime(raw: RawEvent, core: Core, warnings: string[]): boolean {
  if (!isMessage(raw) || core.self === 'accepted' || core.self === 'tentative') return false;
  warnings.push(warning('message-only', {}));
  return true;
}

/** Webex counts seconds since 1970, and other exporters milliseconds. */
export function sequenceOf(raw: RawEvent): number | undefined {
  const text = rawValue(raw, 'SEQUENCE');
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The latest revision: by SEQUENCE, then DTSTAMP, then LAST-MODIFIED, then the place. Source: RFC 5546 2.1.5. */
export function latest(events: RawEvent[]): RawEvent | null {
  let best: RawEvent | null = null;
  for (const event of events) if (best === null || compareRevisions(event, best) >= 0) best = event;
  return best;
}

function compareRevisions(a: RawEvent, b: RawEvent): number {
  const bySequence = (sequenceOf(a) ?? 0) - (sequenceOf(b) ?? 0);
  if (bySequence !== 0) return bySequence;
  return stampOf(a, 'DTSTAMP') - stampOf(b, 'DTSTAMP') || stampOf(a, 'LAST-MODIFIED') - stampOf(b, 'LAST-MODIFIED');
}

/** Epoch ms, or 0 where none is readable. */
const stampOf = (raw: RawEvent, name: string) => readDateValue(rawValue(raw, name) ?? '', null, false)?.ms ?? 0;

export interface OverrideReader {
  zones: ZoneLookup;
  warnings: string[];
  /** False where times are unknown: the event is then only read. */
  isWhole: boolean;
}

/** Notes that times of the event are unknown. */
export function lose(reader: OverrideReader, text: string): void {
  reader.warnings.push(text);
  reader.isWhole = false;
}

/** The overrides by the instance they replace, in order of time; of two for one instance the latest revision. */
export function latestByRecId(overrides: RawEvent[], frame: Frame | null, reader: OverrideReader): [RecId, RawEvent][] {
  const byRecId = new Map<RecId, RawEvent>();
  const unnamed: RawEvent[] = [];
  for (const raw of overrides) {
    const value = readDateLine(raw.one.get('RECURRENCE-ID') as ContentLine, reader.zones);
    if (value === null) {
      lose(reader, warning('change-unnamed', {}));
      unnamed.push(raw);
      continue;
    }
    const recId = recIdOf(value, frame);
    byRecId.set(recId, latest([byRecId.get(recId) ?? raw, raw]) ?? raw);
  }
  for (const raw of unnamed) {
    // the start is known, but not the instance that it replaces
    const line = raw.one.get('DTSTART');
    const value = line === undefined || isCancelled(raw) ? null : readDateLine(line, reader.zones);
    const recId = value === null ? null : recIdOf(value, frame);
    if (recId !== null && !byRecId.has(recId)) byRecId.set(recId, raw);
  }
  return [...byRecId].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A UID for an event that has none: from when it is and what it is called, so that it stays over fetches. */
export function syntheticUid(raw: RawEvent): string {
  const parts = ['DTSTART', 'DTEND', 'DURATION', 'RRULE', 'SUMMARY'].map((name) => {
    return raw.one.get(name)?.text ?? raw.rules[0]?.text ?? '';
  });
  return `no-uid-${sha256(parts.join('\n')).slice(0, 32)}`;
}
