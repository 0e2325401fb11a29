import * as z from 'zod/mini';
import { counter, id, instantMs, line, text } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { handlePattern, longestHandle, longestSlug, shortestHandle } from './handle.ts';
import { hostsShape } from './host-shapes.ts';
import { typeKinds, typeSettingsShape } from './type-settings.ts';

const title = line(120).check(z.trim(), z.minLength(1));
const description = text(5_000);
const slug = z
  .string()
  .check(
    z.maxLength(longestSlug),
    z.regex(handlePattern, { error: 'Only small letters a-z, digits, and single hyphens between them' }),
  );

export const eventTypeShape = z.strictObject({
  id: id<'event-type'>(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  kind: z.enum(typeKinds),
  hidden: z.boolean(), // not on the profile page
  secret: z.boolean(), // at no address but those of its links
  url: z.nullable(z.string()), // null: secret, or its person has no handle
  version: z.int(),
  team_id: z.nullable(id<'team'>()), // null: a person's
  hosts: hostsShape, // hosts of a team's, in order
  settings: typeSettingsShape,
  lacks_calendars: z.boolean(), // a chosen calendar is no longer connected: without any left, all of the host’s block
  updated_at: instantMs,
});

/** A member of a team with the share of an event type's bookings. */
export const poolMemberShape = z.strictObject({
  user_id: id<'user'>(),
  name: z.string(),
  avatar_url: z.nullable(z.string()),
  /** Round robin: bookings of the last 30 days, and the assumed ones of the days before they joined. */
  assigned: z.int(),
  calibration: z.number(),
  /** Reason why the place cannot be created in their calendar. */
  lacks: z.nullable(z.enum(['google-meet', 'teams'])),
});

export const handleShape = z.strictObject({
  handle: z.nullable(z.string()),
  url: z.nullable(z.string()), // the profile page
  base: z.string(), // prefix of a handle
  suggestion: z.nullable(z.string()), // free at the moment; while there is none
  resting: z.array(z.strictObject({ handle: z.string(), free_at: instantMs })), // given up, and still leading here
});

export const handleStates = ['free', 'own', 'taken', 'reserved'] as const;

const handleQuery = z.strictObject({ handle: line(longestHandle) });
const handleBody = z.strictObject({
  handle: z
    .string()
    .check(
      z.minLength(shortestHandle),
      z.maxLength(longestHandle),
      z.regex(handlePattern, { error: 'Only small letters a-z, digits, and single hyphens between them' }),
    ),
});
const teamParams = z.strictObject({ teamId: id<'team'>() });
const typeParams = z.strictObject({ id: id<'event-type'>() });
const oneType = z.strictObject({ event_type: eventTypeShape });

export const typeEndpoints = {
  readHandle: endpoint({
    method: 'GET',
    path: '/api/handle',
    auth: 'user',
    summary: 'Handle of the caller, with a suggestion if there is none',
    output: handleShape,
  }),
  checkHandle: endpoint({
    method: 'GET',
    path: '/api/handle/check',
    auth: 'user',
    summary: 'Whether a handle is available to the caller or a new team',
    query: handleQuery,
    output: z.strictObject({ state: z.enum(handleStates) }),
  }),
  changeHandle: endpoint({
    method: 'PUT',
    path: '/api/handle',
    auth: 'user',
    summary: 'Choose a handle. The former one redirects to the caller and stays reserved for 90 days',
    body: handleBody,
    output: handleShape,
    errors: ['HANDLE_TAKEN', 'HANDLE_RESERVED', 'HANDLE_CHANGES'],
  }),
  readTeamHandle: endpoint({
    method: 'GET',
    path: '/api/teams/{teamId}/handle',
    auth: 'user',
    summary: 'Handle of a team, with a suggestion if there is none',
    params: teamParams,
    output: handleShape,
  }),
  checkTeamHandle: endpoint({
    method: 'GET',
    path: '/api/teams/{teamId}/handle/check',
    auth: 'user',
    summary: 'Whether a handle is available to a team',
    params: teamParams,
    query: handleQuery,
    output: z.strictObject({ state: z.enum(handleStates) }),
  }),
  changeTeamHandle: endpoint({
    method: 'PUT',
    path: '/api/teams/{teamId}/handle',
    auth: 'user',
    summary: 'Choose a handle for a team. The former one redirects to the team and stays reserved for 90 days',
    params: teamParams,
    body: handleBody,
    output: handleShape,
    errors: ['HANDLE_TAKEN', 'HANDLE_RESERVED', 'HANDLE_CHANGES'],
  }),

  listEventTypes: endpoint({
    method: 'GET',
    path: '/api/event-types',
    auth: 'user',
    summary: 'Event types of the caller, in order',
    output: z.strictObject({
      event_types: z.array(eventTypeShape),
      /** The person's teams, by name. */
      teams: z.array(
        z.strictObject({
          team_id: id<'team'>(),
          name: z.string(),
          url: z.nullable(z.string()), // its page
          may_change: z.boolean(),
          event_types: z.array(eventTypeShape),
        }),
      ),
    }),
  }),
  createEventType: endpoint({
    method: 'POST',
    path: '/api/event-types',
    auth: 'user',
    summary: 'Create an event type. Omitted settings have the defaults',
    body: z.strictObject({
      title,
      kind: z.enum(typeKinds),
      slug: z.optional(slug), // out of the title where it is left out
      description: z.optional(description),
      hidden: z.optional(z.boolean()),
      secret: z.optional(z.boolean()),
      team_id: z.optional(id<'team'>()), // owning team; the caller's own by default
      hosts: z.optional(hostsShape), // hosts of a team's; all of its members by default
      settings: z.optional(z.partial(typeSettingsShape)),
    }),
    output: oneType,
    errors: ['NEEDS_TEAM', 'SLUG_TAKEN', 'TOO_MANY', 'INVALID'],
    status: 201,
  }),
  readEventType: endpoint({
    method: 'GET',
    path: '/api/event-types/{id}',
    auth: 'user',
    summary: 'One event type of the caller',
    params: typeParams,
    output: oneType,
  }),
  changeEventType: endpoint({
    method: 'PUT',
    path: '/api/event-types/{id}',
    auth: 'user',
    summary: 'Replace an event type. Refused if it changed since `version`',
    params: typeParams,
    body: z.strictObject({
      version: counter(1),
      title,
      slug,
      description,
      hidden: z.boolean(),
      secret: z.boolean(),
      hosts: z.optional(hostsShape), // hosts of a team's; unchanged by default
      settings: typeSettingsShape,
    }),
    output: oneType,
    errors: ['STALE', 'SLUG_TAKEN', 'INVALID', 'TOO_MANY'],
  }),
  switchEventType: endpoint({
    method: 'PATCH',
    path: '/api/event-types/{id}',
    auth: 'user',
    summary: 'Hide, show, pause, or resume an event type, or make it secret or public',
    params: typeParams,
    body: z.strictObject({
      hidden: z.optional(z.boolean()),
      secret: z.optional(z.boolean()),
      paused: z.optional(z.boolean()),
    }),
    output: oneType,
  }),
  duplicateEventType: endpoint({
    method: 'POST',
    path: '/api/event-types/{id}/duplicate',
    auth: 'user',
    summary: 'Duplicate an event type. The copy is hidden and follows the original',
    params: typeParams,
    output: oneType,
    errors: ['TOO_MANY'],
    status: 201,
  }),
  orderEventTypes: endpoint({
    method: 'PUT',
    path: '/api/event-types/order',
    auth: 'user',
    summary: 'Set the order of event types. Others follow in their current order',
    body: z.strictObject({
      team_id: z.optional(id<'team'>()), // team to order; the caller's own by default
      ids: z.array(id<'event-type'>()).check(
        z.maxLength(200),
        z.refine((ids: string[]) => new Set(ids).size === ids.length, { error: 'One is named twice' }),
      ),
    }),
    output: z.void(),
  }),
  listPoolMembers: endpoint({
    method: 'GET',
    path: '/api/event-types/{id}/members',
    auth: 'user',
    summary: 'Team members who can host an event type, with their number of bookings',
    params: typeParams,
    output: z.strictObject({ members: z.array(poolMemberShape) }),
  }),
  deleteEventType: endpoint({
    method: 'DELETE',
    path: '/api/event-types/{id}',
    auth: 'user',
    summary: 'Delete an event type and close its links. Bookings are kept',
    params: typeParams,
    output: z.void(),
  }),
  restoreEventType: endpoint({
    method: 'POST',
    path: '/api/event-types/{id}/restore',
    auth: 'user',
    summary: 'Undo a deletion from the last 30 days',
    params: typeParams,
    output: oneType,
    errors: ['SLUG_TAKEN', 'TOO_MANY'],
  }),
};
