import type { LightMyRequestResponse } from 'fastify';
import type { TestApp } from './test-app.ts';

/** A browser as far as the server sees one: it keeps cookies and says which site it is on. */
export class CookieBrowser {
  readonly #server: TestApp;
  readonly #cookies = new Map<string, string>();

  /** With a session's token: somebody is signed in here. */
  constructor(server: TestApp, token?: string) {
    this.#server = server;
    if (token !== undefined) this.#cookies.set('holdfast', token);
  }

  get token(): string | undefined {
    return this.#cookies.get('holdfast');
  }

  /** The current cookie header, to be replayed later as an eavesdropper would. */
  get cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async call(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
  ): Promise<LightMyRequestResponse> {
    const response = await this.#server.inject({
      method,
      url,
      headers: { cookie: this.cookieHeader, origin: 'http://localhost', host: 'localhost' },
      ...(payload === undefined ? {} : { payload }),
    });
    for (const { name, value, maxAge } of response.cookies) {
      if (maxAge === 0) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }
}
