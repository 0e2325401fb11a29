/** A call that a screen made. */
export interface SeenCall {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
}

export interface FakeAnswer {
  status?: number;
  body?: unknown;
}

/** `GET /path` -> what the server says; a function sees the call, a promise is waited for. */
export type FakeRoutes = Record<string, FakeAnswer | ((call: SeenCall) => FakeAnswer | Promise<FakeAnswer>)>;

/**
 * A `fetch` for component tests: real contracts and the real client run against these answers. A call without a route
 * gets a 404, as from the server.
 */
export function createFakeApi(routes: FakeRoutes): { fetch: typeof fetch; calls: SeenCall[] } {
  const calls: SeenCall[] = [];
  const fakeFetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input instanceof Request ? input.url : input), 'http://holdfast.test');
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
    const call: SeenCall = { method: init.method ?? 'GET', path: url.pathname, query: url.searchParams, body };
    calls.push(call);
    const route = routes[`${call.method} ${call.path}`];
    const answer = typeof route === 'function' ? await route(call) : route;
    const { status = 200, body: answered } = answer ?? refusal(404, 'NOT_FOUND', 'Not found.');
    const headers = { 'x-request-id': 'req-1' };
    return status === 204 ? new Response(null, { status, headers }) : Response.json(answered, { status, headers });
  };
  return { fetch: fakeFetch, calls };
}

/** How the server refuses. */
export function refusal(status: number, code: string, message: string, fields?: Record<string, string>): FakeAnswer {
  return { status, body: { detail: { code, message, fields } } };
}
