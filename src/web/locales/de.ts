import type { Words } from '../i18n.ts';

/** Words of every page, and loaders for the words of each area. */
export const atOnce = import.meta.glob<Words>(['./de/shell.json', './de/ui.json'], { import: 'default', eager: true });
export const later = import.meta.glob<Words>(['./de/*.json', '!./de/shell.json', '!./de/ui.json'], {
  import: 'default',
});
