import { defineConfig } from '@playwright/test';
import { findChromium } from './test/harness/chromium.ts';

const long = ['**/three-providers.e2e.ts', '**/main-journey.e2e.ts', '**/profile.e2e.ts', '**/edit-*.e2e.ts'];

/** The journeys; `npm test` runs them after everything else. Alone: `npx playwright test`. */
export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/e2e/cluster-of-run.ts',
  // The longest begin first: one that began last kept the other worker idle for two minutes.
  projects: [
    { name: 'long', testMatch: long },
    { testMatch: '**/*.e2e.ts', testIgnore: long },
  ],
  outputDir: 'test-results',
  // Each runs the whole product with a database and servers of its own; they wait as much as they work.
  workers: 2,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  forbidOnly: process.env.CI === 'true',
  use: {
    // It answers in place of the network, where tests look and cut in; its own journey lets it.
    serviceWorkers: 'block',
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    screenshot: 'only-on-failure',
    // Without its film: a picture of every repaint took a third of a journey's time.
    trace: { mode: 'retain-on-failure', screenshots: false },
    launchOptions: {
      executablePath: findChromium(),
      args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    },
  },
});
