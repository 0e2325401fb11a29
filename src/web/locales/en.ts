import type { Words } from '../i18n.ts';

/** Words of every page, and loaders for the words of each area. */
export const atOnce = import.meta.glob<Words>(['./en/shell.json', './en/ui.json'], { import: 'default', eager: true });
export const later = import.meta.glob<Words>(['./en/*.json', '!./en/shell.json', '!./en/ui.json'], {
  import: 'default',
});
