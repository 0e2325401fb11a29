/**
 * Owns: reading every calendar, mirror groups and their rules, the ledger of mirrors and its audit trail.
 * Announces: sync.mirrored, sync.breaker.
 * Never: changes an object that it did not write.
 */
import * as z from 'zod/mini';
import { eventIdShape } from '#features/calendar/contract.ts';
import { counter, uuid as id, line, trimmedLine, zone } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { diffShape } from './preview/contract.ts';

const timeOfDay = z.string().check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/));
const keyword = trimmedLine(100).check(z.minLength(1));

/** Choice and look of mirrors. Absent keys fall back: pair -> group -> product default (`rules/mirror-rule.ts`). */
export const mirrorRuleShape = z.strictObject({
  /** busy: what blocks time; soft too: holds as well; all: every event, free ones included */
  events: z.enum(['busy', 'busy-and-soft', 'all']),
  /** How much of the origin shows: only "Busy", its title, or title, place and description. */
  privacy: z.enum(['busy', 'title', 'details']),
  /** `Busy` by default; `{title}`, `{calendar}` and `{account}` are replaced (title only where privacy allows it). */
  titleTemplate: line(200),
  allDay: z.enum(['mirror', 'skip', 'busy-hours']), // busy-hours: as a block over the rule's hours
  /** Only what touches these local hours on these ISO weekdays; null = always. */
  hours: z.nullable(
    z.strictObject({
      start: timeOfDay,
      end: timeOfDay,
      weekdays: z.array(z.int().check(z.gte(1), z.lte(7))).check(z.maxLength(7)),
      zone,
    }),
  ),
  includeKeywords: z.array(keyword).check(z.maxLength(50)), // non-empty: only titles with one of them
  excludeKeywords: z.array(keyword).check(z.maxLength(50)), // `#nosync` in title or description always excludes
  pastDays: z.int().check(z.gte(0), z.lte(365)),
  futureDays: z.int().check(z.gte(1), z.lte(730)),
  color: z.nullable(z.string().check(z.regex(/^#[0-9a-f]{6}$/))),
  kind: z.enum(['default', 'out-of-office']),
  skipIfTargetInvited: z.boolean(),
  onUserEdit: z.enum(['restore', 'release']),
});
export const mirrorRulePatchShape = z.partial(mirrorRuleShape);

/** A person's settings for all mirror groups. */
export const syncSettingsShape = z.strictObject({
  /** Mirrored by groups that do not say otherwise; null: as the product does. */
  pastDays: z.nullable(z.int().check(z.gte(0), z.lte(365))),
  futureDays: z.nullable(z.int().check(z.gte(1), z.lte(730))),
  /** While nobody looks, no calendar is read more often than this; null: as its provider allows. */
  pollSeconds: z.nullable(z.int().check(z.gte(60), z.lte(86_400))),
  /** Treatment in availability of a calendar that could not be read for `staleAfterMinutes`. */
  onStale: z.enum(['block', 'warn', 'ignore']),
  staleAfterMinutes: z.int().check(z.gte(5), z.lte(10_080)),
});

const memberShape = z.strictObject({ calendarId: id, isSource: z.boolean(), isTarget: z.boolean() });
const pairShape = z.strictObject({
  sourceCalendarId: id,
  targetCalendarId: id,
  enabled: z.boolean(),
  rule: mirrorRulePatchShape,
});

const breakerShape = z.strictObject({
  sourceCalendarId: id,
  targetCalendarId: id,
  state: z.enum(['waiting', 'open']),
  deletes: z.int(),
  since: z.iso.datetime(),
  examples: z.array(z.string()),
});

/** How far the mirrors of a group are, by state. */
export const mirrorCountsShape = z.strictObject({
  total: z.int(),
  created: z.int(),
  pending: z.int(),
  failed: z.int(),
  skipped: z.int(),
});

export const groupShape = z.strictObject({
  groupId: id,
  name: z.string(),
  enabled: z.boolean(),
  revision: z.int(),
  rule: mirrorRulePatchShape,
  effectiveRule: mirrorRuleShape,
  members: z.array(memberShape),
  pairs: z.array(pairShape),
  breakers: z.array(breakerShape),
  counts: mirrorCountsShape,
  blocks: z.array(z.strictObject({ sourceCalendarId: id, targetCalendarId: id, count: z.int() })), // no empty pairs
});

const groupInput = z.strictObject({
  name: trimmedLine(100).check(z.minLength(1)),
  enabled: z.boolean(),
  rule: mirrorRulePatchShape,
  members: z.array(memberShape).check(z.maxLength(100)),
  pairs: z.array(pairShape).check(z.maxLength(1_000)),
});

/** Where a block that we wrote came from. */
export const mirrorOfShape = z.strictObject({
  event_id: id, // the origin
  title: z.string(),
  calendar_id: id,
  calendar_name: z.string(),
});

/** A block that stands, or shall stand, for this event in another calendar. */
export const mirroredToShape = z.strictObject({
  mirror_id: id,
  calendar_id: id,
  calendar_name: z.string(),
  provider: z.string(),
  status: z.enum(['created', 'pending', 'failed', 'skipped']),
  reason: z.nullable(z.string()),
});

/** Mirror data that the grid shows on an event: the states of its blocks, or the origin of a block. */
export const mirrorLinkShape = z.strictObject({
  item_id: id,
  origin: z.nullable(z.strictObject({ item_id: id, title: z.string(), calendar_name: z.string() })),
  counts: z.nullable(z.strictObject({ created: z.int(), pending: z.int(), failed: z.int() })),
});

/** Reasons for and against a mirror, in the order in which the engine decides. */
export const mirrorReasons = [
  // between the two calendars
  'same-calendar',
  'no-group',
  'other-group',
  'group-off',
  'not-source',
  'not-target',
  'pair-off',
  'leaving',
  'removed',
  'not-writable',
  // reasons of the event
  'own-block',
  'not-understood',
  'too-dense',
  'no-instance',
  'gone',
  'out-of-window',
  'not-busy',
  'all-day',
  'keyword',
  'hours',
  'target-invited',
  // reasons of its block
  'planning',
  'waiting',
  'retrying',
  'reconnect',
  'failed',
  'opted-out',
  'released',
  'kept',
  'removing',
  'held-back',
  'in-series',
  'stands',
] as const;

export const mirrorReasonShape = z.strictObject({
  code: z.enum(mirrorReasons),
  /** Parameters of the reason's text: `word`, `error`, `from`, … */
  facts: z.record(z.string(), z.string()),
  /** Where this can be changed. */
  setting: z.nullable(
    z.strictObject({ kind: z.enum(['group', 'connection', 'event', 'mirrors']), id: z.nullable(z.string()) }),
  ),
});

export const mirrorAnswerShape = z.strictObject({
  calendar_id: id,
  calendar_name: z.string(),
  provider: z.string(),
  account: z.string(),
  color: z.string(),
  verdict: z.enum(['copied', 'on-its-way', 'failed', 'not-copied']),
  reasons: z.array(mirrorReasonShape),
  mirror_id: z.nullable(id),
});

/** 200 ids are 7.4 KB of address; proxies take 8 KB. */
export const mostMirrorLinks = 200;
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const idList = z.string().check(z.regex(new RegExp(`^${uuid}(?:,${uuid}){0,${mostMirrorLinks - 1}}$`)));

const groupParams = z.strictObject({ groupId: id });
const groupErrors = ['INVALID', 'CALENDAR_IN_OTHER_GROUP', 'NOT_WRITABLE', 'STALE'] as const;

export const syncContract = {
  syncAccount: endpoint({
    method: 'POST',
    path: '/api/calendars/sync/{accountId}',
    auth: 'user',
    summary: 'Read all calendars of an account now',
    params: z.strictObject({ accountId: id }),
    output: z.strictObject({ status: z.literal('syncing') }),
    errors: ['NEEDS_RECONNECT'],
    status: 202,
  }),
  readSettings: endpoint({
    method: 'GET',
    path: '/api/sync-settings',
    auth: 'user',
    summary: 'Mirror window, poll interval, and freshness',
    output: z.strictObject({ settings: syncSettingsShape }),
  }),
  changeSettings: endpoint({
    method: 'PUT',
    path: '/api/sync-settings',
    auth: 'user',
    summary: 'Change mirror window, poll interval, and freshness',
    body: syncSettingsShape,
    output: z.strictObject({ settings: syncSettingsShape }),
  }),
  listGroups: endpoint({
    method: 'GET',
    path: '/api/mirror-groups',
    auth: 'user',
    summary: 'Mirror groups with members, rules, breakers, and progress',
    output: z.strictObject({ groups: z.array(groupShape) }),
  }),
  createGroup: endpoint({
    method: 'POST',
    path: '/api/mirror-groups',
    auth: 'user',
    summary: 'Create a mirror group',
    body: groupInput,
    output: z.strictObject({ group: groupShape }),
    errors: [...groupErrors, 'TOO_MANY'],
    status: 201,
  }),
  changeGroup: endpoint({
    method: 'PUT',
    path: '/api/mirror-groups/{groupId}',
    auth: 'user',
    summary: 'Replace a mirror group. An outdated revision is refused',
    params: groupParams,
    body: z.extend(groupInput, { revision: counter() }),
    output: z.strictObject({ group: groupShape }),
    errors: groupErrors,
  }),
  removeGroup: endpoint({
    method: 'DELETE',
    path: '/api/mirror-groups/{groupId}',
    auth: 'user',
    summary: 'Delete a mirror group and remove all its blocks',
    params: groupParams,
    output: z.strictObject({ removing: z.int() }),
    status: 202,
  }),
  removeCalendar: endpoint({
    method: 'DELETE',
    path: '/api/calendars/{calendarId}',
    auth: 'user',
    summary: 'Remove the events of a calendar that its account no longer lists, before the grace period ends',
    params: z.strictObject({ calendarId: id }),
    output: z.strictObject({ removing: z.literal(true) }),
    errors: ['STILL_LISTED'],
    status: 202,
  }),
  previewGroup: endpoint({
    method: 'POST',
    path: '/api/mirror-groups/preview',
    auth: 'user',
    summary: 'Preview the blocks that saving this group would create, change, and delete',
    body: z.extend(groupInput, { groupId: z.nullable(id) }),
    output: z.strictObject({ diff: diffShape }),
    errors: groupErrors,
  }),
  readEventMirrors: endpoint({
    method: 'GET',
    path: '/api/events/{itemId}/mirrors',
    auth: 'user',
    summary: 'Blocks of an event or of one of its dates, or the origin of a block',
    params: z.strictObject({ itemId: id }),
    query: z.strictObject({ rec_id: z.optional(line(20)) }),
    output: z.strictObject({ origin: z.nullable(mirrorOfShape), mirrors: z.array(mirroredToShape) }),
  }),
  listMirrorLinks: endpoint({
    method: 'GET',
    path: '/api/mirror-links',
    auth: 'user',
    summary: 'For each item, its blocks by state, or the origin of a block. Items with neither are left out',
    query: z.strictObject({ item_ids: idList }), // comma-separated
    output: z.strictObject({ links: z.array(mirrorLinkShape) }),
  }),
  answerBreaker: endpoint({
    method: 'POST',
    path: '/api/mirror-groups/{groupId}/breaker',
    auth: 'user',
    summary: 'Approve or reject paused deletions',
    params: groupParams,
    body: z.strictObject({ sourceCalendarId: id, targetCalendarId: id, answer: z.enum(['delete', 'keep']) }),
    output: z.strictObject({ group: groupShape }),
    errors: ['NO_BREAKER'],
  }),
  explainMirror: endpoint({
    method: 'GET',
    path: '/api/explain/mirror',
    auth: 'user',
    summary: 'Explain why an event is mirrored to a calendar or not. Without a calendar, for each of them',
    query: z.strictObject({ event_id: eventIdShape, calendar_id: z.optional(id) }),
    output: z.strictObject({
      event: z.strictObject({
        event_id: z.string(),
        item_id: id,
        title: z.string(),
        calendar_id: id,
        calendar_name: z.string(),
        start_time: z.nullable(z.iso.datetime()),
        end_time: z.nullable(z.iso.datetime()),
        all_day: z.boolean(),
        recurring: z.boolean(),
      }),
      targets: z.array(mirrorAnswerShape),
    }),
  }),
};
