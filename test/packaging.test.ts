import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { settings } from '#platform/config.ts';
import { basesOf, commandOf, withBases } from '../scripts/build-images.ts';
import { setChartVersion } from '../scripts/release.ts';

/** Images, composition, chart and unit as they are written; `node scripts/build-images.ts` builds the images. */

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

test('both images copy existing files, end as an unprivileged user, and set no secrets', async () => {
  const text = await read('Dockerfile');
  const stages = text.split(/^FROM /m).slice(1);
  const base = stages.find((stage) => / AS base$/m.test(stage)) ?? '';
  expect(stages.slice(-2).map((stage) => stage.split('\n')[0])).toEqual(['base AS all-in-one', 'base AS holdfast']);
  const copied = [...base.matchAll(/^COPY (?!--from)(.*) \.\/.*$/gm)].flatMap(([, names = '']) => names.split(' '));
  expect(copied.length).toBeGreaterThan(6);
  expect(copied.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  expect(base.indexOf('\nUSER node')).toBeGreaterThan(base.lastIndexOf('\nRUN '));
  for (const stage of stages.slice(-2)) expect(stage).not.toMatch(/^(?:USER|RUN) /m);
  for (const line of ['HEALTHCHECK', 'STOPSIGNAL SIGTERM', 'ENTRYPOINT ["node"']) expect(base).toContain(line);
  // an ARG or ENV with one would be in the image for ever
  const set = [...text.matchAll(/^(?:ENV|ARG) (.*)$/gm)].flatMap(([, all = '']) => [...all.matchAll(/([A-Z_]+)=/g)]);
  expect(set.map(([, name]) => name)).toEqual([
    'NODE_IMAGE',
    'BASE_IMAGE',
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

test('each architecture and target is built by one command, for both builders', () => {
  const build = {
    arch: 'arm64',
    target: 'all-in-one',
    tag: 'holdfast:1.2.3-all-in-one-arm64',
    bases: { NODE_IMAGE: 'node:1' },
  };
  const labels = { version: '1.2.3', revision: 'abc', created: '2026-11-28T00:00:00Z' };
  const docker = commandOf({ builder: 'docker', ...build, ...labels });
  const buildah = commandOf({ builder: 'buildah', ...build, ...labels });
  expect(docker.slice(0, 4)).toEqual(['docker', 'buildx', 'build', '--load']);
  // the format OCI has no health check
  expect(buildah.slice(0, 4)).toEqual(['buildah', 'build', '--format', 'docker']);
  for (const command of [docker, buildah])
    expect(command.join(' ')).toContain(
      '--platform linux/arm64 --target all-in-one --tag holdfast:1.2.3-all-in-one-arm64',
    );
});

test('pinning changes the base images and nothing else', async () => {
  const text = await read('Dockerfile');
  const bases = basesOf(text);
  expect([...bases.keys()]).toEqual(['NODE_IMAGE', 'BASE_IMAGE']);
  const digest = `sha256:${'0'.repeat(64)}`;
  const pinned = withBases(text, new Map([['BASE_IMAGE', `debian@${digest}`]]));
  expect(basesOf(pinned)).toEqual(new Map([...bases, ['BASE_IMAGE', `debian@${digest}`]]));
  expect(withBases(pinned, bases)).toBe(text);
});

/** Paths of the keys of YAML with two spaces of indentation and no keys in quotes. */
function pathsOf(yaml: string): string[] {
  const path: string[] = [];
  return yaml.split('\n').flatMap((line) => {
    const [, indent = '', key = ''] = /^( *)([A-Za-z]+):/.exec(line) ?? [];
    if (key === '') return [];
    path.splice(indent.length / 2, path.length, key);
    return [path.join('.')];
  });
}

test('the schema of the chart describes every value, and the chart has the version of the product', async () => {
  interface Schema {
    properties?: Record<string, Schema>;
    $ref?: string;
  }
  const schema = JSON.parse(await read('ops/helm/holdfast/values.schema.json')) as Schema & {
    definitions: Record<string, Schema>;
  };
  const describes = (path: string): boolean => {
    let at: Schema | undefined = schema;
    for (const key of path.split('.')) {
      const named: Schema | undefined =
        at?.$ref === undefined ? at : schema.definitions[at.$ref.split('/').at(-1) ?? ''];
      // below an open object, the keys are Kubernetes' own
      if (named?.properties === undefined) return named !== undefined;
      at = named.properties[key];
    }
    return at !== undefined;
  };
  const paths = pathsOf(await read('ops/helm/holdfast/values.yaml'));
  expect(paths).toContain('web.podDisruptionBudget');
  expect(paths.filter((path) => !describes(path))).toEqual([]);
  expect(describes('web.replica')).toBe(false);
  const chart = await read('ops/helm/holdfast/Chart.yaml');
  const { version } = JSON.parse(await read('package.json')) as { version: string };
  expect(setChartVersion(chart, version)).toBe(chart);
  expect(setChartVersion(chart, '7.8.9').match(/7\.8\.9/g)).toHaveLength(2);
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
