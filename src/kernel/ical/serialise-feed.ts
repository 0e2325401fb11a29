import type { Core, LocalDate } from '#kernel/event.ts';
import { escapeText, foldLine } from '#kernel/ical/ical-text.ts';
import { coreLines } from '#kernel/ical/serialise-mirror.ts';
import { printBasicDateTime } from '#kernel/time/local.ts';
import type { Sliced } from '#kernel/work-budget.ts';

export interface FeedEvent {
  uid: string;
  /** Whole days, or epoch ms; both half-open. */
  when: { start: LocalDate; end: LocalDate } | { startMs: number; endMs: number };
  core: Core;
  /** Marks it as written by this install for this UID. */
  tag?: string;
}

export interface Feed {
  text: string;
  /** Whether events are missing, which the text says in its description. */
  isCut: boolean;
}

/**
 * A calendar for others to read, instance by instance, so that every program shows the same. The same events give the
 * same text: `stampMs` is when the feed was made, not now. It ends before the event that would bring it past `mostBytes`.
 * `isCut`: `events` are not all there are.
 *
 * *Source*: RFC 5545, RFC 7986 5.2 (DESCRIPTION) and 5.7 (REFRESH-INTERVAL).
 */
export function* serialiseFeed(
  feed: { name: string; refreshMinutes: number; stampMs: number; isCut: boolean },
  events: Iterable<FeedEvent>,
  mostBytes: number,
): Sliced<Feed> {
  const every = `PT${feed.refreshMinutes}M`;
  const head = [
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Holdfast//Holdfast//EN\r\nCALSCALE:GREGORIAN\r\nMETHOD:PUBLISH\r\n',
    foldLine(`NAME:${escapeText(feed.name)}`),
    foldLine(`X-WR-CALNAME:${escapeText(feed.name)}`),
    `REFRESH-INTERVAL;VALUE=DURATION:${every}\r\nX-PUBLISHED-TTL:${every}\r\n`,
  ];
  const lines: string[] = [];
  let { isCut } = feed;
  const stamp = `DTSTAMP:${utcOf(feed.stampMs)}\r\n`;
  let bytes = 0;
  for (const event of events) {
    const text = eventLines(event, stamp);
    bytes += utf8.encode(text).length;
    if (bytes > mostBytes) {
      isCut = true;
      break;
    }
    lines.push(text);
    yield;
  }
  // properties of a calendar come before its components
  if (isCut) for (const name of ['DESCRIPTION', 'X-WR-CALDESC']) head.push(foldLine(`${name}:${escapeText(cutText)}`));
  return { text: [...head, ...lines, 'END:VCALENDAR\r\n'].join(''), isCut };
}

function eventLines({ uid, when, core, tag }: FeedEvent, stamp: string): string {
  const times =
    'start' in when
      ? `DTSTART;VALUE=DATE:${basic(when.start)}\r\nDTEND;VALUE=DATE:${basic(when.end)}\r\n`
      : `DTSTART:${utcOf(when.startMs)}\r\nDTEND:${utcOf(when.endMs)}\r\n`;
  const mark = tag === undefined ? '' : foldLine(`X-HOLDFAST-MIRROR:${tag}`);
  return `BEGIN:VEVENT\r\n${foldLine(`UID:${uid}`)}${stamp}${times}${mark}${coreLines(core)}END:VEVENT\r\n`;
}

const cutText = 'This calendar is incomplete. It has more events than a feed can hold.';
const utf8 = new TextEncoder();
const utcOf = (ms: number) => `${printBasicDateTime(ms)}Z`;
const basic = (date: LocalDate) => date.replaceAll('-', '');
