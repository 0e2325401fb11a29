import type { PageRoute } from '#platform/page-route.ts';
import { visitForm } from './visit.ts';

/** The public pages of forms. */
export const pages: readonly PageRoute[] = [
  { method: 'GET', path: '/{handle}/forms/{slug}', handle: visitForm },
  { method: 'POST', path: '/{handle}/forms/{slug}', handle: visitForm },
];
