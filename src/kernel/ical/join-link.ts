/** Finds the link to join an online meeting. */

import { trimEndOf } from '#kernel/text/trim-text.ts';

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
