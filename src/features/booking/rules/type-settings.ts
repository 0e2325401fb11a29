import * as z from 'zod/mini';
import { counter, id, line, text } from '#kernel/codecs.ts';

/** How an event type is booked. Lengths of time are minutes, days and months are those of the host's zone. */

const minutes = (min: number, max: number) => z.int().check(z.gte(min), z.lte(max));
const uniqueOf = <Item>(message: string, keyOf: (item: Item) => unknown) =>
  z.refine<Item[]>((items) => new Set(items.map(keyOf)).size === items.length, { error: message });

/** An address that pages may lead to: https, and nothing that a browser runs. */
export const httpsUrl = line(2_000).check(
  z.refine(isHttps, { error: 'Expected an address that begins with https://' }),
);

function isHttps(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === '' && !/\s/.test(address);
}

/** `https://example.org`, port included: a page that may show the booking page in a frame. */
export const frameOrigin = line(255).check(
  z.refine((value: string) => isHttps(value) && URL.parse(value)?.origin === value, {
    error: 'Expected an address such as https://example.org, without a path',
  }),
);

export const locationShape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('in-person'), address: text(500) }),
  // the host calls the number that the guest gives, or the guest calls this one
  z.strictObject({ kind: z.literal('phone'), who_calls: z.enum(['host', 'guest']), number: line(40) }),
  z.strictObject({ kind: z.literal('link'), url: httpsUrl }),
  z.strictObject({ kind: z.literal('google-meet') }),
  z.strictObject({ kind: z.literal('teams') }),
]);

export const questionKinds = ['text', 'long', 'choice', 'checkbox', 'phone'] as const;

/** Questions to guests besides name and mail; answers are stored under the `id`. */
export const questionShape = z
  .strictObject({
    id: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/)),
    label: line(200).check(z.trim(), z.minLength(1)),
    kind: z.enum(questionKinds),
    options: z.optional(
      z.array(line(200).check(z.trim(), z.minLength(1))).check(
        z.maxLength(50),
        uniqueOf('The same option is listed twice', (option) => option),
      ),
    ),
    required: z.boolean(),
  })
  .check(
    z.refine(
      (question) => (question.kind === 'choice') === (question.options !== undefined && question.options.length > 0),
      {
        path: ['options'],
        error: 'A choice needs options, and nothing else has any',
      },
    ),
  );

const limitShape = z.strictObject({
  count: z.optional(z.int().check(z.gte(1), z.lte(1_000))),
  minutes: z.optional(minutes(5, 44_640)),
});

const windowShape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rolling'), days: z.int().check(z.gte(1), z.lte(730)) }),
  z
    .strictObject({ kind: z.literal('fixed'), from: z.iso.date(), to: z.iso.date() }) // both days included
    .check(z.refine(({ from, to }) => from <= to, { path: ['to'], error: 'The last day is before the first' })),
]);

/** The policy to use: the person's default at each time, a policy as it changes, or one fixed version. */
const policyShape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('default') }),
  z.strictObject({ kind: z.literal('policy'), policyId: id<'policy'>() }),
  z.strictObject({ kind: z.literal('version'), policyId: id<'policy'>(), n: counter(1) }),
]);

const freshnessShape = z.strictObject({
  on_stale: z.enum(['block', 'warn', 'ignore']),
  stale_after_minutes: minutes(5, 10_080),
});

/** Characters of all labels and options; every list of event types carries them. */
const mostQuestionText = 20_000;
export const longestReminderMinutes = 40_320; // four weeks
export const mostReminders = 5;

export const typeSettingsShape = z.strictObject({
  /** Durations to choose from; the first is the default. */
  durations_minutes: z.array(minutes(5, 1_440)).check(
    z.minLength(1),
    z.maxLength(8),
    uniqueOf('The same duration is listed twice', (duration) => duration),
  ),
  step_minutes: minutes(5, 1_440), // between starts
  buffer_before_minutes: minutes(0, 1_440),
  buffer_after_minutes: minutes(0, 1_440),
  notice_minutes: minutes(0, 525_600),
  window: windowShape,
  limits: z.strictObject({ day: z.optional(limitShape), week: z.optional(limitShape), month: z.optional(limitShape) }),
  seats: z.int().check(z.gte(1), z.lte(1_000)), // seats of one session; 1 unless it is a group
  shows_seats: z.optional(z.boolean()), // guests see how many are left
  quorum: z.nullable(z.int().check(z.gte(1), z.lte(10))), // collective: so many of its hosts are enough; null: all
  contact_owner_first: z.boolean(), // round robin: the owner of the guest's contact is assigned, if free
  rank: z.int().check(z.gte(1), z.lte(4)), // semantics: holds of a higher number give way
  policy: policyShape,
  location: locationShape,
  color: z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
  questions: z.array(questionShape).check(
    z.maxLength(20),
    uniqueOf('Two questions have the same id', (question: { id: string }) => question.id),
    z.refine<{ label: string; options?: string[] | undefined }[]>(
      (questions) =>
        questions.flatMap(({ label, options = [] }) => [label, ...options]).join('').length <= mostQuestionText,
      { error: 'The questions hold more than 20,000 characters together' },
    ),
  ),
  guests_allowed: z.int().check(z.gte(0), z.lte(10)), // number of people that a guest may bring
  confirmation: z.boolean(), // the host says yes to each
  recurring: z.nullable(
    z.strictObject({ max: z.int().check(z.gte(2), z.lte(52)), every: z.enum(['week', 'two-weeks', 'month']) }),
  ),
  redirect_url: z.nullable(httpsUrl), // where guests go once they have booked
  language: z.nullable(z.string().check(z.regex(/^[a-z]{2,3}(?:-[A-Z]{2})?$/))), // null: the guest's own
  cancellation: z.strictObject({ until_minutes: minutes(0, 525_600), text: text(2_000) }), // before the start
  /** Times of reminder mails before the start. */
  reminders_minutes: z.array(minutes(5, longestReminderMinutes)).check(
    z.maxLength(mostReminders),
    uniqueOf('The same reminder is listed twice', (reminder) => reminder),
  ),
  target_calendar_id: z.nullable(id<'calendar'>()), // null: the host's first calendar that can be written to
  blocking_calendar_ids: z.nullable(z.array(id<'calendar'>()).check(z.maxLength(100))), // null: all that take part
  freshness: freshnessShape,
  /** Reaction to a move or deletion of the event in the calendar. */
  when_moved: z.enum(['follow', 'ask', 'restore']),
  when_deleted: z.enum(['cancel', 'ask', 'restore']),
  recommend: z.boolean(),
  frames: z.array(frameOrigin).check(
    z.maxLength(20),
    uniqueOf('The same page is listed twice', (frame) => frame),
  ),
  paused: z.boolean(),
});

export type TypeSettings = z.output<typeof typeSettingsShape>;

export const typeKinds = ['one-on-one', 'group', 'collective', 'round-robin'] as const;
export type TypeKind = (typeof typeKinds)[number];

/** Returns the default settings of a kind. */
export function defaultSettings(kind: TypeKind): TypeSettings {
  return {
    durations_minutes: [30],
    step_minutes: 30,
    buffer_before_minutes: 0,
    buffer_after_minutes: 0,
    notice_minutes: 240,
    window: { kind: 'rolling', days: 60 },
    limits: {},
    seats: kind === 'group' ? 10 : 1,
    quorum: null,
    contact_owner_first: false,
    rank: 3,
    policy: { kind: 'default' },
    location: { kind: 'phone', who_calls: 'host', number: '' },
    color: '#5e53dd',
    questions: [],
    guests_allowed: 3,
    confirmation: false,
    recurring: null,
    redirect_url: null,
    language: null,
    cancellation: { until_minutes: 0, text: '' },
    reminders_minutes: [1_440],
    target_calendar_id: null,
    blocking_calendar_ids: null,
    freshness: { on_stale: 'warn', stale_after_minutes: 30 },
    when_moved: 'ask',
    when_deleted: 'ask',
    recommend: true,
    frames: [],
    paused: false,
  };
}

/** As stored, with the defaults of what came later. */
export function readSettings(kind: TypeKind, stored: Partial<TypeSettings>): TypeSettings {
  return { ...defaultSettings(kind), ...stored };
}
