import { expect, test } from '@playwright/test';
import { languages } from '#kernel/languages.ts';
import { renderMail } from '#platform/mail-layout.ts';
import { sampleMails } from '../harness/sample-mails.ts';
import { tooWide } from './crawled-page.ts';
import { addAxe, contrast, runAxe } from './watched-page.ts';

/** Every kind of mail in a browser, as narrow as a phone. */

const look = { name: 'Holdfast', accent: '#5e53dd', isOwn: true, logo: null };
/** WCAG 2.2, 2.5.8; a line of links is exempt, and has it all the same. */
const smallest = 24;
/** In words, because this side of the tests knows no DOM: links that are hard to hit, but for those in a line of a fact. */
const tooLow = `[...document.querySelectorAll('a')]
  .filter((one) => one.closest('td table') === null && one.getBoundingClientRect().height < ${smallest})
  .map((one) => one.textContent)`;

for (const language of languages) {
  test(`mails in ${language} fit on a phone, and each button and link can be hit`, async ({ page }) => {
    for (const width of [320, 600]) {
      await page.setViewportSize({ width, height: 800 });
      for (const { name, mail } of sampleMails(language)) {
        await page.setContent(renderMail(mail, look).html);
        expect(await page.evaluate<string[]>(tooWide), `${name} at ${width} px`).toEqual([]);
        expect(await page.evaluate<string[]>(tooLow), name).toEqual([]);
      }
    }
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`mails can be read in ${colorScheme} colors`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    for (const { name, mail } of sampleMails('en')) {
      await page.setContent(renderMail(mail, look).html);
      await addAxe(page);
      expect(await runAxe(page, contrast), name).toEqual([]);
    }
  });
}
