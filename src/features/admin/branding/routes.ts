import type { RawRoute } from '#platform/raw-route.ts';
import { bindRoutes } from '#platform/routes.ts';
import { changeBranding, drawLogo, getBranding, serveBrand } from './branding.ts';
import { brandingEndpoints } from './contract.ts';

export const brandingRoutes = bindRoutes(brandingEndpoints, {
  readBranding: ({ app }) => getBranding(app),
  changeBranding: ({ app, actor, input, request }) => changeBranding(app, actor, input.body, request),
  drawLogo: ({ app, actor, input }) => drawLogo(app, actor, input.body),
});

export const brandingFiles: readonly RawRoute[] = [{ method: 'GET', path: '/brand/{file}', handle: serveBrand }];
