import type { RawRoute } from '#platform/raw-route.ts';
import { bindRoutes } from '#platform/routes.ts';
import { changeBranding } from '../change-branding.ts';
import { drawLogo } from '../draw-logo.ts';
import { readBranding } from '../read-branding.ts';
import { brandingEndpoints } from '../rules/branding-endpoints.ts';
import { serveBrand } from '../serve-brand.ts';

export const brandingRoutes = bindRoutes(brandingEndpoints, {
  readBranding: ({ app }) => readBranding(app),
  changeBranding: ({ app, actor, input, request }) => changeBranding(app, actor, input.body, request),
  drawLogo: ({ app, actor, input }) => drawLogo(app, actor, input.body),
});

export const brandingFiles: readonly RawRoute[] = [{ method: 'GET', path: '/brand/{file}', handle: serveBrand }];
