import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig, settings } from './config.ts';

const key = 'k1:9gX1rJm0WvVYQ4bq3zS0c5sTnUoK2hEwAaZbLdPfR7I=';

function refusal(environment: Record<string, string>, args: string[] = []): string {
  try {
    loadConfig(environment, args);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('configuration', () => {
  it('the configuration works without any setting and then serves this machine only', () => {
    expect(loadConfig({})).toMatchObject({
      environment: 'production',
      role: 'all',
      host: 'localhost',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      databaseUrl: undefined,
      trustProxy: false,
    });
    expect(loadConfig({ PUBLIC_URL: 'https://cal.example.org/' })).toMatchObject({
      host: '0.0.0.0',
      publicUrl: 'https://cal.example.org',
    });
  });

  it.each([
    ['NODE_ENV', 'staging', 'production, development, test'],
    ['HOST', 'not a host', 'IP address'],
    ['PORT', 'http', 'from 0 to 65535'],
    ['PORT', '70000', 'from 0 to 65535'],
    ['PUBLIC_URL', 'calendar.example.org', 'http or https'],
    ['PUBLIC_URL', 'https://example.org/path', 'without a path'],
    ['DATABASE_URL', 'mysql://localhost/x', 'postgres://'],
    ['DATA_DIR', ' data', 'a directory'],
    ['ENCRYPTION_KEYS', 'changeme', '32 random bytes'],
    ['LOG_LEVEL', 'loud', 'debug'],
    ['LOG_FORMAT', 'xml', 'json'],
    ['CALDAV_ALLOW_PRIVATE', 'http://nas', 'host:port'],
    ['CALDAV_ALLOW_PRIVATE', 'nas.local', 'host:port'],
    ['CALDAV_ALLOW_PRIVATE', '127.0.0.1:5232,[fd00::1]', 'host:port'],
    ['HSTS_INCLUDE_SUBDOMAINS', 'yes', 'true'],
    ['TRUST_PROXY', 'yes please', '10.0.0.0/8'],
    ['METRICS_TOKEN', 'short', '16'],
  ])('a wrong %s (%s) is refused in one line that names the setting and the right form', (name, value, hint) => {
    const message = refusal({ [name]: value });
    expect(message).toContain(name);
    expect(message).toContain(hint);
    expect(message).not.toContain('\n');
  });

  it.each([
    ['a password in base64', `k1:${Buffer.from('changeme'.repeat(4)).toString('base64')}`],
    ['one byte over and over', `k1:${Buffer.alloc(32, 7).toString('base64')}`],
    ['a short key', `k1:${Buffer.from('0123456789abcdef').toString('base64')}`],
    ['a name twice', `${key},${key}`],
  ])('a weak encryption key is refused: %s', (_, keys) => {
    const message = refusal({ ENCRYPTION_KEYS: keys });
    expect(message).toContain('ENCRYPTION_KEYS');
    expect(message).not.toContain(keys.slice(3)); // a secret is not repeated on the terminal
  });

  it('the configuration accepts strong keys, lists, and roles', () => {
    const config = loadConfig(
      {
        ENCRYPTION_KEYS: key,
        CALDAV_ALLOW_PRIVATE: 'nas.local:5232, [fd00::1]:80',
        TRUST_PROXY: '10.0.0.0/8,127.0.0.1',
      },
      ['--role', 'worker'],
    );
    expect(config).toMatchObject({
      encryptionKeys: key,
      caldavAllowPrivate: ['nas.local:5232', '[fd00::1]:80'],
      trustProxy: ['10.0.0.0/8', '127.0.0.1'],
      role: 'worker',
    });
    expect(loadConfig({}, ['--role=web']).role).toBe('web');
    expect(refusal({}, ['--role', 'boss'])).toContain('web, worker, all or migrate');
    expect(refusal({}, ['--verbose'])).toContain('--verbose');
  });

  it('the configuration has the same variables as .env.example', () => {
    const text = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8');
    const listed = [...text.matchAll(/^#?([A-Z_]+)=/gm)].map((match) => match[1] ?? '');
    expect(new Set(listed)).toEqual(new Set(Object.keys(settings)));
    expect(listed).toHaveLength(Object.keys(settings).length);
  });
});
