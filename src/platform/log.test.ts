import { describe, expect, it, vi } from 'vitest';
import { createLog, redactText } from './log.ts';

async function logged(write: (log: Awaited<ReturnType<typeof createLog>>) => void): Promise<string> {
  let text = '';
  const destination = {
    write(line: string) {
      text += line;
    },
  };
  write(await createLog({ level: 'trace', format: 'json', destination }));
  return text;
}

describe('log', () => {
  it.each([
    ['a password', { password: 's3cret-value' }],
    ['a nested token', { account: { refreshToken: 's3cret-value' } }],
    ['a header', { headers: { authorization: 'Basic s3cret-value', cookie: 'session=s3cret-value' } }],
    ['a list', { items: [{ client_secret: 's3cret-value' }] }],
    ['a header in a text', { note: 'sent Authorization: Bearer s3cret-value' }],
    ['a connection string', { url: 'postgres://holdfast:s3cret-value@db/x' }],
    ['a query', { url: 'https://h/cb?state=1&code=s3cret-value&x=2' }],
    [
      'a private feed',
      { url: 'https://calendar.google.com/calendar/ical/a%40b/private-0123456789abcdef0123/basic.ics' },
    ],
    [
      'an error',
      { err: new Error('GET https://u:s3cret-value@h failed', { cause: new Error('password=s3cret-value') }) },
    ],
    ['an error with fields', { err: Object.assign(new Error('x'), { config: { token: 's3cret-value' } }) }],
    ['a child', {}],
  ])('a secret does not reach the log: %s', async (name, fields) => {
    const text = await logged((log) => {
      if (name === 'a child') log.child({ token: 's3cret-value' }).info('hello');
      else log.info(fields, 'hello s %s', 'password: s3cret-value');
    });
    expect(text).toContain('hello');
    expect(text).toContain('[hidden]');
    expect(text).not.toContain('s3cret-value');
    expect(text).not.toContain('0123456789abcdef0123');
  });

  it('the log keeps names, codes, causes, and durations', async () => {
    const error = Object.assign(new TypeError('connect refused', { cause: new Error('ECONNREFUSED 10.0.0.1:443') }), {
      code: 'E1',
    });
    const entry = JSON.parse(
      await logged((log) =>
        log.warn({ err: error, durationMs: 12, at: Temporal.Instant.from('2027-01-01T00:00Z') }, 'no'),
      ),
    );
    expect(entry).toMatchObject({
      level: 'warn',
      msg: 'no',
      durationMs: 12,
      at: '2027-01-01T00:00:00Z',
      err: {
        type: 'TypeError',
        message: 'connect refused',
        code: 'E1',
        cause: { message: 'ECONNREFUSED 10.0.0.1:443' },
      },
    });
    expect(entry.err.stack).toContain('log.test.ts');
  });

  it('a database error in the log says what failed, without the row or the client', async () => {
    const err = Object.assign(new Error('duplicate key value violates unique constraint "users_email_key"'), {
      code: '23505',
      constraint: 'users_email_key',
      detail: 'Key (email)=(ada@private.example) already exists.',
      where: 'PL/pgSQL function, row ada@private.example',
      internalQuery: "select 'ada@private.example'",
      parameters: ['ada@private.example'],
      client: { host: 'db.private.example', connectionParameters: { user: 'holdfast', database: 'private.example' } },
    });
    const text = await logged((log) => log.error({ err, nested: { cause: err } }, 'a request failed'));
    expect(JSON.parse(text).err).toMatchObject({ code: '23505', constraint: 'users_email_key' });
    expect(text).not.toContain('private.example');
  });

  it('a log entry is one line, whatever line breaks its values contain', async () => {
    const text = await logged((log) => log.info({ agent: 'x\r\n{"level":"error","msg":"forged"}' }, 'a\nb'));
    expect(text.trimEnd().split(/[\r\n]/)).toHaveLength(1);
  });

  it('the log survives values that cannot be serialized', async () => {
    const circle: Record<string, unknown> = { n: 1n };
    circle.self = circle;
    expect(await logged((log) => log.info({ circle }, 'round'))).toContain('round');
  });

  it('redaction leaves ordinary texts unchanged', () => {
    const text = 'pulled 12 items of https://dav.example.org/alice/work/?token-less in 5 ms, code 200';
    expect(redactText(text)).toBe(text);
  });

  it('a full disk of the database is told once a minute with how many errors came between', async () => {
    const full = (n: number) => ({ err: Object.assign(new Error(`could not extend file ${n}`), { code: '53100' }) });
    const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    const text = await logged((log) => {
      for (let n = 0; n < 1_000; n += 1) log.error(full(n), 'a request failed');
      log.warn({ err: new Error('wrapped', { cause: full(0).err }) }, 'a job failed');
      log.error({ err: new Error('another') }, 'something else');
      now.mockReturnValue(61_001);
      log.error(full(1), 'a request failed');
    });
    now.mockRestore();
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ msg, othersNotLogged }) => [msg, othersNotLogged])).toEqual([
      ['a request failed', 0],
      ['something else', undefined],
      ['a request failed', 1_000],
    ]);
  });
});
