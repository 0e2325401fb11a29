import type { Page } from '@playwright/test';
import { type Ask, askIn } from './ask-as.ts';
import { createPerson, password } from './person.ts';
import type { Product } from './product.ts';

/** A team that is there already, for journeys that begin with one: people, their calendars, and what their screens call. */

/** Sales, at `sales-crew`: the first of them owns it, the second edits, others look. Each has a calendar of their own. */
export async function openTeam(
  page: Page,
  product: Product,
  people: readonly string[],
): Promise<{ teamId: string; asks: Ask[] }> {
  const asks: Ask[] = [];
  for (const email of people) {
    await createPerson(product, email);
    const request = (await page.context().browser()?.newContext())?.request;
    if (request === undefined) throw new Error('there is no browser');
    const ask = askIn(request, product.url);
    await ask('POST', '/auth/login', { email, password, app: 'user' });
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
