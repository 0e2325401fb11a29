import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { languages } from '#kernel/languages.ts';
import { renderMail } from '#platform/mail-layout.ts';
import { lookOfMail } from '#platform/mail-look.ts';
import { findChromium } from '../test/harness/chromium.ts';
import { sampleMails } from '../test/harness/sample-mails.ts';

/**
 * `node scripts/draw-mails.ts <folder> [language …]`: every kind of mail as HTML and text, and sheets of pictures of them
 * in light and dark, 600 and 375 pixels wide.
 */

const from = { name: 'Holdfast', address: 'no-reply@northwind-traders.example' };
const brand = { name: 'Holdfast', accent: '#5e53dd', steps: null, logo: null, darkLogo: null, logoBytes: null };
const sheetHigh = 1_500;
const sheetWide = 1_540;

interface Drawn {
  name: string;
  html: string;
}

function render(folder: string, language: string): Drawn[] {
  mkdirSync(join(folder, language), { recursive: true });
  return sampleMails(language).map(({ name, mail }, n) => {
    const chosen = { name: null, color: null, logo: null, darkLogo: null };
    const { look } = lookOfMail({ ...brand, chosen }, from, mail.color === undefined ? {} : { color: mail.color });
    const { subject, text, html } = renderMail(mail, look);
    const file = join(folder, language, `${String(n).padStart(3, '0')}-${name.replaceAll(' ', '-')}`);
    writeFileSync(`${file}.html`, html);
    writeFileSync(`${file}.txt`, `Subject: ${subject}\n\n${text}`);
    if (mail.calendar !== undefined) writeFileSync(`${file}.ics`, mail.calendar.ics);
    return { name, html };
  });
}

async function drawSheets(browser: Browser, mails: readonly Drawn[], name: string, wide: number): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme: scheme, viewport: { width: wide, height: 600 } });
    const shots: { name: string; picture: string; high: number }[] = [];
    for (const mail of mails) {
      await page.setContent(mail.html);
      const high = await page.evaluate<number>('document.documentElement.scrollHeight');
      const picture = (await page.screenshot({ fullPage: true })).toString('base64');
      shots.push({ name: mail.name, picture, high: Math.max(high, 600) });
    }
    await page.close();
    await layOut(browser, shots, `${name}-${wide}-${scheme}`, wide);
  }
}

/** Pictures side by side, on as many sheets as that takes. */
async function layOut(
  browser: Browser,
  shots: readonly { name: string; picture: string; high: number }[],
  name: string,
  wide: number,
): Promise<void> {
  const abreast = Math.floor(sheetWide / wide);
  const sheets: string[][][] = [];
  let heights: number[] = [];
  for (const { name: title, picture, high } of shots) {
    let column = heights.indexOf(Math.min(...heights));
    const taken = heights[column] ?? 0;
    if (heights.length === 0 || (taken > 0 && taken + high > sheetHigh)) {
      sheets.push(Array.from({ length: abreast }, () => []));
      heights = Array.from({ length: abreast }, () => 0);
      column = 0;
    }
    heights[column] = (heights[column] ?? 0) + high + 24;
    sheets.at(-1)?.[column]?.push(`<p>${title}</p><img src="data:image/png;base64,${picture}" width="${wide}">`);
  }
  const page = await browser.newPage({ viewport: { width: abreast * (wide + 8), height: 600 } });
  for (const [n, columns] of sheets.entries()) {
    await page.setContent(
      `<style>body{margin:0;display:flex;gap:8px;background:#999;font:600 13px sans-serif}p{margin:2px}img{display:block}</style>${columns.map((one) => `<div>${one.join('')}</div>`).join('')}`,
    );
    await page.screenshot({ path: `${name}-${String(n + 1).padStart(2, '0')}.png`, fullPage: true });
  }
  await page.close();
}

const [folder, ...chosen] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node scripts/draw-mails.ts <folder> [language …]');
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
try {
  for (const language of languages.filter((one) => chosen.length === 0 || chosen.includes(one)))
    for (const wide of [600, 375]) await drawSheets(browser, render(folder, language), join(folder, language), wide);
} finally {
  await browser.close();
}
