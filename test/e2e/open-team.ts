import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { createPerson, password } from './person.ts';
import type { Product } from './product.ts';

/** A team that is there already, for journeys that begin with one: people, their calendars, and what their screens call. */

export type Ask = <T>(method: string, path: string, data?: object) => Promise<T>;

/** The calls of somebody's screens. */
async function signInByCall(product: Product, request: APIRequestContext, email: string): Promise<Ask> {
  const send = async <T>(method: string, path: string, data?: object, token?: string): Promise<T> => {
    const headers = {
      accept: 'application/json',
      origin: product.url,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
    const response = await request.fetch(`${product.url}${path}`, { method, headers, ...(data ? { data } : {}) });
    expect(response.ok(), `${path}: ${response.status()} ${await response.text()}`).toBe(true);
    return (response.status() === 204 ? undefined : await response.json()) as T;
  };
  const login = { email, password, app: 'user' };
  const { session_token: token } = await send<{ session_token: string }>('POST', '/auth/login', login);
  return (method, path, data) => send(method, path, data, token);
}

/** Sales, at `sales-crew`: the first of them owns it, the second edits, others look. Each has a calendar of their own. */
export async function openTeam(
  page: Page,
  product: Product,
  people: readonly string[],
): Promise<{ teamId: string; asks: Ask[] }> {
  const asks: Ask[] = [];
  for (const email of people) {
    await createPerson(page, product, email);
    const request = (await page.context().browser()?.newContext())?.request;
    if (request === undefined) throw new Error('there is no browser');
    const ask = await signInByCall(product, request, email);
    await ask('PATCH', '/api/account/profile', {
      name: email.replace(/@.*/, '').replace(/^./, (first) => first.toUpperCase()),
    });
    await ask('POST', '/api/connections/holdfast');
    asks.push(ask);
  }
  const [owner, ...others] = asks;
  if (owner === undefined) throw new Error('a team has an owner');
  const { team } = await owner<{ team: { id: string } }>('POST', '/api/teams', { name: 'Sales' });
  await owner('PUT', `/api/teams/${team.id}/handle`, { handle: 'sales-crew' });
  for (const [n, ask] of others.entries()) {
    const role = n === 0 ? 'editor' : 'viewer';
    await owner('POST', `/api/teams/${team.id}/invitations`, { email: people[n + 1], role });
    const { invitations } = await ask<{ invitations: { id: string }[] }>('GET', '/api/teams');
    await ask('POST', `/api/invitations/${invitations[0]?.id}/accept`);
  }
  return { teamId: team.id, asks };
}
