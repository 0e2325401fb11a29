import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { settings } from '#platform/config.ts';

/** Image, composition and unit as they are written; `node scripts/check-image.ts` carries the image's steps out. */

const root = join(import.meta.dirname, '..');
const read = (name: string) => readFile(join(root, name), 'utf8');

/** Enough of YAML for this file: what stands below a key, two spaces deeper, by the names there. */
function below(text: string, key: string): Map<string, string> {
  const [, inside = ''] = new RegExp(`^${key}:[^\\n]*\\n((?: .*\\n|\\n)*)`, 'm').exec(text) ?? [];
  const parts = inside.replace(/^ {2}/gm, '').split(/^(?=[\w-]+:)/m);
  return new Map(parts.filter((part) => /^[\w-]+:/.test(part)).map((part) => [part.slice(0, part.indexOf(':')), part]));
}

test('every Compose service runs without root and has a health check', async () => {
  const text = await read('compose.yaml');
  const dockerfile = await read('Dockerfile');
  const shared = [...below(text, 'x-holdfast').values()].join('');
  expect(shared).toMatch(/^user: node$/m);
  const services = below(text, 'services');
  expect([...services.keys()].sort()).toEqual(['app', 'mail', 'postgres', 'worker']);
  for (const [name, service] of services) {
    const isOurs = service.includes('<<: *holdfast');
    const user = /^ {2}user: "?([^"\n]+)"?$/m.exec(isOurs ? `${service}\n  user: node` : service)?.[1];
    expect([name, user]).toEqual([name, expect.not.stringMatching(/^(root|0)(:|$)/)]);
    const isWatched = /^ {2}healthcheck:$/m.test(service) || (isOurs && dockerfile.includes('HEALTHCHECK'));
    expect([name, isWatched]).toEqual([name, true]);
  }
  // the awaited service has a health check
  expect(services.get('worker')).toContain('app: { condition: service_healthy }');
  expect(services.get('app')).toContain('postgres: { condition: service_healthy }');
});

test('every setting in .env reaches the containers, and Compose sets only known settings', async () => {
  const shared = below(await read('compose.yaml'), 'x-holdfast');
  expect(shared.get('env_file')).toContain('{ path: .env, required: false }');
  const own = [...(shared.get('environment') ?? '').matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name);
  expect(own).toEqual(expect.arrayContaining(['DATABASE_URL', 'PUBLIC_URL', 'SMTP_URL', 'DATA_DIR']));
  expect(own.filter((name) => !(name !== undefined && name in settings))).toEqual([]);
});

test('the image copies existing files, ends as an unprivileged user, and sets no secrets', async () => {
  const text = await read('Dockerfile');
  const last = text.slice(text.lastIndexOf('\nFROM '));
  const copied = [...last.matchAll(/^COPY (?!--from)(.*) \.\/.*$/gm)].flatMap(([, names = '']) => names.split(' '));
  expect(copied.length).toBeGreaterThan(6);
  expect(copied.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  expect(last).toMatch(/^FROM debian:/m);
  expect(last.indexOf('\nUSER node')).toBeGreaterThan(last.lastIndexOf('\nRUN '));
  for (const line of ['HEALTHCHECK', 'STOPSIGNAL SIGTERM', 'ENTRYPOINT ["node"']) expect(last).toContain(line);
  // an ARG or ENV with one would be in the image for ever
  const set = [...text.matchAll(/^(?:ENV|ARG) (.*)$/gm)].flatMap(([, all = '']) => [...all.matchAll(/([A-Z_]+)=/g)]);
  expect(set.map(([, name]) => name)).toEqual([
    'NODE_ENV',
    'MALLOC_ARENA_MAX',
    'MALLOC_MMAP_THRESHOLD_',
    'LOG_FORMAT',
    'HOST',
    'PORT',
    'DATA_DIR',
  ]);
  const kept = (await read('.dockerignore')).split('\n');
  for (const name of ['.env', 'data', 'node_modules', '.git']) expect(kept).toContain(name);
});

const analyser = '/usr/bin/systemd-analyze';
test.skipIf(!existsSync(analyser))('systemd accepts the unit file', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'hf-unit-'));
  try {
    const text = await read('ops/systemd/holdfast.service');
    const program = /^ExecStart=(\S+)/m.exec(text)?.[1] ?? '';
    const there = join(dir, program);
    await mkdir(dirname(there), { recursive: true });
    await writeFile(there, '#!/bin/sh\n');
    await chmod(there, 0o755);
    const unit = join(dir, 'holdfast.service');
    const complaints = async (body: string) => {
      await writeFile(unit, body.replaceAll('/opt/holdfast', join(dir, '/opt/holdfast')));
      return spawnSync(analyser, ['verify', '--man=no', unit], { encoding: 'utf8' }).stderr;
    };
    expect(await complaints(text)).toBe('');
    expect(await complaints(text.replace('Restart=always', 'Restart=sometimes'))).toContain('sometimes');
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
