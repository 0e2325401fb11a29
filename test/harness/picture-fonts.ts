import { existsSync } from 'node:fs';

/** What the kept pictures are drawn with where a page has no font of its own, as Debian has it. */
const files = ['dejavu/DejaVuSans.ttf', 'wqy/wqy-zenhei.ttc'];

export const fontsInstallLine = 'sudo apt-get install fonts-dejavu-core fonts-wqy-zenhei';

/** Whether this machine draws as the one that the pictures were taken on; with other fonts each page looks different. */
export function hasPictureFonts(): boolean {
  return files.every((file) => existsSync(`/usr/share/fonts/truetype/${file}`));
}
