import { expect, type Locator, type Page } from '@playwright/test';
import type { Product } from './product.ts';

/** What a person does on the screens, by the words they read there. */

const password = 'violet anchor seventeen';

/** Has an account whose address the mailed link has confirmed, and signs in. The screens of the former are sign-in.e2e.ts. */
export async function signUp(page: Page, { url, smtp }: Product, email: string): Promise<void> {
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`${url}${path}`, { data, headers: { origin: url } });
    expect(answer.ok()).toBe(true);
  };
  await post('/auth/signup', { email, password, timezone: 'Europe/Berlin' });
  await expect.poll(() => smtp.mailsTo(email).length).toBe(1);
  const link = smtp.mailsTo(email)[0]?.links.find((one) => new URL(one).pathname === '/verify-email');
  await post('/auth/verify-email', { email, code: new URL(link ?? '').searchParams.get('code') });
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/calendar$/);
}

export async function goTo(page: Page, section: 'Calendar' | 'Integrations' | 'Meetings'): Promise<void> {
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: section }).click();
}

export interface Credentials {
  url: string;
  username: string;
  password: string;
}

/** Fills in the guided form for CalDAV; gives the dialog, which closes once the account is connected. */
export async function askToConnect(page: Page, account: Credentials): Promise<Locator> {
  await page.getByRole('button', { name: /^Connect (Calendar )?Account$/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'CalDAV', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect CalDAV' });
  await fillIn(dialog, account);
  return dialog;
}

/** Fills in the open form and sends it. */
export async function fillIn(dialog: Locator, account: Credentials): Promise<void> {
  await dialog.getByLabel('Server address or e-mail').fill(account.url);
  await dialog.getByLabel('User name').fill(account.username);
  await dialog.getByRole('textbox', { name: 'Password or app password' }).fill(account.password);
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
}
