import { type Reply, type Request, reply } from '#emulators/kit/exchange.ts';
import { parseObject } from '#kernel/ical/parse-object.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { normalizeSpans, type Span } from '#kernel/time/intervals.ts';
import { parseBasic, printBasicDateTime } from '#kernel/time/local.ts';
import { escapeXml, refuse, xmlReply } from './exchange.ts';
import type { Resource } from './resolve.ts';
import type { User, World } from './world.ts';

/**
 * A question for busy times at a scheduling outbox; one answer for each recipient. Nobody of that address: 3.7. A person who
 * shares with nobody: 3.8. Source: RFC 6638 5 and 10, RFC 5546 3.6.
 */
export function answerFreeBusy(world: World, request: Request, resource: Resource): Reply {
  if (resource.kind !== 'outbox') return reply(405);
  const lines = request.body.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const textOf = (name: string) =>
    lines
      .find((line) => line.split(/[;:]/)[0] === name)
      ?.split(':')
      .slice(1)
      .join(':');
  if (!lines.includes('BEGIN:VFREEBUSY') || textOf('METHOD') !== 'REQUEST')
    return refuse(400, 'C:valid-scheduling-message');
  const [startMs, endMs] = [msOf(textOf('DTSTART')), msOf(textOf('DTEND'))];
  if (startMs === null || endMs === null || endMs <= startMs) return refuse(400, 'C:valid-calendar-data');
  if (textOf('ORGANIZER')?.toLowerCase() !== `mailto:${resource.user.address}`)
    return refuse(403, 'C:organizer-allowed');
  const recipients = lines
    .filter((line) => line.startsWith('ATTENDEE'))
    .map((line) => line.slice(line.indexOf(':') + 1));
  const responses = recipients.map((recipient) => responseOf(world, recipient, { startMs, endMs }));
  return xmlReply(
    200,
    `<C:schedule-response xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${responses.join('')}</C:schedule-response>`,
  );
}

function responseOf(world: World, recipient: string, range: Span): string {
  const address = recipient.replace(/^mailto:/i, '').toLowerCase();
  const user = [...world.users.values()].find((one) => one.address === address);
  const status =
    user === undefined ? '3.7;Invalid calendar user' : user.sharesTimes ? '2.0;Success' : '3.8;No authority';
  const data = user?.sharesTimes
    ? `<C:calendar-data>${escapeXml(calendarOf(recipient, busyOf(user, range), range))}</C:calendar-data>`
    : '';
  return (
    `<C:response><C:recipient><D:href>${escapeXml(recipient)}</D:href></C:recipient>` +
    `<C:request-status>${status}</C:request-status>${data}</C:response>`
  );
}

function busyOf({ calendars }: User, { startMs, endMs }: Span): Span[] {
  const spans = [...calendars.values()]
    .flatMap(({ objects }) => [...objects.values()])
    .flatMap(({ body }) => {
      const parsed = parseObject(body, { selfAddresses: [], tags: { verify: () => false } });
      const window = { fromMs: startMs, toMs: endMs };
      return occurrencesOf(parsed.body, 'UTC', 'UTC', window, { instances: 1_000, steps: 100_000 }).list;
    })
    .filter(({ core }) => core.busy !== 'free')
    .map((one) => ({ startMs: Math.max(one.startMs, startMs), endMs: Math.min(one.endMs, endMs) }));
  return normalizeSpans(spans);
}

function calendarOf(recipient: string, busy: readonly Span[], range: Span): string {
  const at = (ms: number) => `${printBasicDateTime(ms)}Z`;
  const periods = busy.map(({ startMs, endMs }) => `FREEBUSY;FBTYPE=BUSY:${at(startMs)}/${at(endMs)}\r\n`).join('');
  return (
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//emulator//EN\r\nMETHOD:REPLY\r\nBEGIN:VFREEBUSY\r\n' +
    `DTSTART:${at(range.startMs)}\r\nDTEND:${at(range.endMs)}\r\nATTENDEE:${recipient}\r\n${periods}` +
    'END:VFREEBUSY\r\nEND:VCALENDAR\r\n'
  );
}

function msOf(text: string | undefined): number | null {
  const read = text === undefined ? null : parseBasic(text);
  return read === null ? null : read.ms;
}
