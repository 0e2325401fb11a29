import * as z from 'zod/mini';
import { id, line } from '#kernel/codecs.ts';
import { loadZone } from '#kernel/time/zones.ts';
import type { Answers } from './answers.ts';

/** Facts of a visitor beside their answers. To rules each is like a hidden question. */

export const factNames = ['language', 'zone', 'day', 'contact'] as const;
export type FactName = (typeof factNames)[number];

/** Beside the ids of questions, none of which looks like this. */
export type FactId = `@${FactName}`;
export const factId = (name: FactName): FactId => `@${name}`;

/** The first part of a browser's language: `de` of `de-AT`. */
export const languageCode = z.string().check(z.regex(/^[a-z]{2,3}$/));

/** `Europe/Berlin`, or all of `Europe`. */
export const zoneArea = line(64).check(
  z.refine((area: string) => zoneAreas.has(area) || loadZone(area) !== null, {
    error: 'Expected a time zone, such as Europe/Berlin, or a part of the world, such as Europe',
  }),
);
const zoneAreas = new Set([
  'Africa',
  'America',
  'Antarctica',
  'Arctic',
  'Asia',
  'Atlantic',
  'Australia',
  'Europe',
  'Indian',
  'Pacific',
]);
export const areas: readonly string[] = [...zoneAreas];

export const dayText = z.string().check(
  z.regex(/^(?:19|20|21)\d\d-\d\d-\d\d$/),
  z.refine((day: string) => isDay(day), { error: 'There is no such day' }),
);

function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The owner in a rule whose person has left the team: it matches nobody. */
export const gone = 'gone';
export const nobody = 'nobody';
export const ownerId = z.union([id<'user'>(), z.literal(nobody), z.literal(gone)]);

/** Monday is 1. */
export const weekdays = ['1', '2', '3', '4', '5', '6', '7'] as const;
export const weekdayOf = (day: string) => String(Temporal.PlainDate.from(day).dayOfWeek);

/** Days that are looked at in one piece of work, each calculated once. */
export class Days {
  readonly #weekdays = new Map<string, string>();
  readonly #around = new Map<string, readonly string[]>();

  weekdayOf(day: string): string {
    return keep(this.#weekdays, day, weekdayOf);
  }

  /** Seven days before it, the day, and six after it. */
  around(day: string): readonly string[] {
    return keep(this.#around, day, () => {
      const start = Temporal.PlainDate.from(day);
      return Array.from({ length: 14 }, (_, n) => start.add({ days: n - 7 }).toString());
    });
  }
}

function keep<Value>(kept: Map<string, Value>, key: string, make: (key: string) => Value): Value {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make(key);
  kept.set(key, made);
  return made;
}

export const tagText = line(40).check(z.trim(), z.minLength(1));

/** Unknown facts are null. */
export const factsShape = z.strictObject({
  language: z.nullable(languageCode),
  zone: z.nullable(zoneArea),
  day: z.nullable(dayText), // in the zone of the form's owner
  /** The contact with the given address: its owner (null: nobody), and its tags. */
  contact: z.nullable(
    z.strictObject({
      owner: z.nullable(z.union([id<'user'>(), z.literal(gone)])),
      tags: z.array(tagText).check(z.maxLength(100)),
    }),
  ),
});
export type Facts = z.output<typeof factsShape>;

export const noFacts: Facts = { language: null, zone: null, day: null, contact: null };

/** As rules look at them, beside the answers. */
export function toKnown({ language, zone, day, contact }: Facts): Answers {
  return {
    ...(language === null ? {} : { '@language': language }),
    ...(zone === null ? {} : { '@zone': zone }),
    ...(day === null ? {} : { '@day': day }),
    ...(contact === null ? {} : { '@contact': [contact.owner ?? nobody, ...contact.tags] }),
  };
}

const epoch = Temporal.Instant.fromEpochMilliseconds(0);

/** Names of time zones that are compared in one piece of work. Browsers call one zone by its old name and by its new one. */
export class ZoneNames {
  /** By each name the one under which its zone was first seen; null where there is no such zone. */
  readonly #firstNames = new Map<string, string | null>();
  /** The zones seen, by their offsets of 1970. Comparing two of them takes a hundred times as long as a look-up. */
  readonly #byOffset = new Map<number, Temporal.ZonedDateTime[]>();

  isSame(one: string, other: string): boolean {
    if (one === other) return true;
    const zone = this.#firstNameOf(one);
    return zone !== null && zone === this.#firstNameOf(other);
  }

  #firstNameOf(name: string): string | null {
    const known = this.#firstNames.get(name);
    if (known !== undefined) return known;
    const first = loadZone(name) === null ? null : this.#findFirst(epoch.toZonedDateTimeISO(name));
    this.#firstNames.set(name, first);
    return first;
  }

  #findFirst(zone: Temporal.ZonedDateTime): string {
    const alike = this.#byOffset.get(zone.offsetNanoseconds) ?? [];
    const first = alike.find((one) => one.equals(zone));
    if (first !== undefined) return first.timeZoneId;
    this.#byOffset.set(zone.offsetNanoseconds, [...alike, zone]);
    return zone.timeZoneId;
  }
}

/** The first language that a browser names, whichever it prefers by weight: browsers write them in order. */
export function firstLanguage(accepted: string): string | null {
  const code = /^\s*([A-Za-z]{2,3})(?=[-,;\s]|$)/.exec(accepted)?.[1]?.toLowerCase();
  return code ?? null;
}

/** The day of a moment, as the owner of a form has it. */
export const dayIn = (zone: string, ms: number): string =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString();
