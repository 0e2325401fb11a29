import { randomBytes } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { loadConfig } from '#platform/config.ts';
import { inTransaction } from '#platform/db.ts';
import { createHttpServer } from '#platform/http.ts';
import { createLog } from '#platform/log.ts';
import { renderMail } from '#platform/mail-layout.ts';
import { type MailContent, quoteName } from '#platform/mail-message.ts';
import { openApp } from '#platform/open-app.ts';
import { addressWithKey } from '#platform/this-machine.ts';
import { freePort } from '../harness/free-port.ts';
import { cloneTemplate } from '../harness/test-cluster.ts';
import { clusterOfRun } from './cluster-of-run.ts';
import { watchPage } from './watched-page.ts';

/** The look of mails, and the outbox of a newcomer. */

const link = 'http://localhost:3000/verify-email?email=ada%40example.org&code=Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6';

const everything: MailContent = {
  subject: 'Confirm your address',
  heading: 'Confirm your address',
  blocks: [
    { text: `Hello ${quoteName('Ada \u202eLovelace')},\nthis address was given for an account at Holdfast.` },
    { button: { label: 'Confirm address', url: link } },
    { text: 'Or type this code:' },
    { code: '483 920' },
    {
      facts: [
        ['When', 'Friday, November 20, 2026 at 3:00 PM Central European Standard Time'],
        ['Device', 'Firefox on Linux'],
        ['Address', '2001:db8:85a3:8d3:1319:8a2e:370:7348'],
      ],
    },
    {
      small:
        'The link works for 24 hours. If it was not you, nothing needs to be done: without the link nothing happens.',
    },
  ],
};

test('a mail is readable in light and dark mode, on desktop and phone', async ({ page }) => {
  const watched = watchPage(page);
  for (const locale of ['en', 'ar']) {
    await page.setContent(
      renderMail({ locale, content: everything }, { name: 'Holdfast', accent: '#5e53dd', isOwn: true, logo: null })
        .html,
    );
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your address');
    await expect(page.getByRole('link', { name: 'Confirm address' })).toHaveAttribute('href', link);
    await watched.look(`mail-${locale}`, { phone: true });
  }
  watched.expectQuietConsole();
});

test('a user without a mail server reads mail at /dev/mail and follows its link', async ({ page }) => {
  const log = await createLog({ level: 'silent', format: 'json' });
  const database = await cloneTemplate(clusterOfRun());
  const { app, close } = await openApp({
    config: loadConfig({ NODE_ENV: 'test', HOST: '127.0.0.1', PORT: String(await freePort()) }),
    databaseUrl: database.url,
    encryptionKeys: `k1:${randomBytes(32).toString('base64')}`,
    log,
    features: [],
  });
  const server = await createHttpServer(app, []);
  const url = await server.listen();
  try {
    const watched = watchPage(page);
    await page.goto(addressWithKey(app, '/dev/mail').replace(app.config.publicUrl, url));
    await expect(page.getByText('No emails yet')).toBeVisible();
    await watched.look('dev-mail-empty', { phone: true });

    const target = `${url}/healthz?email=ada%40example.org&code=Zm9vYmFyYmF6cXV4`;
    const blocks = everything.blocks.map((block) =>
      'button' in block ? { button: { ...block.button, url: target } } : block,
    );
    for (const n of [1, 2, 3]) {
      const content = { ...everything, blocks, subject: `${everything.subject} ${n}` };
      await inTransaction(app.db, (tx) =>
        app.mail.send(tx, {
          key: `test:${n}`,
          kind: 'access.verify-email',
          to: 'ada@example.org',
          userId: null,
          locale: 'en',
          content,
        }),
      );
    }
    await page.reload();
    await expect(page.getByRole('listitem')).toHaveCount(3);
    await expect(page.getByRole('listitem').first()).toContainText('Confirm your address 3');
    await watched.look('dev-mail-list', { phone: true });
    watched.expectQuietConsole();

    await page.getByRole('link', { name: 'Confirm your address 2' }).click();
    const frame = page.frameLocator('iframe');
    await expect(frame.getByRole('heading', { name: 'Confirm your address' })).toBeVisible();
    await frame.getByRole('link', { name: 'Confirm address' }).click();
    await page.waitForURL(target);
    await page.goBack();
    // axe asks every frame, and waits a minute for one that may run no script; the mail itself was looked at above
    await page.evaluate("document.querySelector('iframe').remove()");
    await watched.look('dev-mail-one', { phone: true });
  } finally {
    await server.close();
    await close();
    await database.close();
  }
});
