import type { Answer } from '#emulators/kit/emulator.ts';
import { jsonReply, type Reply } from '#emulators/kit/exchange.ts';
import type { GraphCall } from './graph-call.ts';
import { badRequest, errorReply, GraphError } from './graph-errors.ts';
import { checkLimits, throttled } from './limits.ts';
import { readPreferences, readQuery } from './read-query.ts';

interface Part {
  id: string;
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
  dependsOn?: string[];
}

/** Up to twenty requests in one, each with its own answer and its own throttling. Source: json-batching. */
export function answerBatch(call: GraphCall, dispatch: (call: GraphCall) => Answer): Reply {
  const { requests } = (call.body ?? {}) as { requests?: Part[] };
  if (!Array.isArray(requests) || requests.length === 0) throw badRequest('BadRequest', 'A batch needs requests.');
  if (requests.length > 20) {
    throw badRequest('MaximumValueExceeded', 'Number of batch request steps exceeds the maximum value of 20.');
  }
  const seen = new Set<string>();
  for (const { id } of requests) {
    if (typeof id !== 'string' || id === '' || seen.has(id))
      throw badRequest('BadRequest', 'Each request of a batch needs an id of its own.');
    seen.add(id);
  }
  const responses = new Map<string, Reply>();
  for (const part of requests) {
    const failed = part.dependsOn?.some((id) => (responses.get(id)?.status ?? 424) >= 400) ?? false;
    responses.set(part.id, failed ? failedDependency(call) : answerPart(call, part, responses.size, dispatch));
  }
  const listed = [...responses].map(([id, { status, headers, body }]) => ({
    id,
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body === '' ? {} : { body: JSON.parse(body) as unknown }),
  }));
  // Not in the order of the requests: they are known by their ids.
  return jsonReply(200, { responses: listed.reverse() });
}

function answerPart(call: GraphCall, part: Part, position: number, dispatch: (call: GraphCall) => Answer): Reply {
  const headers = Object.fromEntries(
    Object.entries(part.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const [path = '', query = ''] = part.url.split('?');
  try {
    if (call.quirk === 'batch-424' && position === 0) return failedDependency(call);
    if (call.quirk === 'batch-429' && position === 0) throw throttled('MailboxConcurrency', 1);
    checkLimits(call.world, `${call.clientId} ${call.mailbox.address}`, 0, call.nowMs);
    const answer = dispatch({
      ...call,
      method: part.method,
      segments: path
        .split('/')
        .filter((one) => one !== '')
        .map(decodeURIComponent),
      url: part.url,
      options: readQuery(query),
      preferences: readPreferences(headers.prefer),
      ifMatch: headers['if-match'] ?? null,
      body: part.body,
      quirk: null,
    });
    if ('call' in answer) throw badRequest('BadRequest', 'A subscription cannot be created in a batch here.');
    return answer;
  } catch (error) {
    if (error instanceof GraphError) return errorReply(error, call.nowMs, headers['client-request-id']);
    throw error;
  }
}

function failedDependency(call: GraphCall): Reply {
  return errorReply(
    new GraphError(424, 'FailedDependency', 'A request this one depends on failed.'),
    call.nowMs,
    undefined,
  );
}
