import type { PageRoute } from '#platform/page-route.ts';
import type { RawRoute } from '#platform/raw-route.ts';
import { confirmSubscription } from './confirm-subscription.ts';
import { enter } from './enter.ts';
import { showDocs } from './show-docs.ts';
import { showLanding } from './show-landing.ts';
import { showLegal } from './show-legal.ts';
import { showRobots } from './show-robots.ts';
import { showSitemap } from './show-sitemap.ts';
import { subscribe } from './subscribe.ts';
import { unsubscribe } from './unsubscribe.ts';

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
