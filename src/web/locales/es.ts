import type { Words } from '../i18n.ts';

/** What every page says, with the way to the words of each area. */
export const atOnce = import.meta.glob<Words>(['./es/shell.json', './es/ui.json'], { import: 'default', eager: true });
export const later = import.meta.glob<Words>(['./es/*.json', '!./es/shell.json', '!./es/ui.json'], {
  import: 'default',
});
