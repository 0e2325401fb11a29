/** The article in `docs/help` for a screen, by the longest matching path prefix. */
const articles: Readonly<Record<string, string>> = {
  '/availability': 'availability',
  '/booking-links': 'booking-links',
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

/** The article for a path, or null. */
export function articleFor(path: string): string | null {
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const article = articles[at];
    if (article !== undefined) return article;
  }
  return null;
}
