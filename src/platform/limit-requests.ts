import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#kernel/errors.ts';
import { networkOf, networksPerSite, siteOf } from './limits.ts';

const tooMany = (retryAfterMs: number) =>
  new AppError('limited', 'LIMITED', 'Too many requests. Try again in a moment.', { retryAfterMs });

const isHealthCheck = ({ url }: FastifyRequest) => url === '/healthz';

/**
 * Limits requests a minute of one network, and of the IPv6 site that it is in, in this process. A route may have less
 * than `max` (`config.rateLimit`).
 */
export async function limitRequests(server: FastifyInstance, max: number): Promise<void> {
  await server.register(rateLimit, {
    global: true,
    max,
    timeWindow: 60_000,
    keyGenerator: (request) => networkOf(request.ip),
    addHeaders: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
      'retry-after': false,
    },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    errorResponseBuilder: (_request, context) => tooMany(context.ttl),
    allowList: isHealthCheck,
  });
  const limitSite = (perMinute: number) => {
    const count = server.createRateLimit({
      max: perMinute * networksPerSite,
      keyGenerator: ({ ip }) => siteOf(ip) ?? networkOf(ip),
    });
    return async (request: FastifyRequest) => {
      if (siteOf(request.ip) === null) return;
      const found = await count(request);
      if (!found.isAllowed && found.isExceeded) throw tooMany(found.ttl);
    };
  };
  const limitOfAll = limitSite(max);
  server.addHook('onRoute', (route) => {
    const own = route.config?.rateLimit;
    const perMinute = own ? own.max : undefined;
    const limit = typeof perMinute === 'number' ? limitSite(perMinute) : limitOfAll;
    route.onRequest = [limit, ...[route.onRequest ?? []].flat()];
  });
}
