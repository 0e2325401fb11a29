/** The sections of the console: tabs of one page, in this order; each has its address, `/admin/{section}`. */
export const sections = ['overview', 'users', 'billing', 'integrations', 'health', 'audit', 'settings'] as const;
export type Section = (typeof sections)[number];

/** The section that an address names: the first where it names none. `section` is null where there is no such section. */
export function sectionAt(path: string): { name: string; section: Section | null } {
  const name = path.split('/')[2] || 'overview';
  return { name, section: sections.find((one) => one === name) ?? null };
}
