import type { RemoteCalendar } from '../port.ts';
import type { RestClient } from '../rest/client.ts';
import { badAnswer } from '../rest/network-failures.ts';
import { send } from './requests.ts';
import { type GoogleCalendar, readCalendar, readPage } from './resource.ts';

const maxPages = 100;

/** Every calendar on the account's list, hidden ones left out. Source: Google Calendar API, CalendarList: list. */
export async function listCalendars(rest: RestClient, signal: AbortSignal): Promise<RemoteCalendar[]> {
  const calendars: RemoteCalendar[] = [];
  let pageToken: string | undefined;
  for (let count = 0; count < maxPages; count += 1) {
    const { json } = await send(rest, {
      operation: 'calendarList.list',
      method: 'GET',
      target: '/users/me/calendarList',
      query: {
        maxResults: 250,
        fields:
          'nextPageToken,items(id,summary,summaryOverride,timeZone,accessRole,primary,deleted,backgroundColor,' +
          'conferenceProperties/allowedConferenceSolutionTypes)',
        pageToken,
      },
      signal,
    });
    const page = readPage(json);
    if (page === null) throw badAnswer("it isn't a list of calendars");
    for (const one of page.items.map(readCalendar)) {
      if (one !== null && one.deleted !== true) calendars.push(toCalendar(one));
    }
    pageToken = page.nextPageToken;
    if (pageToken === undefined) return calendars;
  }
  throw badAnswer('the list of calendars never ends');
}

/**
 * `writerWithoutPrivateAccess` may write as well, but sees of private events only when they are: it could not read back
 * a block, which is one, and would write it again for ever.
 */
const writableRoles = new Set(['owner', 'writer']);

function toCalendar(calendar: GoogleCalendar): RemoteCalendar {
  const { id, summary, summaryOverride, timeZone, accessRole, primary, backgroundColor } = calendar;
  const solutions = calendar.conferenceProperties?.allowedConferenceSolutionTypes;
  return {
    ref: id,
    name: summaryOverride?.trim() || summary?.trim() || id,
    ...(backgroundColor === undefined ? {} : { color: backgroundColor }),
    ...(timeZone === undefined ? {} : { zone: timeZone }),
    writable: writableRoles.has(accessRole ?? ''),
    primary: primary === true,
    ...(solutions === undefined ? {} : { conferences: solutions.includes('hangoutsMeet') ? ['google-meet'] : [] }),
  };
}
