import { expect, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { signOut, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/**
 * Notices on a device while no window is open. No push service of a browser can be reached from here: what it would have
 * delivered is handed to the service worker by the browser's own tools; what the server sends is in inbox/push.test.ts. The
 * console is not quiet: Chromium complains there that windows of tests are private ones.
 */

test.use({ serviceWorkers: 'allow' });

let product: Product;

test.beforeAll(async () => {
  product = await startProduct({ allow: [] });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
});

interface Shown {
  title: string;
  body: string;
  tag: string;
}

test('a device shows only the push notifications that its user allowed, and opens their screens', async ({
  page,
  context,
}) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signUp(page, product, 'pat@example.org'));
  await expect
    .poll(() => page.evaluate('navigator.serviceWorker.controller?.state'), { timeout: 40_000 })
    .toBe('activated');
  const panel = page.locator('section', {
    has: page.getByRole('heading', { name: 'Notifications on your devices', exact: true }),
  });

  await test.step('nothing is asked until its person presses the button', async () => {
    await page.goto(`${product.url}/profile`);
    await expect(panel.getByRole('heading', { name: 'Notifications are off on this device' })).toBeVisible();
    await panel.scrollIntoViewIfNeeded();
    await watched.look('devices-off', { phone: true });
  });

  await test.step('where no push service can be reached it says so, and nothing is on', async () => {
    await context.grantPermissions(['notifications'], { origin: product.url });
    await panel.getByRole('button', { name: 'Turn on' }).click();
    await expect(panel.getByRole('alert')).toContainText("couldn't reach its push service");
    const devices = await page.request.get(`${product.url}/api/account/devices`);
    expect(await devices.json()).toMatchObject({ devices: [] });
  });

  await test.step('what a push service delivers is shown once for each subject', async () => {
    const cdp = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [found] = registrations;
        if (found !== undefined) resolve(found.registrationId);
      });
    });
    await cdp.send('ServiceWorker.enable');
    const registrationId = await registered;
    const deliver = (title: string, tag: string) =>
      cdp.send('ServiceWorker.deliverPushMessage', {
        origin: product.url,
        registrationId,
        data: JSON.stringify({ title, body: 'Tue, Mar 3, 10:00 AM', to: '/meetings', tag }),
      });
    const shown = () =>
      page.evaluate<Shown[]>(`navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
        .then((all) => all.map(({ title, body, tag }) => ({ title, body, tag })))`);
    // a browser that is not ready for it drops what is delivered; the same again shows nothing more
    await expect(async () => {
      await deliver('Grace booked Intro', 'one');
      const one = { title: 'Grace booked Intro', body: 'Tue, Mar 3, 10:00 AM', tag: 'one' };
      await expect.poll(shown, { timeout: 2_000 }).toEqual([one]);
    }).toPass();
    await deliver('Grace moved Intro', 'one');
    await expect.poll(async () => (await shown()).map(({ title }) => title)).toEqual(['Grace moved Intro']);
    await deliver('Ada booked Intro', 'two');
    await expect.poll(async () => (await shown()).length).toBe(2);
  });

  await test.step('one that is pressed opens its screen in the window that is there, and no other site', async () => {
    const [worker] = context.serviceWorkers();
    if (worker === undefined) throw new Error('no service worker');
    const press = (to: string) =>
      worker.evaluate(`self.registration.showNotification('Pressed', { data: { to: ${JSON.stringify(to)} } })
        .then(() => self.registration.getNotifications())
        .then((all) => {
          const notification = all.find(({ title }) => title === 'Pressed');
          self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
        })`);
    await press('https://elsewhere.example/');
    await press('/meetings');
    await expect(page).toHaveURL(`${product.url}/meetings`);
    expect(context.pages()).toHaveLength(1);
  });

  await test.step('who blocked it is told what to do', async () => {
    await page.addInitScript(`Object.defineProperty(Notification, 'permission', { get: () => 'denied' })`);
    await page.goto(`${product.url}/profile`);
    await expect(panel.getByText('Notifications are blocked in this browser')).toBeVisible();
    await panel.scrollIntoViewIfNeeded();
    await watched.look('devices-blocked', { phone: true });
  });

  await test.step('who signs out leaves no notice on the screen', async () => {
    await signOut(page);
    await expect
      .poll(() =>
        page.evaluate<number>(
          `navigator.serviceWorker.ready.then((worker) => worker.getNotifications()).then((all) => all.length)`,
        ),
      )
      .toBe(0);
  });
});
