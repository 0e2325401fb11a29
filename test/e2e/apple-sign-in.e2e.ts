import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { createAuthorizationServer } from '../harness/authorization-server.ts';
import { freePort } from '../harness/free-port.ts';
import { killAll } from '../harness/spawn-holdfast.ts';
import { type Product, startProduct } from './product.ts';

/** A form that another site's page sends: the browser leaves our cookies out of it, and takes them along on the way it is sent on. */

let product: Product;
let apple: Server;

test.beforeAll(async () => {
  const port = await freePort();
  // to a browser another site than 127.0.0.1
  const origin = `http://localhost:${port}`;
  apple = await serveApple(origin, port);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  product = await startProduct({
    allow: [],
    env: {
      APPLE_CLIENT_ID: 'holdfast',
      APPLE_TEAM_ID: 'TEAM123456',
      APPLE_KEY_ID: 'KEY1234567',
      APPLE_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      APPLE_URL: origin,
    },
  });
});

test.afterAll(async () => {
  apple?.close();
  await product?.stop();
  killAll();
});

async function serveApple(origin: string, port: number): Promise<Server> {
  const provider = createAuthorizationServer({
    rotates: false,
    nowMs: () => Date.now(),
    origin,
    acceptsSecret: (secret) => secret.split('.').length === 3,
  });
  provider.misbehaviour.claims = { email: 'dana@icloud.example', email_verified: 'true' };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', origin);
    if (url.pathname === '/auth/authorize') {
      const fields = [...provider.consent(url.href)].map(([name, value]) => `<input name="${name}" value="${value}">`);
      response.setHeader('content-type', 'text/html');
      response.end(
        `<form method="post" action="${url.searchParams.get('redirect_uri')}">${fields.join('')}<button>Continue</button></form>`,
      );
      return;
    }
    const body = request.method === 'POST' ? new URLSearchParams(await text(request)) : undefined;
    const answer = await provider.fetch(url.href, { method: request.method ?? 'GET', body });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  return server;
}

test('a user signs in with Apple through a cross-site form', async ({ page }) => {
  await page.goto(`${product.url}/login`);
  await page.getByRole('link', { name: 'Sign in with Apple' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(`${product.url}/dashboard`);
});

test('a sign-in provider that is not configured says so', async ({ page }) => {
  await page.goto(`${product.url}/login`);
  for (const name of ['Google', 'Microsoft']) {
    await expect(page.getByRole('button', { name: `Sign in with ${name} Not set up on this server` })).toBeVisible();
  }
  await page.goto(`${product.url}/auth/oauth/google/login`);
  await expect(page.getByRole('alert')).toHaveText("Google isn't set up on this server.");
});
