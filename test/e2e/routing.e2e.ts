import { expect, type Page, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { pressByKeys } from './by-keys.ts';
import { type Ask, openTeam } from './open-team.ts';
import { fillSignIn } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** A team leads whoever comes to who is right for them: made on the screens, answered by strangers, told by the submissions. */

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

const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

test('made, refused, tried, published, answered, booked, re-routed, switched off', async ({ page }) => {
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
  await expect(page).toHaveURL(/\/calendar$/);
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Routing' }).click();

  await test.step('nothing is there yet, and one button leads on', async () => {
    await expect(page.getByText('Automatically assign meetings to the right team members')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'No routing rules yet' })).toBeVisible();
    await watched.look('routing-empty', { phone: true });
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
      .getByLabel('Kind of answer')
      .selectOption('One of several options');
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
    await first.getByLabel('Name of the rule').fill('Sales');
    const sales = page.getByRole('group', { name: 'Sales', exact: true });
    await sales.getByRole('checkbox', { name: 'Other' }).uncheck();
    await expect(sales.getByText('Choose one at least.')).toBeVisible();
    await sales.getByRole('checkbox', { name: 'Sales' }).check();
    await expect(sales.getByText('Choose one at least.')).toBeHidden();
    await sales.getByLabel('Lead to').selectOption('Event type');
    await sales.getByLabel('Event type', { exact: true }).selectOption('Demo');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('group', { name: 'Rule 2' }).getByLabel('Name of the rule').fill('More sales');
    const more = page.getByRole('group', { name: 'More sales' });
    await more.getByRole('checkbox', { name: 'Sales' }).check();
    await more.getByRole('checkbox', { name: 'Other' }).uncheck();
    await watched.expectFailedRequests(async () => {
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(
        more.getByText('The rules before this one already take all that it would.', { exact: false }),
      ).toBeVisible();
    });
    const topic = page.getByRole('group', { name: 'Topic', exact: true });
    await expect(topic.getByText('No rule speaks of “Help”.', { exact: false })).toBeVisible();
    await more.scrollIntoViewIfNeeded();
    await watched.look('routing-refused', { phone: true });
  });

  await test.step('mended, it is saved', async () => {
    const topic = page.getByRole('group', { name: 'Topic', exact: true });
    await topic.getByRole('checkbox', { name: 'Other goes to the fallback where no rule names it' }).check();
    const more = page.getByRole('group', { name: 'More sales' });
    await more.getByRole('checkbox', { name: 'Help' }).check();
    await more.getByRole('checkbox', { name: 'Sales' }).uncheck();
    await more.getByLabel('Message').fill('Write to help@example.org.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('The rule is saved')).toBeVisible();
  });

  await test.step('it is tried before anybody comes', async () => {
    await page.getByRole('textbox', { name: 'Your name' }).fill('Zoe');
    await page.getByRole('textbox', { name: 'Email' }).fill('zoe@guest.example');
    await page.getByRole('combobox', { name: 'Topic' }).selectOption('Sales');
    await page.getByRole('button', { name: 'Show the decision' }).click();
    const decision = page.getByRole('region', { name: 'Decision' });
    await expect(decision.getByText('“Sales” decides')).toBeVisible();
    await expect(decision.getByText('Topic is Sales')).toBeVisible();
    await expect(decision.getByText('Anna', { exact: true })).toBeVisible();
    await decision.scrollIntoViewIfNeeded();
    await watched.look('routing-try', { phone: true });
    await page.getByRole('combobox', { name: 'Topic' }).selectOption('Other');
    await page.getByRole('button', { name: 'Show the decision' }).click();
    await expect(decision.getByText('No rule fits: the fallback')).toBeVisible();
  });

  await test.step('switched on, it stands at its link, with code for one’s own page', async () => {
    await page.getByRole('link', { name: 'Share' }).click();
    await expect(page.getByText('This rule is off', { exact: false })).toBeVisible();
    await page.getByRole('switch', { name: 'Talk to us is active' }).last().press('Space');
    await expect(page.getByText('This rule is off', { exact: false })).toBeHidden();
    await expect(page.getByText('/sales-crew/forms/talk-to-us', { exact: false }).first()).toBeVisible();
    await expect(page.getByText('topic=', { exact: false })).toBeVisible();
    await watched.look('routing-share', { phone: true });
  });

  await test.step('the list: switched off by keys, deleted, brought back', async () => {
    await page.getByRole('link', { name: 'Routing', exact: true }).last().click();
    const row = rowOf(page, 'Talk to us');
    await expect(row.getByText('Conditional Routing')).toBeVisible();
    await expect(row.getByText('Active', { exact: true })).toBeVisible();
    await watched.look('routing-list', { phone: true });
    await row.getByRole('switch', { name: 'Talk to us is active' }).press('Space');
    await expect(row.getByText('Inactive')).toBeVisible();
    await row.getByRole('button', { name: 'Delete Talk to us' }).click();
    await expect(row).toBeHidden();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(row.getByText('Inactive')).toBeVisible();
    await page.reload();
    await expect(row.getByText('Inactive')).toBeVisible();
  });
  watched.expectQuietConsole();
});
