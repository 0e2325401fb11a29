import * as z from 'zod/mini';
import type { RestClient, RestReply, RestRequest } from '../rest/client.ts';
import { badAnswer } from '../rest/network-failures.ts';
import type { GraphOperation } from './errors.ts';
import { type GraphEvent, graphPage, readEvent } from './graph-event.ts';

/** Requests as Outlook wants them: always with the same preferences, whatever the method. */

/** Rows of a page: the limit that matters is 10 MB an answer. */
const pageRows = 100;

/**
 * Without immutable ids an event's name changes when it is moved between folders; subscriptions made without them tell
 * other names than pulls do. Source: outlook-immutable-id, "Prefer" of the calendar API.
 */
export const preferHeader = `IdType="ImmutableId", outlook.timezone="UTC", outlook.body-content-type="text", odata.maxpagesize=${pageRows}`;

interface GraphRequest extends Omit<RestRequest, 'operation' | 'query'> {
  operation: GraphOperation;
  /** Spaces as %20: Graph takes a plus for a plus. */
  options?: Record<string, string>;
}

export async function askGraph(rest: RestClient, { options, headers, ...request }: GraphRequest): Promise<RestReply> {
  const query = Object.entries(options ?? {}).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const target = query.length === 0 ? request.target : `${request.target}?${query.join('&')}`;
  return await rest.send({ ...request, target, headers: { prefer: preferHeader, ...headers } });
}

export function calendarPath(calendarRef: string): string {
  return `/me/calendars/${encodeURIComponent(calendarRef)}`;
}

/** An event by its calendar: one that was moved to another calendar is not there any more. */
export function eventPath(calendarRef: string, ref: string): string {
  return `${calendarPath(calendarRef)}/events/${encodeURIComponent(ref)}`;
}

export interface Page {
  value: unknown[];
  nextLink: string | undefined;
  deltaLink: string | undefined;
}

export function readPage(json: unknown): Page {
  const read = graphPage.safeParse(json);
  if (!read.success) throw badAnswer("it isn't a list");
  const { value, '@odata.nextLink': nextLink, '@odata.deltaLink': deltaLink } = read.data;
  return { value, nextLink, deltaLink };
}

const maxPages = 5_000;

/** A list to its end, page by page, by the links as they are given. *Errors*: `transient` for one without end. */
export async function* pagesOf(rest: RestClient, first: GraphRequest): AsyncGenerator<Page, void> {
  const seen = new Set<string>();
  let request = first;
  for (;;) {
    const page = readPage((await askGraph(rest, request)).json);
    yield page;
    if (page.nextLink === undefined) return;
    if (seen.has(page.nextLink) || seen.size === maxPages) throw badAnswer('its list never ends');
    seen.add(page.nextLink);
    request = { operation: first.operation, method: 'GET', target: page.nextLink, signal: first.signal };
  }
}

/** The event of an answer. */
export function eventOf(json: unknown): GraphEvent {
  const read = readEvent(json);
  if (read === null || !read.ok) throw badAnswer("it isn't an event");
  return read.event;
}

const batchAnswer = z.object({
  responses: z.array(
    z.object({
      id: z.string(),
      status: z.number(),
      headers: z.optional(z.nullable(z.record(z.string(), z.string()))),
      body: z.optional(z.unknown()),
    }),
  ),
});

/** The outcome of one part of a batch. */
export interface BatchPart {
  status: number;
  json: unknown;
}

export const batchSize = 20;

/**
 * Several reads in one request, at most `batchSize`; answers in the order of the targets, null where there was none.
 * Each counts against the quota as if it stood alone. *Errors*: where parts are throttled, `rate-limited` with the longest
 * of their waits. Source: json-batching.
 */
export async function readBatch(
  rest: RestClient,
  targets: string[],
  signal: AbortSignal,
): Promise<(BatchPart | null)[]> {
  const requests = targets.map((url, at) => ({
    id: String(at + 1),
    method: 'GET',
    url,
    headers: { prefer: preferHeader },
  }));
  const { json } = await askGraph(rest, {
    operation: 'batch',
    method: 'POST',
    target: '/$batch',
    body: { requests },
    weight: requests.length,
    signal,
  });
  const read = batchAnswer.safeParse(json);
  if (!read.success) throw badAnswer("it isn't a batch");
  const refusals = read.data.responses
    .filter(({ status }) => status === 429 || status === 503)
    .map(({ status, headers, body }) =>
      rest.refuse({ operation: 'batch', status, headers: new Headers(headers ?? {}), json: body ?? null }),
    )
    .filter(({ kind }) => kind === 'rate-limited')
    .toSorted((a, b) => (b.retryAfterMs ?? 0) - (a.retryAfterMs ?? 0));
  if (refusals[0] !== undefined) throw refusals[0];
  const byId = new Map(read.data.responses.map(({ id, status, body }) => [id, { status, json: body ?? null }]));
  return requests.map(({ id }) => byId.get(id) ?? null);
}
