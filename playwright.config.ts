import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findChromium, findHeadlessChromium, withFonts } from './test/harness/chromium.ts';
import { readDurations } from './test/harness/durations.ts';

/** Journeys whose recorded duration lies between two numbers of seconds; a new one counts as long. */
const journeys = readdirSync(join(import.meta.dirname, 'test/e2e'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.e2e.ts') && !/^(looks\/|devices)/.test(file))
  .map((file) => `test/e2e/${file}`);
const durations = readDurations();
const lasting = (from: number, to: number) =>
  journeys
    .filter((file) => (durations[file] ?? 1_000) >= from && (durations[file] ?? 1_000) < to)
    .map((file) => `**/${file}`);

/**
 * The suggestions of an address bar that nobody sees were a process for each window, and two thirds of what opening one
 * cost. Before them what Playwright itself leaves out, as only the last such list counts.
 */
const leftOut = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

const launchOptions = {
  executablePath: findHeadlessChromium(),
  env: withFonts('dejavu'),
  args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none', `--disable-features=${leftOut.join(',')}`],
};

/** The journeys; `npm test` runs them after everything else. Alone: `npx playwright test`. */
export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/e2e/cluster-of-run.ts',
  // The longest start first: a long one that started last kept the other workers idle for two minutes.
  projects: [
    { name: 'long', testMatch: lasting(40, Number.POSITIVE_INFINITY) },
    // The headless shell places letters between pixels, so pictures of both browsers differ. It has no push notifications.
    {
      name: 'full browser',
      testMatch: ['**/looks/*.e2e.ts', '**/devices.e2e.ts'],
      use: { launchOptions: { ...launchOptions, executablePath: findChromium() } },
    },
    { name: 'medium', testMatch: lasting(15, 40) },
    { name: 'short', testMatch: lasting(0, 15) },
  ],
  // A journey that needs its second attempt passes, and is listed as unsteady at the end of the run.
  retries: process.env.CI === 'true' ? 1 : 0,
  // The project of a journey changes with its duration; its pictures do not.
  snapshotPathTemplate: '{snapshotDir}/{testFileDir}/{testFileName}-snapshots/{arg}-{platform}{ext}',
  outputDir: 'test-results',
  // Each runs the whole product with a database and servers of its own; they wait a third of their time.
  workers: 3,
  timeout: 180_000,
  expect: { timeout: 15_000, toPass: { timeout: 60_000 } },
  forbidOnly: process.env.CI === 'true',
  use: {
    // It answers in place of the network, where tests look and cut in; its own journey lets it.
    serviceWorkers: 'block',
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    // Drawing what moves was an eighth of a journey's work. Those with `inMotion` have it all.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // What was done, asked and said. A picture of every repaint took a third of a journey's time, and a copy of the page
    // beside each step a twentieth; `--trace=on` has both.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    launchOptions,
  },
});
