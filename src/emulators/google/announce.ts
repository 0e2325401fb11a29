import type { Moment } from '#emulators/kit/emulator.ts';
import type { Call } from '#emulators/kit/exchange.ts';
import type { Calendar, Channel, User, World } from './world.ts';

/** All that a notification needs to know of the moment. */
export type Announcing = Pick<Moment, 'nowMs' | 'deliveries' | 'random'>;

/** Every live channel on the calendar hears that something changed, not what. Source: "Push notifications". */
export function announceEvents(world: World, calendar: Calendar, moment: Announcing): void {
  tell(world, moment, (channel) => channel.calendarId === calendar.id, calendar.deleted ? 'not_exists' : 'exists');
}

/** The user's list of calendars changed: a role, a new calendar, one that is gone. */
export function announceList(world: World, user: User, moment: Announcing): void {
  tell(world, moment, (channel) => channel.calendarId === null && channel.user === user.email, 'exists');
}

function tell(world: World, moment: Announcing, concerns: (channel: Channel) => boolean, state: string): void {
  for (const channel of world.channels.values()) {
    if (channel.stopped || channel.expiresAtMs <= moment.nowMs || !concerns(channel)) continue;
    // Message numbers rise, with gaps.
    channel.messages += 1 + Math.floor(moment.random() * 4);
    moment.deliveries.enqueue(channel.id, messageOf(channel, state));
  }
}

/** The notification itself has no body; everything is in its headers. Source: "Push notifications", message format. */
export function messageOf(channel: Channel, state: string): Call {
  return {
    method: 'POST',
    url: channel.address,
    headers: {
      'content-type': 'application/json; utf-8',
      'user-agent': 'APIs-Google; (+https://developers.google.com/webmasters/APIs-Google.html)',
      'x-goog-channel-id': channel.id,
      'x-goog-channel-expiration': httpDate(channel.expiresAtMs),
      'x-goog-message-number': String(channel.messages),
      'x-goog-resource-id': channel.resourceId,
      'x-goog-resource-state': state,
      'x-goog-resource-uri': channel.resourceUri,
      ...(channel.token !== null && { 'x-goog-channel-token': channel.token }),
    },
    body: '',
  };
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Tue, 19 Nov 2013 01:13:52 GMT`. Source: RFC 9110 section 5.6.7. */
function httpDate(ms: number): string {
  const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC');
  const two = (n: number) => String(n).padStart(2, '0');
  return `${DAYS[at.dayOfWeek - 1]}, ${two(at.day)} ${MONTHS[at.month - 1]} ${at.year} ${two(at.hour)}:${two(at.minute)}:${two(at.second)} GMT`;
}
