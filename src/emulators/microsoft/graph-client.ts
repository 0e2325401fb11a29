import type { MicrosoftEmulator } from './launch.ts';

/** The parts of Graph's answers that tests look at by name. */
export interface GraphBody {
  id: string;
  type: string;
  subject: string;
  value: GraphBody[];
  start: { dateTime: string; timeZone: string };
  end: { dateTime: string; timeZone: string };
  seriesMasterId: string | null;
  cancelledOccurrences?: string[];
  exceptionOccurrences?: GraphBody[];
  error: Record<string, string>;
  responses: { id: string; status: number; body: GraphBody }[];
  '@odata.etag': string;
  '@odata.nextLink'?: string;
  '@odata.deltaLink'?: string;
  '@removed'?: { reason: string };
}

export interface GraphAnswer {
  status: number;
  headers: Headers;
  body: GraphBody;
}

export interface GraphClient {
  get(path: string, headers?: Record<string, string>): Promise<GraphAnswer>;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<GraphAnswer>;
  /** Every row of a delta round, and the link for the next. */
  round(
    link: string,
    headers?: Record<string, string>,
  ): Promise<{ rows: GraphBody[]; deltaLink: string; pages: number }>;
}

/** Graph spoken as it should be: the bearer token and the preferences with every request. */
export async function connectGraph(
  { control, urls, fetch }: MicrosoftEmulator,
  account: string,
  scopes?: string[],
): Promise<GraphClient> {
  const tokens = await control.act({ account, do: 'grant', ...(scopes ? { scopes } : {}) });
  const send: GraphClient['send'] = async (method, path, body, headers = {}) => {
    const url = path.startsWith('http') ? path : `${urls.graphBase}${path}`;
    const init: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${String(tokens.accessToken)}`,
        prefer: 'IdType="ImmutableId", outlook.timezone="UTC", outlook.body-content-type="text"',
        ...headers,
      },
    };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(url, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? {} : JSON.parse(text)) as GraphBody,
    };
  };
  const get: GraphClient['get'] = (path, headers) => send('GET', path, undefined, headers);
  return {
    send,
    get,
    async round(link, headers) {
      const rows: GraphBody[] = [];
      let next = link;
      for (let pages = 1; ; pages += 1) {
        const { status, body } = await get(next, headers);
        if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
        rows.push(...body.value);
        if (body['@odata.deltaLink']) return { rows, deltaLink: body['@odata.deltaLink'], pages };
        next = body['@odata.nextLink']!;
      }
    },
  };
}
