import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { ProviderError } from '#kernel/errors.ts';
import { createSafeFetch, type SafeFetch } from '#platform/fetch.ts';
import { selfSigned } from '../../../test/harness/self-signed.ts';
import { discoverAccount } from './discover.ts';
import { caldavProfiles } from './profiles.ts';
import { openCaldav } from './provider.ts';
import { caldavHttpOver } from './undici-http.ts';

/** Failures of real sockets, through the dispatcher of production. */

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function serve(listener: RequestListener, tls = false): Promise<{ url: string; host: string }> {
  const server: Server = tls ? createTlsServer(selfSigned, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server && typeof server.closeAllConnections === 'function')
          server.closeAllConnections();
      }),
  );
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `${tls ? 'https' : 'http'}://${host}/`, host };
}

function open(url: string, host: string, timeoutMs = 5_000) {
  const fetch: SafeFetch = createSafeFetch({
    allowPrivate: [host],
    log: pino({ level: 'silent' }),
  });
  closing.push(() => fetch.close());
  const http = caldavHttpOver(fetch.dispatcher);
  const common = { username: 'alice', password: 'secret', profile: caldavProfiles.generic, http, timeoutMs };
  const provider = openCaldav({ ...common, baseUrl: url, selfAddresses: [], tags: { verify: () => false } });
  return {
    provider,
    discover: () => discoverAccount({ ...common, address: url, signal: AbortSignal.timeout(10_000) }),
    pull: async (signal = AbortSignal.timeout(10_000)) => {
      const pages = provider.pull({
        calendarRef: '/work/',
        cursor: 't:1',
        full: false,
        known: () => Promise.resolve(new Map()),
        signal,
      });
      for (let step = await pages.next(); ; step = await pages.next()) if (step.done) return step.value;
    },
  };
}

async function refusalOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    () => new Error('It succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderError)) throw error;
  return error;
}

const emptyReport = '<d:multistatus xmlns:d="DAV:"><d:sync-token>2</d:sync-token></d:multistatus>';

describe('failing servers', () => {
  it('a server that does not run is unreachable', async () => {
    const { url, host } = await serve(() => undefined);
    await Promise.all(closing.splice(0).map((close) => close()));
    const account = open(url, host);
    expect(await refusalOf(account.pull())).toMatchObject({ kind: 'transient', code: 'UNREACHABLE' });
    expect(await refusalOf(account.discover())).toMatchObject({ kind: 'transient', code: 'UNREACHABLE' });
  });

  it('a server at a blocked address is unreachable and gets no request', async () => {
    let heard = 0;
    const { url, host } = await serve((_, response) => {
      heard += 1;
      response.end();
    });
    const refused = await refusalOf(open(url, 'elsewhere.example').discover());
    expect(refused).toMatchObject({ code: 'UNREACHABLE' });
    expect(refused.message).toBe(
      `No server responds at ${host}, or it is on a private network. Holdfast doesn't connect to private addresses. Check the address.`,
    );
    expect(heard).toBe(0);
  });

  it('a self-signed certificate is reported, and the server gets no password', async () => {
    let heard = 0;
    const { url, host } = await serve((_, response) => {
      heard += 1;
      response.end();
    }, true);
    const refused = await refusalOf(open(url, host).discover());
    expect(refused).toMatchObject({ kind: 'transient', code: 'TLS' });
    expect(refused.message).toContain('its certificate is self-signed');
    expect(heard).toBe(0);
  });

  it('a sign-in page is not taken for a calendar', async () => {
    const { url, host } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><html><form>Password</form></html>');
    });
    expect(await refusalOf(open(url, host).discover())).toMatchObject({ kind: 'transient', code: 'LOGIN_PAGE' });
    expect(await refusalOf(open(url, host).pull())).toMatchObject({ kind: 'transient', code: 'LOGIN_PAGE' });
  });

  it('a response over 10 MB is cut off', async () => {
    let sent = 0;
    const { url, host } = await serve((_, response) => {
      response.writeHead(207, { 'content-type': 'application/xml' });
      response.write('<d:multistatus xmlns:d="DAV:">');
      const chunk = Buffer.alloc(262_144, ' ');
      const more = () => {
        while (!response.destroyed && sent < 40_000_000) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end('</d:multistatus>');
      };
      more();
    });
    const refused = await refusalOf(open(url, host).discover());
    expect(refused).toMatchObject({ kind: 'transient', code: 'TOO_LARGE' });
    expect(sent).toBeLessThan(20_000_000);
  });

  it('a response with an entity bomb is refused', async () => {
    const { url, host } = await serve((_, response) => {
      response.writeHead(207, { 'content-type': 'application/xml' });
      response.end(
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><d:multistatus xmlns:d="DAV:">&b;</d:multistatus>',
      );
    });
    expect(await refusalOf(open(url, host).pull())).toMatchObject({ kind: 'transient', code: 'BAD_ANSWER' });
  });

  it('a server that never responds runs into the deadline', async () => {
    const { url, host } = await serve(() => undefined);
    expect(await refusalOf(open(url, host, 150).pull())).toMatchObject({ kind: 'transient', code: 'TIMEOUT' });
  });

  it('a response that arrives byte by byte runs into the deadline', async () => {
    const { url, host } = await serve((_, response) => {
      response.writeHead(207, { 'content-type': 'application/xml' });
      const timer = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(timer));
    });
    expect(await refusalOf(open(url, host, 200).pull())).toMatchObject({ kind: 'transient', code: 'TIMEOUT' });
  });

  it('an error response cut off in the middle leaves the outcome open, unless its status decides', async () => {
    const cut = async (status: number) => {
      const { url, host } = await serve((request, response) => {
        response.writeHead(status, { 'content-type': 'application/xml' });
        request.resume().on('end', () => {
          response.write('<d:error xmlns:d="DAV:"><d:valid-sync', () => response.destroy());
        });
      });
      return refusalOf(open(url, host).pull());
    };
    for (const status of [400, 403, 409])
      expect(await cut(status)).toMatchObject({ kind: 'transient', code: 'CONNECTION_LOST' });
    expect(await cut(401)).toMatchObject({ kind: 'auth' });
    expect(await cut(429)).toMatchObject({ kind: 'rate-limited' });
  });

  it('a response cut off by a closed connection leaves the outcome open', async () => {
    const { url, host } = await serve((request, response) => {
      response.writeHead(207, { 'content-type': 'application/xml', 'content-length': '1000' });
      request.resume().on('end', () => {
        response.write('<d:multistatus xmlns:d="DAV:">', () => response.destroy());
      });
    });
    expect(await refusalOf(open(url, host).pull())).toMatchObject({ kind: 'transient', code: 'CONNECTION_LOST' });
  });

  it('an incomplete multistatus is refused', async () => {
    const { url, host } = await serve((_, response) => {
      response.writeHead(207, { 'content-type': 'application/xml' });
      response.end('<d:multistatus xmlns:d="DAV:"><d:response><d:href>/work/1.ics</d:href>');
    });
    expect(await refusalOf(open(url, host).pull())).toMatchObject({ kind: 'transient', code: 'BAD_ANSWER' });
  });

  it('an aborted pull ends at once', async () => {
    const stop = new AbortController();
    const { url, host } = await serve(() => stop.abort(new Error('shutting down')));
    expect(await refusalOf(open(url, host).pull(stop.signal))).toMatchObject({ kind: 'transient', code: 'ABORTED' });
  });
});

describe('redirects', () => {
  it.each([301, 302, 307, 308])('a same-server %s redirect keeps method, body and credentials', async (status) => {
    const seen: string[] = [];
    const { url, host } = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        seen.push(
          `${request.method} ${request.url} ${request.headers.authorization !== undefined} ${body.includes('sync-token')}`,
        );
        if (request.url === '/work/') response.writeHead(status, { location: '/moved/' }).end();
        else response.writeHead(207, { 'content-type': 'application/xml' }).end(emptyReport);
      });
    });
    expect(await open(url, host).pull()).toMatchObject({ cursor: 't:2', requests: 2 });
    expect(seen).toEqual(['REPORT /work/ true true', 'REPORT /moved/ true true']);
  });

  it('CVE-2026-75583: a redirect to another host is refused before the password is sent', async () => {
    let heard = 0;
    const other = await serve((_, response) => {
      heard += 1;
      response.end();
    });
    const { url, host } = await serve((_, response) => response.writeHead(302, { location: other.url }).end());
    const refused = await refusalOf(open(url, host).discover());
    expect(refused).toMatchObject({ kind: 'rejected', code: 'OTHER_SITE' });
    expect(refused.message).toContain(other.host);
    expect(heard).toBe(0);
  });

  it('a redirect to a blocked port of the same host is unreachable', async () => {
    const { url, host } = await serve((_, response) =>
      response.writeHead(302, { location: 'https://127.0.0.1:5432/' }).end(),
    );
    expect(await refusalOf(open(url, host).pull())).toMatchObject({ kind: 'transient', code: 'UNREACHABLE' });
  });

  it.each(['file:///etc/passwd', 'gopher://127.0.0.1/', 'ftp://127.0.0.1/x'])(
    'a redirect to %s is refused',
    async (location) => {
      const { url, host } = await serve((_, response) => response.writeHead(302, { location }).end());
      expect(await refusalOf(open(url, host).pull())).toMatchObject({ kind: 'rejected', code: 'INSECURE_REDIRECT' });
    },
  );

  it('a redirect loop ends after five hops', async () => {
    let hops = 0;
    const { url, host } = await serve((_, response) => {
      hops += 1;
      response.writeHead(302, { location: `/hop${hops}/` }).end();
    });
    expect(await refusalOf(open(url, host).pull())).toMatchObject({ kind: 'transient', code: 'TOO_MANY_REDIRECTS' });
    expect(hops).toBe(6);
  });
});

describe('passwords', () => {
  it('a refused password is tried once and on no other path', async () => {
    let tried = 0;
    const { url, host } = await serve((_, response) => {
      tried += 1;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    });
    expect(await refusalOf(open(url, host).discover())).toMatchObject({ kind: 'auth', code: 'WRONG_PASSWORD' });
    expect(tried).toBe(1);
  });
});
