/** The sections of the console: tabs of one page, in this order. */
export const sections = ['overview', 'users', 'billing', 'integrations', 'health', 'audit', 'settings'] as const;
export type Section = (typeof sections)[number];

export interface ConsoleSearch {
  /** Kept in the address, so that a reload stays where it was; none for the first. */
  section?: Section;
}

export function readConsoleSearch(raw: Record<string, unknown>): Record<string, unknown> & ConsoleSearch {
  const section = sections.find((one) => one === raw.section && one !== 'overview');
  return section === undefined ? {} : { section };
}
