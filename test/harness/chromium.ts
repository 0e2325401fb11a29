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

export const chromiumInstallLine = 'sudo apt-get install chromium';

/** The browser of this machine for the journeys; CHROMIUM_PATH names another one. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH, ...places].find((path) => path !== undefined && isExecutable(path));
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

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
