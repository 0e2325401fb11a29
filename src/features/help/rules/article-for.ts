/** Which article of `docs/help` is about a screen: the longest beginning of its address counts. */
const articles: Readonly<Record<string, string>> = {
  '/availability': 'availability',
  '/availability/links': 'booking-links',
  '/billing': 'plans',
  '/calendar': 'calendar',
  '/contacts': 'contacts',
  '/dashboard': 'dashboard',
  '/help': 'getting-started',
  '/integrations': 'integrations',
  '/integrations/mirrors': 'mirrors',
  '/join': 'teams',
  '/meetings': 'meetings',
  '/profile': 'settings',
  '/routing': 'routing',
  '/team': 'teams',
  '/workflows': 'workflows',
};

/** Null where nothing is written about it. */
export function articleFor(path: string): string | null {
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const article = articles[at];
    if (article !== undefined) return article;
  }
  return null;
}
