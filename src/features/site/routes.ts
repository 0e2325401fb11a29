import type { PageRoute } from '#platform/page-route.ts';
import type { RawRoute } from '#platform/raw-route.ts';
import { showDocs } from './docs.ts';
import { enter, showLanding, showRobots, showSitemap } from './landing.ts';
import { showLegal } from './legal.ts';
import { confirmSubscription, subscribe, unsubscribe } from './subscriptions.ts';

export const pages: readonly PageRoute[] = [
  { method: 'GET', path: '/', handle: enter },
  { method: 'GET', path: '/home', handle: showLanding },
  { method: 'GET', path: '/docs', handle: showDocs },
  { method: 'GET', path: '/docs/{name}', handle: showDocs },
  { method: 'GET', path: '/privacy', handle: showLegal('privacy') },
  { method: 'GET', path: '/terms', handle: showLegal('terms') },
  { method: 'GET', path: '/security', handle: showLegal('security') },
  { method: 'POST', path: '/subscribe', handle: subscribe },
  { method: 'GET', path: '/subscribe/{token}', handle: confirmSubscription },
  { method: 'POST', path: '/subscribe/{token}', handle: confirmSubscription },
  { method: 'GET', path: '/unsubscribe/{token}', handle: unsubscribe },
  { method: 'POST', path: '/unsubscribe/{token}', handle: unsubscribe },
];

export const files: readonly RawRoute[] = [
  { method: 'GET', path: '/robots.txt', handle: showRobots },
  { method: 'GET', path: '/sitemap.xml', handle: showSitemap },
];
