import type { Core, EventBody, Item, KnownPart, RecId, Series, Single, When } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { canonicalJson } from '#kernel/event-hash.ts';
import type { DateValue } from '#kernel/ical/date-value.ts';
import { normaliseBody } from '#kernel/ical/normalise-body.ts';
import { parseRecurrence, recIdOf } from '#kernel/ical/read-recurrence.ts';
import { shortenWarnings, warning } from '#kernel/ical/reading-warning.ts';
import { frameOf, isRepeating, readOnly } from '#kernel/ical/series-frame.ts';
import type { TagVerifier } from '#kernel/mirror-identity.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import { sha256 } from '#kernel/sha256.ts';
import { occurrenceTest, plainInstance } from '../rest/series-instances.ts';
import { mirrorUidOf } from './mirror-id.ts';
import { readCore } from './read-core.ts';
import { readTime, readWhen } from './read-when.ts';
import type { GoogleEvent } from './resource.ts';

/** The calendar's owner and zone, which reading needs beside the events. */
export interface ReadContext {
  /** In lower case. */
  self: ReadonlySet<string>;
  tags: TagVerifier;
  calendarZone: string | undefined;
}

/** A recurring event as Google keeps it: its master, and every instance that was changed or cancelled. */
export interface SeriesParts {
  /** Id of the master. */
  ref: string;
  /** Null where we may not see it: somebody was invited to single instances. */
  master: GoogleEvent | null;
  exceptions: readonly GoogleEvent[];
}

export const isRecurring = (event: GoogleEvent) => (event.recurrence ?? []).length > 0;
export const isCancelled = (event: GoogleEvent) => event.status === 'cancelled';

/** A master's etag says nothing of its exceptions, so theirs are part of a series' version: `<etag>~<digest>`. */
export function versionOf({ master, exceptions }: SeriesParts): string {
  const etag = master?.etag ?? '';
  if (exceptions.length === 0) return etag;
  const parts = exceptions.map(({ id, etag: own, status }) => `${id} ${own ?? status}`).sort();
  return `${etag}~${sha256(parts.join('\n')).slice(0, 16)}`;
}

/** The master's etag in a version, for If-Match. */
export const etagIn = (version: string) => version.replace(/~[0-9a-f]{16}$/, '');
export const hasExceptions = (version: string) => /~[0-9a-f]{16}$/.test(version);

/**
 * Converts one object of the calendar. A body that cannot be represented faithfully is `withheld`. Errors: none,
 * whatever it holds.
 */
export function itemOf(parts: SeriesParts, context: ReadContext): Item {
  const { ref, master } = parts;
  const uid = mirrorUidOf(ref, context.tags);
  const warnings: string[] = [];
  const shown = uid ?? master?.iCalUID ?? parts.exceptions.find((one) => one.iCalUID !== undefined)?.iCalUID;
  const body =
    master === null
      ? readOrphans(parts, context, warnings)
      : readMaster(master, parts.exceptions, uid !== null, context, warnings);
  return {
    ref,
    ...(shown === undefined ? {} : { uid: shown }),
    version: versionOf(parts),
    ...(master?.sequence === undefined ? {} : { sequence: master.sequence }),
    provenance: uid === null ? 'foreign' : 'own',
    body,
    ...(warnings.length === 0 ? {} : { warnings: shortenWarnings(warnings) }),
    ...(body.kind === 'withheld' && master !== null ? { known: knownOf(master, context) } : {}),
  };
}

function knownOf(master: GoogleEvent, context: ReadContext): KnownPart {
  const { title } = readCore(master, context.self, false, []);
  return title === undefined ? {} : { title };
}

function readMaster(
  master: GoogleEvent,
  exceptions: readonly GoogleEvent[],
  own: boolean,
  context: ReadContext,
  warnings: string[],
): EventBody {
  const when = readWhen(master, context.calendarZone, warnings);
  if ('reason' in when) return { kind: 'withheld', reason: when.reason };
  const core = readCore(master, context.self, own, warnings);
  const single: Single = { kind: 'single', when, core };
  if (!isRecurring(master)) return own ? normaliseBody(single) : single;
  const frame = frameOf(when, context.calendarZone);
  const lines = master.recurrence ?? [];
  const unread = lines.filter((line) => /^RRULE/i.test(line) && !parseRule(line).ok);
  for (const source of unread) warnings.push(warning('rule-unreadable', { source }));
  // a series in an unknown zone would drift
  const drifts = warnings.some((text) => text.startsWith('zone-of-series-unknown'));
  const readable = drifts ? [] : lines.filter((line) => !unread.includes(line));
  const plain: Series = {
    kind: 'series',
    when,
    core,
    ...parseRecurrence(readable, when, frame, warnings),
    overrides: {},
  };
  const whole = withExceptions(plain, exceptions, own, context, warnings);
  if (own) return normaliseBody(whole);
  const body = isRepeating(whole) ? whole : single;
  return drifts || unread.length > 0 ? readOnly(master.id, body) : body;
}

function withExceptions(
  series: Series,
  exceptions: readonly GoogleEvent[],
  own: boolean,
  context: ReadContext,
  warnings: string[],
): Series {
  const frame = frameOf(series.when, context.calendarZone);
  const exdates = new Set(series.exdates);
  // A cancelled instance stays cancelled after its series has moved away from it, and means nothing then.
  const occurs = exceptions.some(isCancelled) ? occurrenceTest(series) : () => true;
  for (const [original, exception] of byOriginal(exceptions, warnings)) {
    const recId = recIdOf(original, frame);
    if (isCancelled(exception)) {
      if (occurs(recId)) exdates.add(recId);
      continue;
    }
    const instance = readInstance(exception, own, context, warnings);
    if (instance === null) continue;
    // An instance of ours that its user changed and we brought back: Google keeps it as an exception that is none.
    if (own && canonicalJson(instance) === canonicalJson(plainInstance(series, recId))) continue;
    if (Object.keys(series.overrides).length === eventLimits.overrides) {
      warnings.push(warning('changes-skipped', { number: exceptions.length - eventLimits.overrides }));
      break;
    }
    exdates.delete(recId);
    series.overrides[recId] = instance;
  }
  series.exdates = [...exdates].sort().slice(0, eventLimits.exdates);
  return series;
}

/** Exceptions by the time they replace; one that does not tell it cannot be placed, and its instance stands as it was. */
function byOriginal(exceptions: readonly GoogleEvent[], warnings: string[]): [DateValue, GoogleEvent][] {
  const placed: [DateValue, GoogleEvent][] = [];
  for (const exception of exceptions) {
    const original = readTime(exception.originalStartTime);
    if (original === null) warnings.push(warning('change-unnamed', {}));
    else placed.push([original, exception]);
  }
  return placed.sort(([a], [b]) => a.ms - b.ms);
}

function readInstance(
  event: GoogleEvent,
  own: boolean,
  context: ReadContext,
  warnings: string[],
): { when: When; core: Core } | null {
  const when = readWhen(event, context.calendarZone, warnings);
  if (!('reason' in when)) return { when, core: readCore(event, context.self, own, warnings) };
  warnings.push(warning('change-unreadable', {}));
  return null;
}

/** Instances of a series that we may not see: each stands for itself. */
function readOrphans({ ref, exceptions }: SeriesParts, context: ReadContext, warnings: string[]): EventBody {
  const list: Record<RecId, { when: When; core: Core }> = {};
  for (const [original, exception] of byOriginal(exceptions, warnings)) {
    const instance = isCancelled(exception) ? null : readInstance(exception, false, context, warnings);
    if (instance !== null) list[recIdOf(original, null)] = instance;
  }
  if (Object.keys(list).length === 0) return { kind: 'withheld', reason: warning('changes-alone-unreadable', {}) };
  // the list is complete, for every time that a Temporal.Instant can name
  return { kind: 'instances', of: ref, from: -8.64e15, to: 8.64e15, list };
}
