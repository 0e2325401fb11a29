import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProviderError } from '#kernel/errors.ts';
import type { ConnectionId } from '#kernel/ids.ts';
import { systemClock } from '#platform/clock.ts';
import { inTransaction } from '#platform/db.ts';
import { createAuthorizationServer } from '../../../test/harness/authorization-server.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { waitFor } from '../../../test/harness/wait-for.ts';
import { openAccessTokens } from './oauth/access.ts';
import { tokenPlace } from './rules.ts';
import { insertConnection } from './store/connections.ts';
import { findTokens, insertGrant } from './store/tokens.ts';

let server: TestApp;
let user: TestUser;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
  user = await signUpUser(server, 'dana@example.org');
});
afterAll(() => server.close());

const never = new AbortController().signal;

/** An account whose access token has just ended, and as many processes as wanted that may renew it. */
async function account(options: { rotates: boolean; expiresInMs?: number } = { rotates: true }) {
  const login = createAuthorizationServer({ rotates: options.rotates, nowMs: systemClock.nowMs });
  const id = randomUUIDv7() as string as ConnectionId;
  const { db, keyring } = server.app;
  const grant = (refreshToken: string, accessToken: string) =>
    inTransaction(db, (tx) =>
      insertGrant(tx, id, {
        refreshToken: keyring.seal(refreshToken, tokenPlace(id, 'refresh_token')),
        accessToken: keyring.seal(accessToken, tokenPlace(id, 'access_token')),
        accessExpiresMs: systemClock.nowMs() + (options.expiresInMs ?? 30_000),
        scopes: ['calendar'],
      }),
    );
  await inTransaction(db, (tx) =>
    insertConnection(tx, {
      id,
      userId: user.userId,
      provider: 'google',
      profile: 'generic',
      label: 'dana@example.org',
      baseUrl: null,
      username: null,
      secret: null,
      subject: id,
      addresses: [],
    }),
  );
  const first = login.newRefresh();
  await grant(first, 'access-0');
  const app = { ...server.app, apiFetch: login.fetch };
  const process = () =>
    openAccessTokens(app, { connectionId: id, service: 'Google', findClient: async () => login.client });
  const stored = async () => {
    const row = await findTokens(db, id);
    if (row === null) throw new Error('no tokens');
    return { row, refresh: keyring.open(row.refreshToken, tokenPlace(id, 'refresh_token')) };
  };
  const refreshes = () => login.seen.filter(({ path }) => path === '/token').length;
  return { id, login, grant, first, process, stored, refreshes };
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderError)) throw error;
  return `${error.kind} ${error.code}`;
}

describe('access tokens', () => {
  it('an access token valid for another minute is returned without a request', async () => {
    const { process, refreshes } = await account({ rotates: true, expiresInMs: 120_000 });
    expect(await process().get(never)).toBe('access-0');
    expect(refreshes()).toBe(0);
  });

  it('an access token is refreshed once for all waiting requests in every process', async () => {
    const { process, refreshes, stored, login } = await account();
    const { release } = login.holdTokens();
    const [one, other] = [process(), process()];
    const asked = Promise.all([one, one, other, other, process()].map((tokens) => tokens.get(never)));
    await waitFor('the refresh to be under way', () => refreshes() === 1);
    release();
    const given = await asked;
    expect(new Set(given)).toEqual(new Set(['access-1']));
    expect(refreshes()).toBe(1);
    expect((await stored()).row.revision).toBe(2);
  });

  it('a refreshed access token is stored encrypted with its rotated refresh token before it is returned', async () => {
    const { process, stored, first, login, id } = await account();
    const token = await process().get(never);
    const { refresh, row } = await stored();
    expect(refresh).not.toBe(first);
    expect(login.refreshTokens).toContain(refresh);
    expect(server.app.keyring.open(row.accessToken, tokenPlace(id, 'access_token'))).toBe(token);
    expect(row.accessToken + row.refreshToken).not.toMatch(/access-|refresh-/);
  });

  it('a refresh without a new refresh token keeps the old one', async () => {
    const { process, stored, first } = await account({ rotates: false });
    await process().get(never);
    expect((await stored()).refresh).toBe(first);
  });

  it('an access token refused by the API is replaced once, also when another process replaced it already', async () => {
    const { process, refreshes } = await account({ rotates: true, expiresInMs: 120_000 });
    const [one, other] = [process(), process()];
    expect(await one.get(never)).toBe('access-0');
    expect(await other.get(never)).toBe('access-0');
    one.refuse('access-0');
    other.refuse('access-0');
    expect(await one.get(never)).toBe('access-1');
    expect(await other.get(never)).toBe('access-1');
    expect(refreshes()).toBe(1);
  });
});

describe('token refresh', () => {
  it('a token refresh with a lost response is repeated with the stored refresh token', async () => {
    const { process, login, refreshes } = await account();
    login.misbehaviour.losesAnswer = true;
    const tokens = process();
    expect(await refusal(tokens.get(never))).toBe('transient TOKEN_SERVER');
    expect(await tokens.get(never)).toBe('access-2');
    expect(refreshes()).toBe(2);
  });

  it('a token refresh with a lost response and a revoked old token needs the user to reconnect', async () => {
    const { process, login } = await account();
    Object.assign(login.misbehaviour, { losesAnswer: true, revokesOld: true });
    const tokens = process();
    expect(await refusal(tokens.get(never))).toBe('transient TOKEN_SERVER');
    expect(await refusal(tokens.get(never))).toBe('auth GRANT_GONE');
  });

  it('a refused token refresh is not repeated until the user grants access again', async () => {
    const { process, login, refreshes, grant } = await account();
    login.refreshTokens.clear();
    const [one, other] = [process(), process()];
    expect(await refusal(one.get(never))).toBe('auth GRANT_GONE');
    expect(await refusal(other.get(never))).toBe('auth GRANT_GONE');
    expect(await refusal(process().get(never))).toBe('auth GRANT_GONE');
    expect(refreshes()).toBe(1);
    await grant(login.newRefresh(), 'access-0');
    expect(await other.get(never)).toMatch(/^access-/);
  });

  it('a refused OAuth client leaves the grant of the account as it is', async () => {
    const { process, login, stored } = await account();
    login.misbehaviour.answers.push(Response.json({ error: 'invalid_client' }, { status: 401 }));
    const tokens = process();
    expect(await refusal(tokens.get(never))).toBe('transient CLIENT_REFUSED');
    expect((await stored()).row.refusedCode).toBeNull();
    expect(await tokens.get(never)).toBe('access-1');
  });

  it('a token refresh of a dead process is taken over when its lease has expired', async () => {
    const { process, id } = await account();
    await sql`update connections.tokens set lease = gen_random_uuid(), lease_until = clock_timestamp() + interval '300 ms'
      where connection_id = ${id}`.execute(server.app.db);
    expect(await process().get(never)).toBe('access-1');
  });

  it('a late token refresh does not overwrite a newer grant of the user', async () => {
    const { process, login, grant, stored, refreshes } = await account();
    const { release } = login.holdTokens();
    const tokens = process();
    const given = tokens.get(never);
    await waitFor('the refresh to be under way', () => refreshes() === 1);
    const newer = login.newRefresh();
    await grant(newer, 'access-new');
    release();
    await given;
    expect(login.seen.at(-1)?.body.get('refresh_token')).toBe(newer);
    expect(login.refreshTokens).toContain((await stored()).refresh);
  });

  it('a token refresh continues for other waiting requests when one is aborted', async () => {
    const { process, login } = await account();
    const { release } = login.holdTokens();
    const tokens = process();
    const impatient = new AbortController();
    const gone = tokens.get(impatient.signal);
    const patient = tokens.get(never);
    impatient.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    release();
    expect(await patient).toBe('access-1');
  });
});
