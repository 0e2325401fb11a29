import { expect, type Locator, type Page, request } from '@playwright/test';
import type { Product } from './product.ts';

/** Actions of a person on the screens, by the visible words. */

export const password = 'violet anchor seventeen';

/** Somebody whose address is confirmed by the mailed link; the screens of that are sign-in.e2e.ts. */
export async function createPerson(product: Product, email: string, setup?: string): Promise<void> {
  // Each call has a browser of its own, so the mailed link asks for a password and opens no session.
  const post = async (path: string, data: object) => {
    const browser = await request.newContext();
    const answer = await browser.post(`${product.url}${path}`, { data, headers: { origin: product.url } });
    expect(answer.ok(), await answer.text()).toBe(true);
    await browser.dispose();
  };
  await post('/auth/signup', { email, password, timezone: 'Europe/Berlin', setup });
  const { searchParams } = new URL(await mailedLink(product, email, '/verify-email'));
  await post('/auth/password/reset', { email, code: searchParams.get('code'), new_password: password });
}

/** The link to a page in the newest mail to an address, once `count` such links were sent there. */
export async function mailedLink({ smtp }: Product, email: string, page: string, count = 1): Promise<string> {
  const links = () =>
    smtp.mailsTo(email).flatMap((mail) => mail.links.filter((link) => new URL(link).pathname === page));
  await expect.poll(() => links().length).toBe(count);
  return links().at(-1) ?? '';
}

export async function fillSignIn(page: Page, email: string, typed = password): Promise<void> {
  // the address may be there before the screen is
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(typed);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Has an account and signs in. */
export async function signUp(page: Page, product: Product, email: string): Promise<void> {
  await createPerson(product, email);
  await page.goto(`${product.url}/login`);
  await fillSignIn(page, email);
  await expect(page).toHaveURL(/\/dashboard$/);
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Back', exact: true })).toBeVisible();
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
  await dialog.getByLabel('Server address or email').fill(account.url);
  await dialog.getByLabel('User name').fill(account.username);
  await dialog.getByRole('textbox', { name: 'Password or app password' }).fill(account.password);
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
}
