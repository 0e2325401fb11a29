import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { generateSync } from 'otplib';
import { killAll } from '../harness/spawn-holdfast.ts';
import { createPerson, fillSignIn, signOut } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, type WatchedPage, watchPage } from './watched-page.ts';

/** Two factors at both doors: set up, asked for, got around by nobody. */

let product: Product;

test.beforeAll(async () => {
  product = await startProduct({ allow: [] });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
});

/** Returns the authenticator code in `steps` of 30 s: each code is accepted once. */
const codeOf = (key: string, steps = 0) =>
  generateSync({ secret: key, epoch: Math.floor(Temporal.Now.instant().epochMilliseconds / 1000) + 30 * steps });

/** From the page with the QR code to the last step; gives what the person now has. */
async function enrol(page: Page, watched?: WatchedPage): Promise<{ key: string; backupCodes: string[] }> {
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Steps' }).getByRole('listitem')).toHaveCount(3);
  await watched?.look('mfa-enroll-secret', { phone: true });
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const key = await page.evaluate<string>('navigator.clipboard.readText()');
  const shown = await page.locator('code').textContent();
  expect(shown?.replaceAll(' ', '')).toBe(key);
  await page.getByRole('button', { name: "I've added the account" }).click();

  const field = page.getByLabel('6-digit code');
  await expect(field).toBeFocused();
  await page.keyboard.type('12345');
  await watched?.look('mfa-enroll-code', { phone: true });
  await page.keyboard.type('6');
  await expect(page.getByRole('alert')).toBeVisible();
  await page.keyboard.insertText(codeOf(key).replace(/(...)/, '$1 '));

  await expect(heading(page, 'Save your backup codes')).toBeFocused();
  const backupCodes = await page.getByRole('listitem').locator('code').allTextContents();
  expect(backupCodes).toHaveLength(10);
  await watched?.look('mfa-enroll-backup', { phone: true });
  return { key, backupCodes };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

test('a second factor is set up and required afterwards, and a backup code works once', async ({ page, context }) => {
  const dana = 'dana@example.org';
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await createPerson(product, dana);
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(async () => {
    await page.goto(`${product.url}/login?from=%2Fmfa%2Fenroll`);
    await fillSignIn(page, dana);
    const { key, backupCodes } = await enrol(page, watched);

    await page.getByRole('button', { name: 'Copy All Codes' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(backupCodes.join('\n'));
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(await readFile(await file.path(), 'utf8')).toBe(`${backupCodes.join('\n')}\n`);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
    await expect(page.getByText(backupCodes[9] ?? '')).toBeVisible();
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'Continue to Dashboard' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);

    await test.step('the app is asked for, with a reload in between', async () => {
      await signOut(page);
      await page.goto(`${product.url}/login?from=%2Fintegrations`);
      await fillSignIn(page, dana);
      await expect(page.getByLabel('6-digit code')).toBeFocused();
      expect(page.url()).toBe(`${product.url}/mfa/verify?from=%2Fintegrations`);
      await watched.look('mfa-verify', { phone: true });
      await page.reload();
      await page.getByLabel('6-digit code').fill('000000');
      await expect(page.getByRole('alert')).toBeVisible();
      // the code of the set-up was used
      await page.keyboard.insertText(codeOf(key, 1));
      await expect(page).toHaveURL(/\/integrations$/);
    });

    await test.step('a backup code, once', async () => {
      for (const [code, taken] of [
        [backupCodes[3], true],
        [backupCodes[3], false],
      ] as const) {
        if (taken) await signOut(page);
        await page.goto(`${product.url}/login`);
        await fillSignIn(page, dana);
        await page.getByRole('button', { name: 'Use a backup code' }).click();
        await page.getByLabel('Backup code').fill(code ?? '');
        await page.getByRole('button', { name: 'Verify' }).click();
        if (taken) {
          await expect(page).toHaveURL(/\/dashboard$/);
          await signOut(page);
        }
      }
      await expect(page.getByRole('alert')).toBeVisible();
      await watched.look('mfa-verify-backup-used', { phone: true });
      // Without a first factor there is nothing to see here.
      await page.goto(`${product.url}/login`);
      await page.goto(`${product.url}/mfa/verify`);
      await expect(page).toHaveURL(`${product.url}/login`);
    });
  });
  watched.expectQuietConsole();
});

test('backup codes are renewed, and the second factor is turned off under Security', async ({ page, context }) => {
  const erin = 'erin@example.org';
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await createPerson(product, erin);
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(async () => {
    await page.goto(`${product.url}/login?from=%2Fmfa%2Fenroll`);
    await fillSignIn(page, erin);
    const { backupCodes: first } = await enrol(page);
    await page.getByRole('button', { name: 'Continue to Dashboard' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.goto(`${product.url}/profile/security`);
    await expect(page.getByText('10 of 10')).toBeVisible();
    await watched.look('security-mfa-on', { phone: true });

    await test.step('new backup codes, shown once', async () => {
      await page.getByRole('button', { name: 'New backup codes' }).click();
      await watched.look('security-mfa-renew', { phone: true });
      await page.getByRole('button', { name: 'Create new codes' }).click();
      const dialog = page.getByRole('dialog', { name: 'Save your backup codes' });
      await expect(dialog.locator('code')).toHaveCount(10);
      const codes = await dialog.locator('code').allTextContents();
      expect(codes.filter((code) => first.includes(code))).toEqual([]);
      await watched.look('security-mfa-codes', { phone: true });
      await dialog.getByRole('button', { name: 'Copy All Codes' }).click();
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(codes.join('\n'));
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Download' }).click(),
      ]);
      expect(await readFile(await file.path(), 'utf8')).toBe(`${codes.join('\n')}\n`);
      await page.emulateMedia({ media: 'print' });
      await expect(page.getByText(codes[9] ?? '')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
      await expect(page.getByRole('navigation', { name: 'Sections' })).toBeHidden();
      await page.emulateMedia({ media: 'screen' });
      await dialog.getByRole('button', { name: 'Done' }).click();
      await expect(dialog).toBeHidden();
    });

    await test.step('off, after a question', async () => {
      await page.getByRole('button', { name: 'Turn off' }).click();
      const question = page.getByRole('dialog');
      await watched.look('security-mfa-turn-off', { phone: true });
      await question.getByRole('button', { name: 'Turn off' }).click();
      await expect(page.getByText('Multi-factor authentication is off').first()).toBeVisible();
      await expect(page.getByRole('link', { name: 'Set up' })).toBeVisible();
      await watched.look('security-mfa-off', { phone: true });
    });
    await signOut(page);
    await fillSignIn(page, erin);
    await expect(page).toHaveURL(/\/dashboard$/);
  });
  watched.expectQuietConsole();
});

test('an administrator signs in on the admin page, and only with a second factor', async ({ page, context }) => {
  const [alex, robin] = ['alex@example.org', 'robin@example.org'];
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await createPerson(product, robin);
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(async () => {
    await test.step('the first one is whom the start invites', async () => {
      const invitation = () => /\S+\/signup\?setup=\S+/.exec(product.output())?.[0] ?? '';
      await expect.poll(invitation).not.toBe('');
      await page.goto(invitation());
      await expect(page.getByText('This account will be the administrator of this server.')).toBeVisible();
      await watched.look('sign-up-set-up', { phone: true });
      const setup = new URL(invitation()).searchParams.get('setup') ?? '';
      await createPerson(product, alex, setup);
    });

    await test.step('strangers are asked at the right door, ordinary people are sent to theirs', async () => {
      await page.goto(`${product.url}/admin`);
      await expect(page).toHaveURL(/\/admin\/login\?from=%2Fadmin$/);
      await expect(page.getByText('Restricted access for administrators only')).toBeVisible();
      await watched.look('admin-sign-in', { phone: true });
      await fillSignIn(page, robin);
      await expect(page.getByRole('alert')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Go to regular sign-in' })).toBeVisible();
      await watched.look('admin-sign-in-refused', { phone: true });
    });

    await test.step('without a second factor the way in leads over setting one up', async () => {
      await fillSignIn(page, alex);
      await expect(page).toHaveURL(/\/mfa\/enroll\?from=%2Fadmin$/);
      const { key } = await enrol(page);
      await page.getByRole('button', { name: 'Continue to Dashboard' }).click();
      await expect(page).toHaveURL(/\/admin$/);
      // leave the app, which would otherwise navigate on its own
      await page.goto('about:blank');
      await page.context().clearCookies();
      await page.goto(`${product.url}/admin/login`);
      await fillSignIn(page, alex);
      await page.getByLabel('6-digit code').fill(codeOf(key, 1));
      await expect(page).toHaveURL(/\/admin$/);
    });

    await test.step('an ordinary session is no way into the administration', async () => {
      // leave the app, which would otherwise navigate on its own
      await page.goto('about:blank');
      await page.context().clearCookies();
      await page.goto(`${product.url}/login`);
      await fillSignIn(page, robin);
      await expect(page).toHaveURL(/\/dashboard$/);
      for (const address of ['/admin', '/admin/anything']) {
        await page.goto(`${product.url}${address}`);
        await expect(page).toHaveURL(/\/dashboard$/);
      }
    });
  });
  watched.expectQuietConsole();
});
