import { defineConfig } from '@playwright/test';
import { findChromium, withFonts } from './test/harness/chromium.ts';

const long = [
  '**/crawler.e2e.ts',
  '**/three-providers.e2e.ts',
  '**/main-journey.e2e.ts',
  '**/profile.e2e.ts',
  '**/edit-*.e2e.ts',
];

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

/** The journeys; `npm test` runs them after everything else. Alone: `npx playwright test`. */
export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/e2e/cluster-of-run.ts',
  // The longest begin first: one that began last kept the others idle for two minutes.
  projects: [
    { name: 'long', testMatch: long },
    { testMatch: '**/*.e2e.ts', testIgnore: long },
  ],
  outputDir: 'test-results',
  // Each runs the whole product with a database and servers of its own; they wait a third of their time.
  workers: 3,
  timeout: 180_000,
  expect: { timeout: 15_000 },
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
    launchOptions: {
      executablePath: findChromium(),
      env: withFonts('dejavu'),
      args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none', `--disable-features=${leftOut.join(',')}`],
    },
  },
});
