import type { InjectOptions } from 'fastify';
import type { Contract } from '#kernel/contract.ts';
import { type Client, createClient } from '#kernel/contract-client.ts';
import type { UserId } from '#kernel/ids.ts';
import { openAccount } from './open-account.ts';
import type { TestApp } from './test-app.ts';

/** The typed client of a contract, in process, as the owner of a session token (or as a stranger). */
export function clientOf<const C extends Contract>(server: TestApp, contract: C, token?: string): Client<C> {
  return createClient(contract, {
    fetch: fetchThrough(server),
    ...(token === undefined ? {} : { headers: () => ({ authorization: `Bearer ${token}` }) }),
  });
}

/** `fetch` without a network. */
function fetchThrough(server: TestApp): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await server.inject({
      method: (init?.method ?? 'GET') as InjectOptions['method'] & string,
      url: input as string, // the URL that a contract's client passes
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(init?.body === undefined ? {} : { payload: init.body as string }),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(response.headers)) {
      for (const one of [value].flat()) if (one !== undefined) headers.append(name, String(one));
    }
    return new Response(response.statusCode === 204 ? null : response.body, { status: response.statusCode, headers });
  };
}

export interface TestUser {
  userId: UserId;
  email: string;
  token: string;
  /** The typed client of a contract as this person. */
  as<const C extends Contract>(contract: C): Client<C>;
}

export { testPassword } from './open-account.ts';

/** Creates a person with an account and a session (`openAccount`), and a client. */
export async function signUpUser(server: TestApp, email: string): Promise<TestUser> {
  const opened = await openAccount(server.app, email);
  return { ...opened, as: (contract) => clientOf(server, contract, opened.token) };
}
