import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { Agent, request } from 'undici';
import { hashPassword, verifyPassword } from '#platform/crypto.ts';
import { testPassword } from '../test/harness/open-account.ts';
import { type Bench, type BenchOptions, type BenchRow, interleave, median, ratio } from './harness.ts';
import { type ServedProduct, serveProduct } from './serve-product.ts';
import { openThrowAwayDatabase, type ThrowAwayDatabase } from './throw-away-database.ts';

/** A1: signing in by password, over HTTP. A2: how many requests a second somebody signed in may make. */
export const signInBench: Bench = {
  rows: ['A1', 'A2'],
  async run(wanted, options, print) {
    const database = await openThrowAwayDatabase();
    const product = await serveProduct(database);
    try {
      if (wanted.has('A1')) print(await measureSignIn(product, database, options));
      if (wanted.has('A2')) print(await measureSessionChecks(product, database, options));
    } finally {
      await product.close();
      await database.close();
    }
  },
};

const mostBesideHashMs = 100;

async function measureSignIn(
  product: ServedProduct,
  database: ThrowAwayDatabase,
  { quick }: BenchOptions,
): Promise<BenchRow> {
  const rounds = quick ? 3 : 40;
  const stored = await hashPassword(testPassword);
  const agent = new Agent({ connections: 8 });
  const body = JSON.stringify({ email: product.email, password: testPassword });
  const signIn = async () => {
    const answer = await request(`${product.address}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      dispatcher: agent,
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`a sign-in answered ${answer.statusCode}`);
  };
  // Deletes the attempt counts before each round, because the limits on guessing would slow the bench down.
  const forgetAttempts = () => sql`delete from platform.limits`.execute(database.db);
  const millis = async (work: () => Promise<unknown>) => {
    await forgetAttempts();
    const startedMs = performance.now();
    await work();
    return performance.now() - startedMs;
  };
  const atOnce = 8;
  const samples = await interleave(
    [
      { name: 'ours', run: () => millis(signIn) },
      { name: 'floor', run: () => millis(() => verifyPassword(testPassword, stored)) },
      { name: 'crowd', run: () => millis(() => Promise.all(Array.from({ length: atOnce }, signIn))) },
    ],
    rounds,
    2,
  );
  await agent.close();
  const [ours, floor] = [median(samples.ours ?? []), median(samples.floor ?? [])];
  return {
    id: 'A1',
    what: 'sign-in by password over HTTP; the floor is its argon2id hash',
    unit: 'ms',
    ours,
    floor,
    peers: {},
    gate: `<= ${mostBesideHashMs} ms beside the hash`,
    passed: ours - floor <= mostBesideHashMs,
    note: `${(ours - floor).toFixed(1)} ms beside the hash; ${(atOnce / (median(samples.crowd ?? []) / 1000)).toFixed(0)} sign-ins a second, ${atOnce} at once`,
  };
}

const connections = 16;

async function measureSessionChecks(
  product: ServedProduct,
  database: ThrowAwayDatabase,
  { quick }: BenchOptions,
): Promise<BenchRow> {
  const tokenHash = createHash('sha256').update(product.token).digest();
  // The least that can be done: no framework, no contract, one row by its index.
  const bare = createServer((_message, response) => {
    database.pool
      .query({
        name: 'floor-session',
        text: `select s.id, u.email from accounts.sessions s join accounts.users u on u.id = s.user_id
          where s.token_hash = $1 and s.expires_at > now()`,
        values: [tokenHash],
      })
      .then(
        ({ rows }) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows[0] ?? null)),
        () => response.writeHead(500).end(),
      );
  });
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const { port } = bare.address() as AddressInfo;
  const agent = new Agent({ connections });
  const perRound = quick ? 200 : 4_000;
  const microseconds = async (url: string) => {
    let left = perRound;
    const startedMs = performance.now();
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (left-- > 0) {
          const answer = await request(url, {
            headers: { authorization: `Bearer ${product.token}` },
            dispatcher: agent,
          });
          await answer.body.dump();
          if (answer.statusCode !== 200) throw new Error(`a session check answered ${answer.statusCode}`);
        }
      }),
    );
    return ((performance.now() - startedMs) * 1000) / perRound;
  };
  const samples = await interleave(
    [
      { name: 'ours', run: () => microseconds(`${product.address}/auth/profile`) },
      { name: 'floor', run: () => microseconds(`http://127.0.0.1:${port}/`) },
    ],
    quick ? 3 : 7,
    1,
  );
  await agent.close();
  await new Promise((resolve) => bare.close(resolve));
  const [ours, floor] = [median(samples.ours ?? []), median(samples.floor ?? [])];
  return {
    id: 'A2',
    what: `a request with a session (GET /auth/profile), ${connections} connections; client and server in one process`,
    unit: 'us',
    ours,
    floor,
    peers: {},
    gate: 'none; a request is checked in the database each time',
    passed: null,
    note: `${(1e6 / ours).toFixed(0)} session checks a second, ${ratio(samples, 'ours', 'floor').toFixed(2)}x the floor of bare node:http and one query`,
  };
}
