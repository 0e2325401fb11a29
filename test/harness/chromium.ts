import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Chromium without windows, as Debian packages it. Journeys take a sixth less time in it. */
const shell = '/usr/bin/chromium-headless-shell';

export const chromiumInstallLine = 'sudo apt-get install chromium';

/** The browser of this machine; CHROMIUM_PATH names another one. */
export function findChromium(): string | undefined {
  return findFirst([process.env.CHROMIUM_PATH, ...places]);
}

/** The browser of the journeys: the headless shell where it is installed, or else the browser of `findChromium`. */
export function findHeadlessChromium(): string | undefined {
  return findFirst([process.env.CHROMIUM_PATH, shell, ...places]);
}

/**
 * Environment of a browser on Linux that has these fonts, `fonts/<name>.conf`, whatever the machine has. The language of the
 * machine would choose another font, and words of date fields.
 */
export const withFonts = (name: 'dejavu' | 'noto') => ({
  ...process.env,
  FONTCONFIG_PATH: join(import.meta.dirname, 'fonts'),
  FONTCONFIG_FILE: `${name}.conf`,
  LC_ALL: 'C.UTF-8',
  LANGUAGE: 'en',
});

function findFirst(paths: readonly (string | undefined)[]): string | undefined {
  return paths.find((path) => path !== undefined && isExecutable(path));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
