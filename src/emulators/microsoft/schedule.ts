import { jsonReply, type Reply } from '#emulators/kit/exchange.ts';
import { type GraphCall, needRead } from './graph-call.ts';
import { badRequest, GraphError } from './graph-errors.ts';
import { findZone, parseDateTime, printDateTime } from './graph-time.ts';
import { type Instance, instancesIn, type Window } from './instances.ts';
import { unsupportedZone } from './read-query.ts';
import type { EventContent, Mailbox } from './world.ts';

const minuteMs = 60_000;
/** Source: "calendar: getSchedule": digits of availabilityView, strongest last. */
const digits: Record<EventContent['showAs'], number> = {
  free: 0,
  workingElsewhere: 4,
  tentative: 1,
  unknown: 2,
  busy: 2,
  oof: 3,
};

/** Free and busy of people by address. Source: "calendar: getSchedule". */
export function getSchedule(call: GraphCall): Reply {
  needRead(call);
  if (call.mailbox.personal) {
    throw new GraphError(403, 'ErrorAccessDenied', 'getSchedule is not available to personal Microsoft accounts.');
  }
  const given = (call.body ?? {}) as Record<string, unknown>;
  const schedules = given.schedules;
  if (!Array.isArray(schedules) || schedules.length === 0)
    throw badRequest('ErrorInvalidParameter', "'schedules' is required.");
  const intervalMinutes = given.availabilityViewInterval ?? 30;
  if (typeof intervalMinutes !== 'number' || intervalMinutes < 5 || intervalMinutes > 1_440) {
    throw badRequest('ErrorInvalidParameter', "'availabilityViewInterval' must be 5 to 1440.");
  }
  const window = { fromMs: readTime(given.startTime), toMs: readTime(given.endTime) };
  if (window.toMs <= window.fromMs || window.toMs - window.fromMs < intervalMinutes * minuteMs) {
    throw badRequest('ErrorInvalidTimeInterval', 'The requested time duration is shorter than the interval.');
  }
  return jsonReply(200, {
    '@odata.context': `${call.graphBase}/$metadata#Collection(microsoft.graph.scheduleInformation)`,
    value: schedules.map((address: string) => scheduleOf(call, address, window, intervalMinutes)),
  });
}

function scheduleOf(
  { world }: GraphCall,
  address: string,
  window: Window,
  intervalMinutes: number,
): Record<string, unknown> {
  const mailbox = world.mailboxes.get(address);
  if (!mailbox) {
    const message = `Unable to resolve e-mail address ${address} to an Active Directory object.`;
    return {
      scheduleId: address,
      availabilityView: '',
      error: { message, responseCode: 'ErrorMailRecipientNotFound' },
    };
  }
  const instances = busyOf(mailbox, window);
  if (instances.length > 1_000) {
    return {
      scheduleId: address,
      error: { message: 'The result set contains too many calendar entries.', responseCode: '5006' },
    };
  }
  return {
    scheduleId: address,
    availabilityView: viewOf(instances, window, intervalMinutes * minuteMs),
    scheduleItems: instances.map(({ content, startMs, endMs }) => ({
      isPrivate: content.sensitivity !== 'normal',
      status: content.showAs,
      ...(content.sensitivity === 'normal' ? { subject: content.subject, location: content.location } : {}),
      isMeeting: content.attendees.length > 0,
      isRecurring: false,
      isException: false,
      start: { dateTime: printDateTime(startMs), timeZone: 'UTC' },
      end: { dateTime: printDateTime(endMs), timeZone: 'UTC' },
    })),
  };
}

function busyOf({ calendars }: Mailbox, window: Window): Instance[] {
  return [...calendars.values()]
    .filter(({ isDefault }) => isDefault)
    .flatMap(({ events }) => [...events.values()].flatMap((event) => instancesIn(event, window)))
    .filter(({ content }) => !content.isCancelled)
    .sort((a, b) => a.startMs - b.startMs);
}

function viewOf(instances: Instance[], { fromMs, toMs }: Window, stepMs: number): string {
  let view = '';
  for (let at = fromMs; at < toMs; at += stepMs) {
    const within = instances.filter(({ startMs, endMs }) => startMs < at + stepMs && endMs > at);
    const values = within.map(({ content }) => digits[content.showAs]);
    view += String([3, 2, 1, 4].find((value) => values.includes(value)) ?? 0);
  }
  return view;
}

function readTime(given: unknown): number {
  const { dateTime, timeZone = 'UTC' } = (given ?? {}) as { dateTime?: string; timeZone?: string };
  const zone = findZone(timeZone);
  if (!zone) throw badRequest('TimeZoneNotSupportedException', unsupportedZone(timeZone));
  const parsed = parseDateTime(dateTime ?? '');
  if (!parsed) throw badRequest('ErrorInvalidParameter', "'startTime' and 'endTime' are required.");
  return zone.toInstant(parsed.localMs);
}
