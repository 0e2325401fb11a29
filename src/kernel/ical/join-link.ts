/** Finds the link to join an online meeting. */

import { type ContentLine, pauseChars, readProperty } from '#kernel/ical/content-lines.ts';
import { unescapeText } from '#kernel/ical/ical-text.ts';
import { trimEndOf } from '#kernel/text/trim-text.ts';
import type { Sliced } from '#kernel/work-budget.ts';

const meetingHosts = [
  'zoom.us',
  'zoomgov.com',
  'zoom.com',
  'meet.google.com',
  'teams.microsoft.com',
  'teams.live.com',
  'teams.microsoft.us',
  'webex.com',
  'gotomeeting.com',
  'gotomeet.me',
  'meet.goto.com',
  'whereby.com',
  'meet.jit.si',
  'chime.aws',
  'bluejeans.com',
  'facetime.apple.com',
  'join.skype.com',
  'meet.lync.com',
  'meeting.zoho.com',
  'meeting.zoho.eu',
  'meet.zoho.com',
  'bigbluebutton.org',
  'around.co',
  'discord.gg',
  'talky.io',
  '8x8.vc',
];

const linkPattern = /https?:\/\/[^\s<>"'\\]+/gi;
/** A description may hold a thousand links to documents; the link to join stands near the top. */
const maxLinks = 50;

/** The link as a plain http(s) address, or undefined: `javascript:` and the like never pass. */
export function webLink(value: string): string | undefined {
  const trimmed = value.trim();
  if (trimmed.length > 2_000 || !/^https?:\/\/[^\s/]/i.test(trimmed)) return undefined;
  return /[\s<>"\p{Cc}\p{Cs}]/u.test(trimmed) ? undefined : trimmed;
}

/** The first link to a known meeting service in a text, or undefined. */
export function findJoinLink(text: string): string | undefined {
  if (!text.includes('://')) return undefined;
  let left = maxLinks;
  for (const [match] of text.matchAll(linkPattern)) {
    const link = webLink(trimEndOf(match, ').,;:!?]}'));
    if (link !== undefined && isMeetingHost(link)) return link;
    left -= 1;
    if (left === 0) return undefined;
  }
  return undefined;
}

/** Whether a link leads to a known meeting service. */
export function isMeetingHost(link: string): boolean {
  const host = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(link)?.[1]?.toLowerCase();
  return host !== undefined && meetingHosts.some((known) => host === known || host.endsWith(`.${known}`));
}

/** Properties that hold a link to join: the first of them that is one counts. */
export const linkProperties = [
  'X-GOOGLE-CONFERENCE',
  'CONFERENCE',
  'X-MICROSOFT-SKYPETEAMSMEETINGURL',
  'X-MICROSOFT-ONLINEMEETINGEXTERNALLINK',
  'X-MICROSOFT-ONLINEMEETINGCONFLINK',
];

/** The link to join of an event: of its properties, else the first in one of its texts. */
export function* readJoinLink(
  { one, conferences }: { one: ReadonlyMap<string, ContentLine>; conferences: readonly ContentLine[] },
  texts: readonly (string | undefined)[],
): Sliced<string | undefined> {
  for (const name of linkProperties) {
    if (name === 'CONFERENCE') {
      // a number to dial may stand before the link
      let chars = 0;
      for (const line of conferences.slice(0, mostConferences)) {
        chars += line.text.length;
        if (chars > pauseChars) {
          yield;
          chars = 0;
        }
        const link = linkOf(line);
        if (link !== undefined) return link;
      }
      continue;
    }
    const line = one.get(name);
    const link = line === undefined ? undefined : linkOf(line);
    if (link !== undefined) return link;
  }
  for (const text of texts) {
    const link = findJoinLink(text ?? '');
    if (link !== undefined) return link;
  }
  return undefined;
}

/** Numbers to dial of many countries, and the link. */
const mostConferences = 200;

/** More than a link may have, with the spaces around it. */
const mostLinkChars = 2_500;

/** The link to join that a property holds. */
export function linkOf(line: ContentLine): string | undefined {
  return webLink(unescapeText(readProperty(line).value, mostLinkChars));
}
