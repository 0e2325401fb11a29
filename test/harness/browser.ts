import type { TestApp } from './test-app.ts';

/** As in `startTestApp`. */
export const testUrl = 'http://localhost';

/** A browser without a network: it keeps cookies, and says where it is sent instead of going there. */
export interface Browser {
  cookies: Map<string, string>;
  go(address: string): Promise<{ status: number; location: URL }>;
  post(path: string, body: object, method?: 'POST' | 'DELETE'): Promise<{ status: number; body: Answer }>;
}

/** Body of an answer, with the `detail` of a refusal at the top level. */
type Answer = Record<string, unknown>;

/** `sessionToken` of who is signed in there. */
export function openBrowser(server: TestApp, sessionToken?: string): Browser {
  const cookies = new Map(sessionToken === undefined ? [] : [['holdfast', sessionToken]]);
  const send = async (method: 'GET' | 'POST' | 'DELETE', address: string, body?: object) => {
    const response = await server.inject({
      method,
      url: address.replace(testUrl, ''),
      headers: {
        accept: method === 'GET' ? 'text/html' : 'application/json',
        'sec-fetch-site': method === 'GET' ? 'cross-site' : 'same-origin',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(body === undefined ? {} : { payload: body }),
    });
    for (const { name, value } of response.cookies) {
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  return {
    cookies,
    async go(address) {
      const response = await send('GET', address);
      return { status: response.statusCode, location: new URL(String(response.headers.location ?? ''), testUrl) };
    },
    async post(path, body, method = 'POST') {
      const response = await send(method, path, method === 'DELETE' ? undefined : body);
      const answer = response.json() as Answer;
      return { status: response.statusCode, body: { ...(answer.detail as Answer | undefined), ...answer } };
    },
  };
}
