import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { chromiumInstallLine, findChromium } from '../test/harness/chromium.ts';
import { freePort } from '../test/harness/free-port.ts';

/**
 * `npm run quickstart`: the README's "Start" as a newcomer follows it. The commands run in an empty directory. Then the
 * steps run in a browser, until one calendar's event is a block in the other. Prints how long each took. Not part of
 * `npm test`, because it installs all packages again.
 */
const root = join(import.meta.dirname, '..');
const readyWithinMs = 15 * 60_000;

/** The commands of the README, and the numbered steps below them. */
export function readStart(readme: string): { commands: string[]; steps: string[] } {
  const [, section = ''] = /^## Start\n([\s\S]*?)(?=^## )/m.exec(readme) ?? [];
  const [, block = ''] = /^```sh\n([\s\S]*?)^```/m.exec(section) ?? [];
  return {
    commands: block.split('\n').filter((line) => line.trim() !== ''),
    steps: [...section.matchAll(/^\d+\. (.*(?:\n {3}.*)*)/gm)].map(([, text = '']) => text.replace(/\s+/g, ' ')),
  };
}

/** One for each numbered step of the README, in its words. */
const deeds: readonly { says: RegExp; act(page: Page): Promise<void> }[] = [
  {
    says: /\*\*Sign Up\*\*.*mail/,
    async act(page) {
      const email = 'newcomer@example.org';
      const password = 'violet anchor seventeen';
      await page.getByRole('link', { name: 'Sign Up', exact: true }).first().click();
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByLabel('Confirm password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign up', exact: true }).click();
      await page.getByRole('link', { name: 'Open the email' }).click();
      await page.getByRole('link', { name: 'Confirm address' }).click();
      await page.getByRole('button', { name: 'Verify email' }).click();
      await page.waitForURL(/\/dashboard$/);
    },
  },
  {
    says: /\*\*Integrations\*\*.*\*\*Simulate Google\*\*.*\*\*Simulate Microsoft\*\*/,
    async act(page) {
      await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Integrations' }).click();
      for (const [provider, told] of [
        ['Google', 'Google account simulated successfully!'],
        ['Microsoft', 'Microsoft Outlook account simulated successfully!'],
      ] as const) {
        await page.getByRole('button', { name: /^Connect (Calendar )?Account$/ }).click();
        await page
          .getByRole('dialog')
          .getByRole('button', { name: `Simulate ${provider}` })
          .click();
        await page.getByText(told).waitFor();
      }
      await page.getByText('Synced Just now').nth(1).waitFor();
    },
  },
  {
    says: /\*\*Set up mirroring\*\*.*\*\*Add … blocks\*\*/,
    async act(page) {
      await page.getByRole('link', { name: 'Set up mirroring' }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Add \d+ blocks$/ })
        .click();
    },
  },
  {
    says: /\*\*Calendar\*\*/,
    async act(page) {
      await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Calendar' }).click();
      // alone, or with others of its time: which it is depends on how many stand when the week is first drawn
      await page
        .getByRole('button', { name: /^Mirror of |^Blocked in / })
        .first()
        .waitFor();
    },
  },
];

if (import.meta.main) {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    console.error(`There is no Chromium. Install it: ${chromiumInstallLine}`);
    process.exit(1);
  }
  const { commands, steps } = readStart(readFileSync(join(root, 'README.md'), 'utf8'));
  const unlike = deeds.findIndex(({ says }, at) => !says.test(steps[at] ?? ''));
  if (unlike >= 0 || steps.length !== deeds.length)
    throw new Error('The steps of the README are not those of this script');
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-quickstart-'));
  try {
    await begin(dir, commands, steps, executablePath);
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function begin(dir: string, commands: string[], steps: string[], executablePath: string): Promise<void> {
  const startedMs = performance.now();
  let sinceMs = startedMs;
  const tell = (what: string) => {
    const nowMs = performance.now();
    console.log(`${((nowMs - sinceMs) / 1000).toFixed(1).padStart(7)} s  ${what}`);
    sinceMs = nowMs;
  };
  const port = await freePort();
  const script = commands.join('\n').replace('<address of this repository>', `'${root}'`);
  const child = spawn('sh', ['-ec', script], {
    cwd: dir,
    env: cleanEnv(port),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  try {
    const address = await ready(child);
    tell(commands.join('; '));
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 800 } });
      page.setDefaultTimeout(60_000);
      await page.goto(address);
      for (const [at, { act }] of deeds.entries()) {
        await act(page);
        tell(`${at + 1}. ${(steps[at] ?? '').replaceAll('**', '')}`);
      }
      const pictures = process.env.JOURNEY_PICTURES;
      if (pictures !== undefined) {
        mkdirSync(pictures, { recursive: true });
        await page.screenshot({ path: join(pictures, 'quickstart.png') });
      }
    } finally {
      await browser.close();
    }
    sinceMs = startedMs;
    tell('from nothing to an event of one calendar that stands as a block in the other');
  } finally {
    await end(child);
  }
}

/** Environment of a fresh shell, without variables of npm and this checkout. */
function cleanEnv(port: number): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_|npm$|INIT_CWD$|HOLDFAST|DATABASE_URL$|DATA_DIR$|PUBLIC_URL$|SMTP_URL$|HOST$)/.test(name),
  );
  const path = (process.env.PATH ?? '').split(':').filter((part) => !part.includes('node_modules'));
  return { ...Object.fromEntries(kept), PATH: path.join(':'), PORT: `${port}` };
}

/** The address that the start says to open. */
function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const [, address] = /^Open (\S+) in a browser/m.exec(text) ?? [];
        if (address !== undefined) resolve(address);
      });
    }
    setTimeout(() => reject(new Error(`not ready:\n${text}`)), readyWithinMs).unref();
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`it ended with ${code}:\n${text}`)));
  });
}

/** As Ctrl-C does it: everything that was started goes, its PostgreSQL too. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGINT');
  await Promise.race([exited, sleep(15_000, undefined, { ref: false })]);
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // all of them are gone
  }
}
