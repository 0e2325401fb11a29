import { randomBytes } from 'node:crypto';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { loadConfig } from '#platform/config.ts';
import type { Feature } from '#platform/feature.ts';
import { createHttpServer, type HttpOptions } from '#platform/http.ts';
import { createLog } from '#platform/log.ts';
import { openApp } from '#platform/open-app.ts';
import { features } from '../src/features.ts';
import { openAccount } from '../test/harness/open-account.ts';
import type { ThrowAwayDatabase } from './throw-away-database.ts';

export interface ServedProduct {
  app: App;
  address: string;
  userId: UserId;
  email: string;
  token: string;
  close(): Promise<void>;
}

/** The product as it answers in production, but for its log. */
export async function serveProduct(
  { url }: ThrowAwayDatabase,
  more: Pick<HttpOptions, 'pageRoot'> & { features?: readonly Feature[]; trustProxy?: boolean } = {},
): Promise<ServedProduct> {
  const { features: others = [], trustProxy = false, ...http } = more;
  const served = [...features, ...others];
  const config = {
    ...loadConfig({ HOST: '127.0.0.1', PORT: '0', PUBLIC_URL: 'http://holdfast.example' }),
    role: 'web' as const,
    trustProxy,
  };
  const opened = await openApp({
    config,
    databaseUrl: url,
    encryptionKeys: `bench:${randomBytes(32).toString('base64')}`,
    log: await createLog({ level: 'error', format: 'json' }),
    features: served,
  });
  const server = await createHttpServer(opened.app, served, { requestsPerMinute: 100_000_000, ...http });
  const { userId, email, token } = await openAccount(opened.app, 'bench@example.org');
  return {
    app: opened.app,
    address: await server.listen(),
    userId,
    email,
    token,
    async close() {
      await server.close();
      await opened.close();
    },
  };
}
