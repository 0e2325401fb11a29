import { ProviderError } from '#kernel/errors.ts';
import { WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';
import { describeWorkLimit, readingLimits } from '#kernel/work-limits.ts';
import { inSlices } from '#platform/in-slices.ts';
import type { CalendarProvider, ProviderCapabilities, RemoteCalendar } from '../port.ts';
import { fetchFeed, hostOf } from './fetch-feed.ts';
import { type FeedSource, pullFeed } from './pull-feed.ts';
import { openFile } from './read-feed.ts';

/** The one calendar of a feed, whose address is a secret and therefore never its name. */
const feedRef = 'feed';

/** A calendar published as an iCalendar file: a source of busy time, never a target. */
export function openFeed(source: FeedSource): CalendarProvider {
  return {
    listCalendars: async (signal) => [await describeFeed(source, signal)],
    pull: (request) => pullFeed(source, request),
    createMirror: readOnly,
    updateMirror: readOnly,
    deleteMirror: readOnly,
    findMirror: async () => null,
    close: () => Promise.resolve(),
  };
}

/** *Errors*: as `fetchFeed` and `readFeed`. */
async function describeFeed(source: FeedSource, signal: AbortSignal): Promise<RemoteCalendar> {
  const host = hostOf(source.url);
  const fetched = await fetchFeed(source.http, source.url, {}, signal);
  // without validators there is no 304
  if (fetched === null)
    throw new ProviderError('transient', 'BAD_ANSWER', `${host} sent no calendar. Try again later.`);
  const { name, zone } = await openWithin(new WorkBudget(readingLimits), fetched.bytes, { ...source, host });
  return {
    ref: feedRef,
    name: name ?? nameOfAddress(source.url),
    ...(zone === undefined ? {} : { zone }),
    writable: false,
    primary: true,
  };
}

/**
 * A name for a calendar without one: its host, with the name of its file where that consists of words. An address is a
 * secret, so a name that may be a key is left out.
 */
function nameOfAddress(url: string): string {
  const { host, pathname } = new URL(url);
  const file = decodedOf(pathname.slice(pathname.lastIndexOf('/') + 1)).replace(/\.(?:ics|ical|ifb|vcs)$/i, '');
  const words = file.split(/[ ._+-]+/).filter((word) => word !== '');
  const isReadable = words.length > 0 && words.length <= 6 && words.every((word) => readableWord.test(word));
  return isReadable ? `${words.join(' ')} (${host})` : host;
}

/** A word or a short number, as people write them; keys mix letters with digits or case. */
const readableWord = /^(?:\p{Lu}?[\p{Ll}\p{M}]{1,20}|\p{Lu}{1,6}|[\p{Lo}\p{M}]{1,12}|\d{1,4})$/u;

function decodedOf(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return '';
    throw error;
  }
}

async function openWithin(
  budget: WorkBudget,
  bytes: Uint8Array,
  context: Pick<FeedSource, 'tags' | 'selfAddresses'> & { host: string },
) {
  try {
    budget.spend('bytes', bytes.length);
    return await inSlices(openFile(bytes, { ...context, budget }), budget);
  } catch (error) {
    if (!(error instanceof WorkLimitError)) throw error;
    throw new ProviderError('rejected', 'TOO_LARGE', describeWorkLimit(error), { cause: error });
  }
}

function readOnly(): Promise<never> {
  return Promise.reject(
    new ProviderError('rejected', 'READ_ONLY', 'Subscribed calendars are read-only. Nothing was changed.'),
  );
}

/** `webcal://` and `webcals://` are https by another name. Null where the text is no address of a feed. */
export function feedUrlOf(text: string): string | null {
  const url = URL.parse(text.trim().replace(/^webcals?:\/\//i, 'https://'));
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  url.hash = '';
  return url.href;
}

export const feedCapabilities: ProviderCapabilities = {
  series: 'native',
  push: false,
  maxConcurrency: 1,
  pollSeconds: 300,
  identityReusable: true,
  listsEachTime: true,
};
