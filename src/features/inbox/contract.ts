/**
 * Owns: notices: what a person should know of, until it is over; and the devices that are sent them.
 * Announces: nothing; open browsers hear the topic inbox.
 * Never: finds out by itself; what is so is asked of the features above, and rows are brought in line with it.
 */
import * as z from 'zod/mini';
import { questionShape } from '#features/booking/rules/question-endpoints.ts';
import { uuid as id, instantMs, line } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

export const noticeKinds = [
  'reconnect',
  'stopped',
  'calendar',
  'breaker',
  'mirrors',
  'conflict',
  'edit',
  'booking-moved',
  'booking-deleted',
  'booking-declined',
  'booking-conflict',
  'booking-overbooked',
  'stale',
  'requested',
  'booked',
  'cancelled',
  'invitation',
  'panel',
] as const;

/** An event of a conflict, at the instance that is next. */
const conflictingShape = z.strictObject({
  event_id: z.string(),
  title: z.string(),
  calendar: z.string(),
  start_time: z.iso.datetime(),
  end_time: z.iso.datetime(),
  day: z.string(), // YYYY-MM-DD of the start in the person's zone
});

export const noticeDetails = z.strictObject({
  title: z.optional(z.string()), // title of the edited event or of the booking
  guest: z.optional(z.string()), // name of the guest
  team: z.optional(z.string()), // team of the invitation, or of the event type
  inviter: z.optional(z.string()),
  booking_id: z.optional(z.string()),
  start_time: z.optional(z.iso.datetime()), // start of the booking
  account: z.optional(z.string()),
  calendar: z.optional(z.string()),
  source: z.optional(z.string()),
  target: z.optional(z.string()),
  reason: z.optional(z.nullable(z.string())),
  count: z.optional(z.int()), // conflict: the number where one notice stands for several
  events: z.optional(z.array(conflictingShape)), // the next conflict where there are several
  // booking-…: what is asked, as `GET /api/bookings/questions` has it; the answers go to `POST /api/bookings/{id}/answer`
  question: z.optional(questionShape),
  since: z.optional(z.nullable(z.iso.datetime())), // stale: read last
  blocks: z.optional(z.boolean()), // stale: nothing is offered meanwhile
});

const noticeShape = z.strictObject({
  id,
  kind: z.enum(noticeKinds),
  at: z.iso.datetime(),
  read: z.boolean(),
  over: z.boolean(), // ended or mended
  details: noticeDetails,
});

/** A browser's push subscription. Source: Push API, PushSubscriptionJSON. */
const subscription = z.strictObject({
  endpoint: line(1_000).check(z.refine(isAddress, { error: 'Expected the https address of a push service' })),
  keys: z.strictObject({
    p256dh: z.string().check(z.regex(/^[\w-]{87}$/)), // a point of P-256, not compressed
    auth: z.string().check(z.regex(/^[\w-]{22}$/)), // 16 bytes
  }),
});
export type Subscription = z.output<typeof subscription>;

function isAddress(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hash === '';
}

const deviceShape = z.strictObject({
  id,
  current: z.boolean(), // enabled in the current session
  program: z.nullable(z.string()),
  system: z.nullable(z.string()),
  since: instantMs,
});

const devicesShape = z.strictObject({ devices: z.array(deviceShape) });

export const inboxContract = {
  listNotices: endpoint({
    method: 'GET',
    path: '/api/notices',
    auth: 'user',
    summary: 'Notifications of the caller, newest first, at most 100. Resolved ones stay for two weeks',
    output: z.strictObject({ notices: z.array(noticeShape), unread: z.int() }),
  }),
  markNotices: endpoint({
    method: 'POST',
    path: '/api/notices/read',
    auth: 'user',
    summary: 'Mark notifications as read or unread. Without IDs, all of them',
    body: z.strictObject({ ids: z.optional(z.array(id).check(z.maxLength(100))), read: z.boolean() }),
    output: z.strictObject({ unread: z.int() }),
  }),
  listDevices: endpoint({
    method: 'GET',
    path: '/api/account/devices',
    auth: 'user',
    summary: 'Devices with notifications, and the key for a browser to subscribe with',
    output: z.strictObject({ public_key: z.string(), ...devicesShape.shape }),
  }),
  keepDevice: endpoint({
    method: 'PUT',
    path: '/api/account/devices/current',
    auth: 'user',
    summary: 'Turn on notifications for this browser until its session ends (RFC 8030, 8291)',
    body: subscription,
    output: devicesShape,
    errors: ['TOO_MANY'],
  }),
  removeDevice: endpoint({
    method: 'DELETE',
    path: '/api/account/devices/{deviceId}',
    auth: 'user',
    summary: 'Turn off notifications for a device',
    params: z.strictObject({ deviceId: id }),
    output: z.void(),
    status: 204,
  }),
};
