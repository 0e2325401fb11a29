import { type APIRequestContext, expect } from '@playwright/test';

/** A call of a screen, by its method, path and what is sent; an answer that refuses it is thrown. */
export type Ask = <T>(method: string, path: string, data?: object) => Promise<T>;

/** Asks without a browser, by the token of a session or as a stranger. */
export const askAs =
  (url: string, token?: string): Ask =>
  async (method, path, data) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(data === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(data === undefined ? {} : { body: JSON.stringify(data) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };

/** Makes calls as the person signed in in a browser. */
export const askIn =
  (request: APIRequestContext, url: string): Ask =>
  async (method, path, data) => {
    const headers = { accept: 'application/json', origin: url };
    const response = await request.fetch(`${url}${path}`, { method, headers, ...(data ? { data } : {}) });
    expect(response.ok(), `${path}: ${response.status()} ${await response.text()}`).toBe(true);
    return response.status() === 204 ? undefined : await response.json();
  };
