/** The sections of the console: tabs of one page, in this order; each has its address, `/admin/{section}`. */
export const sections = ['overview', 'users', 'billing', 'integrations', 'health', 'audit', 'settings'] as const;
export type Section = (typeof sections)[number];

/** The first where an address names none. */
export function sectionAt(path: string): Section {
  const named = path.split('/')[2];
  return sections.find((one) => one === named) ?? 'overview';
}
