import * as z from 'zod/mini';
import { counter, id, instantMs, uuid } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { hostBookingShape } from './booking-endpoints.ts';
import { slotReasonKinds } from './slot-endpoints.ts';

const bookingParams = z.strictObject({ booking_id: id<'booking'>() });
const teamParams = z.strictObject({ team_id: id<'team'>() });

const standInShape = z.strictObject({
  id: uuid,
  user_id: id<'user'>(),
  name: z.string(),
  to_user_id: id<'user'>(),
  to_name: z.string(),
  from: instantMs,
  until: instantMs,
  can_end: z.boolean(), // by the caller
});
const standInsShape = z.strictObject({
  stand_ins: z.array(standInShape),
  /** Others of the team, who could stand in for the caller. */
  colleagues: z.array(z.strictObject({ user_id: id<'user'>(), name: z.string() })),
});

/** Calls about bookings with the hosts of a team. */
export const teamBookingEndpoints = {
  listTakers: endpoint({
    method: 'GET',
    path: '/api/bookings/{booking_id}/takers',
    auth: 'user',
    summary: 'Team hosts who are free for a booking, next in turn first',
    params: bookingParams,
    output: z.strictObject({
      hosts: z.array(z.strictObject({ user_id: id<'user'>(), name: z.string() })), // as it is
      takers: z.array(
        z.strictObject({
          user_id: id<'user'>(),
          name: z.string(),
          free: z.boolean(),
          reasons: z.array(z.enum(slotReasonKinds)), // why not
        }),
      ),
    }),
    errors: ['NO_TEAM'],
  }),
  reassignBooking: endpoint({
    method: 'POST',
    path: '/api/bookings/{booking_id}/reassign',
    auth: 'user',
    summary: 'Reassign a booking to another available host of the team, by default the next in turn',
    params: bookingParams,
    body: z.strictObject({
      to: z.optional(id<'user'>()),
      from: z.optional(id<'user'>()), // for several hosts; default: the caller, or the event's host
      sequence: counter(),
    }),
    output: z.strictObject({ booking: hostBookingShape }),
    errors: ['NO_TEAM', 'NOBODY_FREE', 'SLOT_TAKEN', 'TOO_LATE', 'CHANGED_MEANWHILE'],
  }),
  readToCome: endpoint({
    method: 'GET',
    path: '/api/teams/{team_id}/members/{user_id}/to-come',
    auth: 'user',
    summary: 'Number of upcoming bookings to reassign if a host left the team',
    params: z.extend(teamParams, { user_id: id<'user'>() }),
    output: z.strictObject({ to_come: z.int() }),
  }),
  handOver: endpoint({
    method: 'POST',
    path: '/api/teams/{team_id}/hand-over',
    auth: 'user',
    summary: 'Reassign all upcoming bookings of a current or former host, to one host or to the next in turn',
    params: teamParams,
    body: z.strictObject({ from: id<'user'>(), to: z.optional(id<'user'>()) }),
    output: z.strictObject({ given: z.int(), left: z.int() }), // left: nobody was free
  }),
  listTeamConferences: endpoint({
    method: 'GET',
    path: '/api/teams/{team_id}/conferences',
    auth: 'user',
    summary: 'Video meetings that the accounts of each team member can create',
    params: teamParams,
    output: z.strictObject({
      members: z.array(
        z.strictObject({
          user_id: id<'user'>(),
          name: z.string(),
          conferences: z.array(z.enum(['google-meet', 'teams'])),
        }),
      ),
    }),
  }),
  listStandIns: endpoint({
    method: 'GET',
    path: '/api/teams/{team_id}/stand-ins',
    auth: 'user',
    summary: 'The stand-ins of a team',
    params: teamParams,
    output: standInsShape,
  }),
  addStandIn: endpoint({
    method: 'POST',
    path: '/api/teams/{team_id}/stand-ins',
    auth: 'user',
    summary: 'Add a stand-in for the caller or a team member between two instants',
    params: teamParams,
    body: z.strictObject({
      user_id: z.optional(id<'user'>()), // the caller unless given
      to_user_id: id<'user'>(),
      from: instantMs,
      until: instantMs,
    }),
    output: standInsShape,
    errors: ['INVALID', 'OVERLAPS', 'TOO_MANY'],
    status: 201,
  }),
  removeStandIn: endpoint({
    method: 'DELETE',
    path: '/api/teams/{team_id}/stand-ins/{stand_in_id}',
    auth: 'user',
    summary: 'Remove a stand-in',
    params: z.extend(teamParams, { stand_in_id: uuid }),
    output: z.void(),
  }),
};
