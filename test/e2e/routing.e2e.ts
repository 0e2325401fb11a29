import { type Browser, type BrowserContextOptions, expect, type Page, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import type { Ask } from './ask-as.ts';
import { pressByKeys } from './by-keys.ts';
import { openTeam } from './open-team.ts';
import { fillSignIn } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, phone, watchPage } from './watched-page.ts';

/**
 * A team's form leads visitors to the right host: made on the screens, answered by strangers, shown in the submissions.
 */

test.use({ actionTimeout: 10_000 });

let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ allow: [] });
});
test.afterAll(async () => {
  await product?.stop();
  killAll();
});

const people = ['anna@example.org', 'ben@example.org'] as const;

/** Opens a visitor's browser, with only the address. */
async function openVisitor(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: phone,
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    ...options,
  });
  return context.newPage();
}

const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

/** The list shows a change before the server has it: a reload is safe once the server has answered. */
async function saved(page: Page, act: () => Promise<void>): Promise<void> {
  const answer = page.waitForResponse(
    (response) => response.url().includes('/api/routing/forms') && response.request().method() !== 'GET',
  );
  await act();
  expect((await answer).ok()).toBe(true);
}

test('a routing form is created, validated, tested, published, answered, booked, rerouted, and switched off', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  const { teamId, asks } = await openTeam(page, product, people);
  const [anna] = asks as [Ask];
  for (const [title, kind] of [
    ['Demo', 'round-robin'],
    ['Kick-off', 'collective'],
  ])
    await anna('POST', '/api/event-types', { title, kind, team_id: teamId });
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await page.goto(`${product.url}/login`);
  await fillSignIn(page, people[0]);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Routing' }).click();

  await test.step('nothing is there yet, and one button leads on', async () => {
    await expect(page.getByText('Automatically assign meetings to the right team members')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'No routing rules yet' })).toBeVisible();
    await watched.look('routing-empty');
  });

  await test.step('Create Routing Rule asks for the type, then for the rest', async () => {
    await page.getByRole('button', { name: '+ New Routing Rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create Routing Rule' });
    await expect(dialog.getByRole('button', { name: 'Create Rule' })).toBeHidden();
    await dialog.getByText('Round Robin', { exact: true }).click();
    await expect(dialog.getByLabel('Event type')).toHaveValue(/./);
    await watched.look('routing-create', { phone: true });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: '+ New Routing Rule' }).click();
    await expect(dialog.getByLabel('Rule Name')).toBeHidden();
    await dialog.getByText('Conditional Routing', { exact: true }).click();
    await dialog.getByLabel('Rule Name').fill('Talk to us');
    await dialog.getByLabel('Description').fill('Leads whoever comes to the right people');
    await dialog.getByRole('button', { name: 'Create Rule' }).click();
    await expect(page.getByRole('heading', { name: 'Talk to us', level: 1 })).toBeVisible();
  });

  await test.step('a question with options, by keys alone', async () => {
    await pressByKeys(page.getByRole('button', { name: 'Add question' }));
    await page.keyboard.type('Topic');
    await page
      .getByRole('group', { name: 'Topic', exact: true })
      .getByLabel('Answer type')
      .selectOption('Single choice');
    const topic = page.getByRole('group', { name: 'Topic', exact: true });
    for (const [n, label] of ['Sales', 'Help', 'Other'].entries()) {
      if (n > 0) await topic.getByRole('button', { name: 'Add option' }).click();
      await topic.getByRole('textbox', { name: `Option ${n + 1}` }).fill(label);
    }
    await pressByKeys(topic.getByRole('button', { name: 'Move up: Other' }));
    await expect(topic.getByRole('textbox', { name: 'Option 2' })).toHaveValue('Other');
    await expect(topic.getByRole('button', { name: 'Move up: Other' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(topic.getByRole('textbox', { name: 'Option 1' })).toHaveValue('Other');
  });

  await test.step('a rule that is never reached and an option that nobody named are refused where they stand', async () => {
    await page.getByRole('button', { name: 'Add rule' }).click();
    const first = page.getByRole('group', { name: 'Rule 1' });
    await first.getByLabel('Rule name').fill('Sales');
    const sales = page.getByRole('group', { name: 'Sales', exact: true });
    await sales.getByRole('checkbox', { name: 'Other' }).uncheck();
    await expect(sales.getByText('Choose at least one.')).toBeVisible();
    await sales.getByRole('checkbox', { name: 'Sales' }).check();
    await expect(sales.getByText('Choose at least one.')).toBeHidden();
    await sales.getByLabel('Send to').selectOption('Event type');
    await sales.getByLabel('Event type', { exact: true }).selectOption('Demo');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('group', { name: 'Rule 2' }).getByLabel('Rule name').fill('More sales');
    const more = page.getByRole('group', { name: 'More sales' });
    await more.getByRole('checkbox', { name: 'Sales' }).check();
    await more.getByRole('checkbox', { name: 'Other' }).uncheck();
    await watched.expectFailedRequests(async () => {
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(
        more.getByText('Earlier rules already match everything this one would.', { exact: false }),
      ).toBeVisible();
    });
    const topic = page.getByRole('group', { name: 'Topic', exact: true });
    await expect(topic.getByText("“Help” isn't covered.", { exact: false })).toBeVisible();
    await more.scrollIntoViewIfNeeded();
    await watched.look('routing-refused', { phone: true });
  });

  await test.step('mended, it is saved', async () => {
    const topic = page.getByRole('group', { name: 'Topic', exact: true });
    await topic.getByRole('checkbox', { name: "“Other” isn't covered by a rule and goes to the fallback" }).check();
    const more = page.getByRole('group', { name: 'More sales' });
    await more.getByRole('checkbox', { name: 'Help' }).check();
    await more.getByRole('checkbox', { name: 'Sales' }).uncheck();
    await more.getByLabel('Message').fill('Write to help@example.org.');
    await more.getByRole('button', { name: 'Add condition' }).click();
    await more.getByLabel('Condition 2: question').selectOption('Time zone');
    await expect(more.getByText('Choose at least one.')).toBeVisible();
    await more.getByLabel('Condition 2: values: Add...').selectOption('Europe');
    await expect(more.getByRole('checkbox', { name: 'Europe', exact: true })).toBeChecked();
    await more.scrollIntoViewIfNeeded();
    await watched.look('routing-known', { phone: true });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Rule saved')).toBeVisible();
  });

  await test.step('it is tried before anybody comes', async () => {
    await page.getByRole('textbox', { name: 'Your name' }).fill('Zoe');
    await page.getByRole('textbox', { name: 'Email' }).fill('zoe@guest.example');
    await page.getByRole('combobox', { name: 'Topic' }).selectOption('Sales');
    await page.getByRole('button', { name: 'Run test' }).click();
    const decision = page.getByRole('region', { name: 'Decision' });
    await expect(decision.getByText('“Sales” matches')).toBeVisible();
    await expect(decision.getByText('Topic is Sales')).toBeVisible();
    await expect(decision.getByText('Anna', { exact: true })).toBeVisible();
    await decision.scrollIntoViewIfNeeded();
    await watched.look('routing-try');
    await page.getByRole('combobox', { name: 'Topic' }).selectOption('Other');
    await page.getByRole('button', { name: 'Run test' }).click();
    await expect(decision.getByText('No rule matches. The fallback applies.')).toBeVisible();
    await page.getByRole('combobox', { name: 'Topic' }).selectOption('Help');
    await page.getByLabel('Time zone', { exact: true }).selectOption('Europe/Vienna');
    await page.getByRole('button', { name: 'Run test' }).click();
    await expect(decision.getByText('“More sales” matches')).toBeVisible();
    await expect(decision.getByText('Time zone is Europe')).toBeVisible();
  });

  await test.step('switched on, it stands at its link, with code for one’s own page', async () => {
    await page.getByRole('link', { name: 'Share' }).click();
    await expect(page.getByText('This rule is inactive', { exact: false })).toBeVisible();
    await page.getByRole('switch', { name: 'Talk to us is active' }).last().press('Space');
    await expect(page.getByText('This rule is inactive', { exact: false })).toBeHidden();
    await expect(page.getByText('/sales-crew/forms/talk-to-us', { exact: false }).first()).toBeVisible();
    await expect(page.getByText('topic=', { exact: false })).toBeVisible();
    await watched.look('routing-share', { phone: true });
  });

  await test.step('a stranger without scripts answers, and books with whoever is next', async () => {
    const stranger = await openVisitor(browser, { javaScriptEnabled: false });
    await stranger.goto(`${product.url}/sales-crew/forms/talk-to-us?topic=sales`);
    await expect(stranger.getByLabel('Topic')).toHaveValue('sales');
    await stranger.getByLabel('Your name').fill('Zoe');
    await stranger.getByLabel('Email').fill('zoe@guest.example');
    await stranger.getByRole('button', { name: 'Continue' }).click();
    await expect(stranger).toHaveURL(/\/l\//);
    await stranger.getByRole('navigation', { name: 'Choose a day' }).getByRole('link').nth(2).click();
    await stranger.locator('.slot').first().click();
    await expect(stranger.getByLabel('Your name')).toHaveValue('Zoe');
    await stranger.getByLabel('Your phone number').fill('+49 170 1234567');
    await stranger.getByRole('button', { name: 'Confirm booking' }).click();
    await expect(stranger).toHaveURL(/\/booked\//);
    await stranger.context().close();
  });

  await test.step('another, with them, is told where to write; what is wrong comes back with what was typed', async () => {
    const stranger = await openVisitor(browser);
    const seen = watchPage(stranger);
    await stranger.goto(`${product.url}/sales-crew/forms/talk-to-us`);
    await stranger.getByLabel('Your name').fill('Yan');
    await stranger.getByLabel('Email').fill('yan@guest');
    await stranger.getByLabel('Topic').selectOption('Help');
    await seen.expectFailedRequests(async () => {
      await stranger.getByRole('button', { name: 'Continue' }).click();
      await expect(stranger.getByText('Please check one answer', { exact: false })).toBeVisible();
    });
    await expect(stranger.getByLabel('Your name')).toHaveValue('Yan');
    await stranger.setViewportSize(desktop);
    await seen.look('routing-page', { phone: true });
    await stranger.getByLabel('Email').fill('yan@guest.example');
    await stranger.getByRole('button', { name: 'Continue' }).click();
    await expect(stranger.getByText('Write to help@example.org.')).toBeVisible();
    seen.expectQuietConsole();
    await stranger.context().close();
  });

  await test.step('what was decided stands with its reasons', async () => {
    await page.getByRole('link', { name: 'Submissions' }).click();
    const zoe = rowOf(page, 'zoe@guest.example');
    await page.getByRole('button', { name: 'Details Zoe' }).click();
    await expect(zoe.getByText('Booked', { exact: true })).toBeVisible();
    await expect(zoe.getByText('By “Sales”')).toBeVisible();
    await expect(zoe.getByText('Topic is Sales')).toBeVisible();
    await expect(zoe.getByRole('link', { name: 'Open booking' })).toBeVisible();
    await page.getByRole('button', { name: 'Details Yan' }).click();
    // as the script of the page sent it
    await expect(rowOf(page, 'yan@guest.example').getByText('Europe/Berlin', { exact: true })).toBeVisible();
    await watched.look('routing-submissions', { phone: true });
    await page.getByRole('radiogroup').getByText('Not booked yet').click();
    await expect(page.getByRole('heading', { name: 'No submissions yet' })).toBeVisible();
    await page.getByRole('radiogroup').getByText('All', { exact: true }).click();
  });

  await test.step('somebody is led elsewhere than the rules said, with a link; a booking is given on', async () => {
    await page.getByRole('button', { name: 'Re-route Yan' }).click();
    const dialog = page.getByRole('dialog', { name: 'Re-route Yan' });
    await dialog.getByLabel('Send to').selectOption('Event type');
    await dialog.getByLabel('Event type', { exact: true }).selectOption('Kick-off');
    await watched.look('routing-reroute', { phone: true });
    await dialog.getByRole('button', { name: 'Re-route' }).click();
    await expect(page.getByText('Yan is now sent to Kick-off')).toBeVisible();
    await page.getByRole('button', { name: 'Details Yan' }).click();
    const yan = rowOf(page, 'yan@guest.example');
    await expect(yan.getByText('Anna changed it from Write to help@example.org. to Kick-off')).toBeVisible();
    await expect(yan.getByRole('button', { name: 'Copy' })).toBeVisible();
    await page.getByRole('button', { name: 'Details Zoe' }).click();
    await page.getByRole('button', { name: 'Re-route Zoe' }).click();
    const giving = page.getByRole('dialog', { name: 'Re-route Zoe' });
    await giving.getByRole('radio', { name: 'Ben' }).check();
    await giving.getByRole('button', { name: 'Re-route' }).click();
    await expect(rowOf(page, 'zoe@guest.example').getByText('Anna reassigned it from Anna to Ben')).toBeVisible();
  });

  await test.step('the report says who got how much, and adds up', async () => {
    await page.getByRole('link', { name: 'Routing', exact: true }).last().click();
    await page.getByRole('link', { name: 'Fairness' }).click();
    const sum = page.getByRole('row', { name: /^Total/ });
    await expect(sum).toContainText('1');
    await expect(sum).toContainText('100.0 %');
    await expect(page.getByRole('row', { name: /^Anna/ })).toContainText('0.5');
    await watched.look('routing-fairness', { phone: true });
  });

  await test.step('the list: switched off by keys, deleted, brought back; its page says so', async () => {
    await page.getByRole('link', { name: 'Routing', exact: true }).last().click();
    const row = rowOf(page, 'Talk to us');
    await expect(row.getByText('Conditional Routing')).toBeVisible();
    await expect(row.getByText('Active', { exact: true })).toBeVisible();
    await expect(row.getByText('2 submissions in 30 days')).toBeVisible();
    await watched.look('routing-list', { phone: true });
    await saved(page, () => row.getByRole('button', { name: 'Delete Talk to us' }).click());
    await expect(row).toBeHidden();
    await saved(page, () => page.getByRole('button', { name: 'Undo' }).click());
    await saved(page, () => row.getByRole('switch', { name: 'Talk to us is active' }).press('Space'));
    await expect(row.getByText('Inactive')).toBeVisible();
    await page.reload();
    await expect(row.getByText('Inactive')).toBeVisible();
    const stranger = await openVisitor(browser);
    await stranger.goto(`${product.url}/sales-crew/forms/talk-to-us`);
    await expect(stranger.getByText('This form is closed')).toBeVisible();
    await stranger.context().close();
  });
  watched.expectQuietConsole();
});
