import { jsonReply, type Reply } from '#emulators/kit/exchange.ts';
import { compareNames } from '#kernel/languages.ts';
import { matchesFilter, readFilter } from './filter-events.ts';
import { type GraphCall, type Item, needRead } from './graph-call.ts';
import { badRequest } from './graph-errors.ts';
import { parseInstant } from './graph-time.ts';
import { instancesIn, startOf, type Window } from './instances.ts';
import { expandEvent, presentEvent, presentInstance, selectFrom } from './present-event.ts';
import { readCount, readExpand, readSelect } from './read-query.ts';
import type { Calendar } from './world.ts';

/** GET of an event, a master or one instance. Source: "Get event". */
export function getEvent(call: GraphCall, { event, instance }: Item): Reply {
  needRead(call);
  const shown = instance ? presentInstance(call, instance) : presentEvent(call, event);
  return jsonReply(200, {
    '@odata.context': `${call.graphBase}/$metadata#users('${call.mailbox.userId}')/events/$entity`,
    ...selectFrom(
      shown,
      readSelect(call.options),
      expandEvent(call, event, readExpand(call.options), instance?.day ?? null),
    ),
  });
}

/** Single events and masters of a calendar, never instances. Source: "List events". */
export function listEvents(call: GraphCall, calendar: Calendar): Reply {
  needRead(call);
  const filter = readFilter(call.options.get('$filter'));
  const select = readSelect(call.options);
  const expand = readExpand(call.options);
  const order = readOrder(call.options.get('$orderby'));
  const events = [...calendar.events.values()].filter((event) => matchesFilter(filter, event)).sort(order);
  return pageOf(call, events, (event) =>
    selectFrom(presentEvent(call, event), select, expandEvent(call, event, expand)),
  );
}

/** The occurrences, exceptions and single events of a time range, whole. Source: "List calendarView". */
export function viewCalendar(call: GraphCall, calendar: Calendar): Reply {
  needRead(call);
  const window = readWindow(call.options);
  const select = readSelect(call.options);
  const expand = readExpand(call.options);
  const instances = [...calendar.events.values()]
    .flatMap((event) => instancesIn(event, window))
    .sort((a, b) => a.startMs - b.startMs);
  return pageOf(call, instances, (instance) =>
    selectFrom(presentInstance(call, instance), select, expandEvent(call, instance.event, expand, instance.day)),
  );
}

/** Source: "List instances". */
export function listInstances(call: GraphCall, { event, instance }: Item): Reply {
  needRead(call);
  const window = readWindow(call.options);
  if (instance || !event.recurrence) {
    throw badRequest('ErrorInvalidRequest', 'The instances of an event can only be listed for a series master.');
  }
  const select = readSelect(call.options);
  return pageOf(call, instancesIn(event, window), (one) => selectFrom(presentInstance(call, one), select));
}

/** *Errors*: 400 without both ends. Source: "List calendarView": values without an offset are UTC. */
export function readWindow(options: Map<string, string>): Window {
  const from = options.get('startdatetime');
  const to = options.get('enddatetime');
  if (from === undefined || to === undefined) {
    const message =
      'This request requires a time window specified by the query string parameters StartDateTime and EndDateTime.';
    throw badRequest('ErrorInvalidParameter', message);
  }
  const fromMs = parseInstant(from);
  const toMs = parseInstant(to);
  if (fromMs === null || toMs === null) {
    throw badRequest('ErrorInvalidParameter', 'StartDateTime and EndDateTime must be date-times in ISO 8601.');
  }
  if (toMs < fromMs) throw badRequest('ErrorInvalidParameter', 'EndDateTime is earlier than StartDateTime.');
  return { fromMs, toMs };
}

/** One page of ten, or of `$top`, with the link to the next. Source: "Paging Microsoft Graph data in your app". */
export function pageOf<T>(call: GraphCall, rows: readonly T[], show: (row: T) => unknown): Reply {
  const preferred = call.preferences.maxPageSize;
  const top = readCount(call.options, '$top', preferred ?? 10, 1_000);
  const skip = readCount(call.options, '$skip', 0, Number.POSITIVE_INFINITY);
  const page: Record<string, unknown> = {
    '@odata.context': `${call.graphBase}/$metadata#Collection(${call.segments.at(-1)})`,
    ...(call.options.get('$count') === 'true' ? { '@odata.count': rows.length } : {}),
    value: rows.slice(skip, skip + top).map(show),
  };
  if (skip + top < rows.length) {
    const kept =
      call.url
        .split('?')[1]
        ?.split('&')
        .filter((pair) => !/^(?:\$|%24)skip=/i.test(pair) && pair !== '') ?? [];
    page['@odata.nextLink'] =
      `${call.graphBase}${call.url.split('?')[0]}?${[...kept, `$skip=${skip + top}`].join('&')}`;
  }
  return jsonReply(200, page);
}

type Order = (a: Parameters<typeof presentEvent>[1], b: Parameters<typeof presentEvent>[1]) => number;

function readOrder(text: string | undefined): Order {
  const [by = 'lastModifiedDateTime', direction = text === undefined ? 'desc' : 'asc'] = (text ?? '')
    .trim()
    .split(/\s+/)
    .filter(Boolean);
  const sign = direction === 'desc' ? -1 : 1;
  switch (by) {
    case 'start/dateTime':
      return (a, b) => sign * (startOf(a.content) - startOf(b.content));
    case 'createdDateTime':
      return (a, b) => sign * (a.createdAtMs - b.createdAtMs);
    case 'lastModifiedDateTime':
      return (a, b) => sign * (a.modifiedAtMs - b.modifiedAtMs || a.version - b.version);
    case 'subject':
      return (a, b) => sign * compareNames(a.content.subject, b.content.subject);
    default:
      throw badRequest('ErrorInvalidUrlQuery', `The property '${by}' does not support sorting.`);
  }
}
