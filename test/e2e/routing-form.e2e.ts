import { expect, type Page, test } from '@playwright/test';
import { startDefinition } from '#features/routing/rules/form-definition.ts';
import { sampleQuestion } from '../harness/sample-question.ts';
import type { Ask } from './ask-as.ts';
import { openTeam } from './open-team.ts';
import { type Product, startProduct } from './product.ts';
import { watchPage } from './watched-page.ts';

/** Strangers answer a team's form, with script and without, and come to book with whom its rules say. */

let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ allow: [] });
});
test.afterAll(() => product?.stop());

/** A form with every kind of question; large companies meet Ben. */
async function openForm(page: Page): Promise<{ anna: Ask; id: string }> {
  const { teamId, asks } = await openTeam(page, product, ['anna@example.org', 'ben@example.org']);
  const [anna] = asks as [Ask];
  const { event_type: type } = await anna<{ event_type: { id: string; hosts: { user_id: string }[] } }>(
    'POST',
    '/api/event-types',
    { title: 'Demo', kind: 'round-robin', team_id: teamId, settings: { notice_minutes: 0 } },
  );
  const started = startDefinition('conditional', 'Talk to us', { kind: 'message', text: 'We will write to you.' });
  const definition = {
    ...started,
    intro: 'A few questions, so that you meet who can help.',
    questions: [
      ...started.questions,
      { id: 'phone', label: 'Phone', kind: 'phone', required: false, hint: 'We only call where you ask for it.' },
      sampleQuestion,
      {
        id: 'topics',
        label: 'What is it about?',
        kind: 'multi-select',
        required: true,
        options: [
          { id: 'price', label: 'Prices' },
          { id: 'move', label: 'Moving to Holdfast' },
        ],
      },
      { id: 'known', label: 'Have you met us before?', kind: 'yes-no', required: true },
      { id: 'more', label: 'Anything else?', kind: 'long', required: false },
    ],
    rules: [
      {
        id: 'many',
        match: 'all',
        conditions: [{ question: 'size', op: 'is', values: ['many'] }],
        action: {
          kind: 'event-type',
          event_type_id: type.id,
          user_ids: [type.hosts.at(-1)?.user_id],
          contact_owner_first: false,
        },
      },
    ],
  };
  const body = { team_id: teamId, name: 'Talk to us', slug: 'talk', definition };
  const { form } = await anna<{ form: { id: string } }>('POST', '/api/routing/forms', body);
  return { anna, id: form.id };
}

async function fillForm(page: Page, size: 'Up to ten' | 'More'): Promise<void> {
  await page.getByLabel('Your name').fill('Kei Tanaka');
  await page.getByLabel('Email').fill('kei@example.jp');
  await page.getByLabel('How many are you?').selectOption({ label: size });
  await page.getByRole('group', { name: 'Have you met us before?' }).getByLabel('No').check();
}

test('a routing form reports missing answers and leads to a booking or a message', async ({ page, browser }) => {
  test.setTimeout(90_000);
  const { anna, id } = await openForm(page);
  const watched = watchPage(page);
  await page.goto(`${product.url}/sales-crew/forms/talk?size=many&phone=%2B4915112345678`);
  await expect(page.getByLabel('Phone')).toHaveValue('+4915112345678');
  await watched.look('form', { phone: true });
  await fillForm(page, 'Up to ten');
  await watched.expectFailedRequests(async () => {
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('This field is required.')).toBeVisible();
  });
  await expect(page.getByLabel('Your name')).toHaveValue('Kei Tanaka');
  await watched.look('form-wrong', { phone: true });
  await page.getByRole('group', { name: 'What is it about?' }).getByLabel('Prices').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('We will write to you.')).toBeVisible();
  await watched.look('form-thanks', { phone: true });
  watched.expectQuietConsole();

  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(`${product.url}/sales-crew/forms/talk`);
  await fillForm(plain, 'More');
  await plain.getByRole('group', { name: 'What is it about?' }).getByLabel('Prices').check();
  await plain.getByRole('button', { name: 'Continue' }).click();
  await expect(plain.getByRole('heading', { name: 'Demo' })).toBeVisible();
  await plain.getByRole('link', { name: 'Next month' }).click();
  await plain.locator('.slot').first().click();
  await expect(plain.getByLabel('Your name')).toHaveValue('Kei Tanaka');
  await plain.getByLabel('Your phone number').fill('+49 151 12345678');
  await plain.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(plain.getByRole('heading', { name: 'You’re booked!' })).toBeVisible();
  await context.close();

  const { submissions } = await anna<{ submissions: { rule_id: string; booking: { hosts: object[] } | null }[] }>(
    'GET',
    `/api/routing/forms/${id}/submissions`,
  );
  expect(submissions).toMatchObject([
    { rule_id: 'many', booking: { hosts: [{ name: 'Ben' }] } },
    { rule_id: null, booking: null },
  ]);
});
