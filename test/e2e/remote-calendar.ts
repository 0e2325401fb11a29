import ICAL from 'ical.js';
import { SaxesParser } from 'saxes';

/** A calendar on a real server, as any other program of its owner sees it: plain CalDAV, no code of the product. */
export interface RemoteCalendar {
  url: string;
  put(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  names(): Promise<string[]>;
  /** Text of every object by its file name. */
  objects(): Promise<Map<string, string>>;
  /** Everything in it, read by ical.js. */
  events(): Promise<RemoteEvent[]>;
  /** Blocks among the events that the product wrote. */
  blocks(): Promise<RemoteEvent[]>;
  /** Changes when anything in the calendar does. */
  versions(): Promise<string>;
}

export interface RemoteEvent {
  name: string;
  text: string;
  isBlock: boolean;
  title: string;
  busy: boolean;
  recurring: boolean;
  allDay: boolean;
  /** `start/end` of each occurrence (of the first 60), as instants or, all-day, as dates. */
  spans: string[];
}

export interface RemoteAccount {
  url: string;
  username: string;
  password: string;
}

export function openRemoteCalendar(account: RemoteAccount): RemoteCalendar {
  const authorization = `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`;
  const send = async (method: string, url: string, headers: Record<string, string> = {}, body?: string) => {
    const response = await fetch(url, { method, headers: { authorization, ...headers }, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text.slice(0, 200)}`);
    return text;
  };
  const propfind = (depth: '0' | '1', properties: string) =>
    send(
      'PROPFIND',
      account.url,
      { depth, 'content-type': 'application/xml' },
      `<?xml version="1.0"?><d:propfind xmlns:d="DAV:" xmlns:cs="http://calendarserver.org/ns/"><d:prop>${properties}</d:prop></d:propfind>`,
    );
  const urlOf = (name: string) => `${account.url}${encodeURIComponent(name)}`;
  const names = async () => hrefsIn(await propfind('1', '<d:getetag/>'));
  const objects = async () =>
    readObjects(await send('REPORT', account.url, { depth: '1', 'content-type': 'application/xml' }, everything));
  const events = async () =>
    [...(await objects())]
      .map(([name, text]) => readEvent(name, text))
      .sort((a, b) => ((a.spans[0] ?? '') < (b.spans[0] ?? '') ? -1 : 1));
  return {
    url: account.url,
    put: async (name, text) => {
      await send('PUT', urlOf(name), { 'content-type': 'text/calendar; charset=utf-8' }, text);
    },
    remove: async (name) => {
      await send('DELETE', urlOf(name));
    },
    names,
    objects,
    events,
    blocks: async () => (await events()).filter(({ isBlock }) => isBlock),
    versions: async () =>
      `${await propfind('0', '<cs:getctag/><d:sync-token/>')}\n${await propfind('1', '<d:getetag/>')}`,
  };
}

const everything =
  '<?xml version="1.0"?><c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:getetag/>' +
  '<c:calendar-data/></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"/></c:comp-filter>' +
  '</c:filter></c:calendar-query>';

const nameOf = (href: string) => decodeURIComponent(href.split('/').at(-1) ?? '');

function hrefsIn(xml: string): string[] {
  const hrefs = [...xml.matchAll(/<(?:\w+:)?href>([^<]+)</g)].map(([, href]) => href ?? '');
  return hrefs.filter((href) => href.endsWith('.ics')).map(nameOf);
}

function readObjects(xml: string): Map<string, string> {
  const objects = new Map<string, string>();
  const parser = new SaxesParser();
  let text = '';
  let name = '';
  parser.on('opentag', () => {
    text = '';
  });
  parser.on('text', (more) => {
    text += more;
  });
  parser.on('cdata', (more) => {
    text += more;
  });
  parser.on('closetag', (tag) => {
    const local = tag.name.replace(/^.*:/, '');
    if (local === 'href') name = nameOf(text);
    if (local === 'calendar-data') objects.set(name, text);
  });
  parser.write(xml).close();
  return objects;
}

const mostSpans = 60;

function readEvent(name: string, text: string): RemoteEvent {
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  const events = calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
  const master = events.find((event) => !event.isRecurrenceException());
  if (master === undefined) throw new Error(`${name} has no event of its own`);
  for (const event of events) if (event.isRecurrenceException()) master.relateException(event);
  return {
    name,
    text,
    isBlock: text.includes('X-HOLDFAST-MIRROR'),
    title: [...new Set(events.map((event) => event.summary))].join(' / '),
    busy: events.every((event) => event.component.getFirstPropertyValue('transp') !== 'TRANSPARENT'),
    recurring: master.isRecurring(),
    allDay: master.startDate.isDate,
    spans: spansOf(master),
  };
}

function spansOf(event: ICAL.Event): string[] {
  if (!event.isRecurring()) return [spanOf(event.startDate, event.endDate)];
  const spans: string[] = [];
  const steps = event.iterator();
  for (let next = steps.next(); next && spans.length < mostSpans; next = steps.next()) {
    const { startDate, endDate } = event.getOccurrenceDetails(next);
    spans.push(spanOf(startDate, endDate));
  }
  return spans.sort();
}

function spanOf(start: ICAL.Time, end: ICAL.Time): string {
  const at = (time: ICAL.Time) =>
    time.isDate
      ? time.toString()
      : Temporal.Instant.fromEpochMilliseconds(time.toUnixTime() * 1000).toString({ smallestUnit: 'second' });
  return `${at(start)}/${at(end)}`;
}
