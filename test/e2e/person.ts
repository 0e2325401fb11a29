import { expect, type Locator, type Page } from '@playwright/test';

/** What a person does on the screens, by the words they read there. */

export async function signUp(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/signup`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('violet anchor seventeen');
  await page.getByLabel('Confirm password', { exact: true }).fill('violet anchor seventeen');
  await page.getByRole('button', { name: 'Sign up' }).click();
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
