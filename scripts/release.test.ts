import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cutChangelog, isHigher, settleSbom, setVersion } from './release.ts';

const root = join(import.meta.dirname, '..');

test('a version is higher by its first differing number', () => {
  const part = fc.nat(30);
  fc.assert(
    fc.property(fc.tuple(part, part, part), fc.tuple(part, part, part), (a, b) => {
      const weight = ([major, minor, patch]: number[]) => (major ?? 0) * 10_000 + (minor ?? 0) * 100 + (patch ?? 0);
      expect(isHigher(a.join('.'), b.join('.'))).toBe(weight(a) > weight(b));
    }),
  );
  for (const wrong of ['1.2', 'v1.2.3', '01.2.3', '1.2.3-rc', ''])
    expect(() => isHigher(wrong, '1.0.0')).toThrow('no version');
});

test('a release moves the unreleased changelog under a heading and keeps older sections', () => {
  const text = '# Changelog\n\n## Unreleased\n\n- $& new\n\n## 0.9.0 (2026-01-01)\n\n- old\n';
  expect(cutChangelog(text, '1.0.0', '2026-11-22')).toEqual({
    text: '# Changelog\n\n## Unreleased\n\n## 1.0.0 (2026-11-22)\n\n- $& new\n\n## 0.9.0 (2026-01-01)\n\n- old\n',
    section: '- $& new',
  });
  expect(cutChangelog('## Unreleased\n\n- last', '1.0.0', 'x').section).toBe('- last');
  for (const nothing of ['# Changelog\n', '## Unreleased\n\n## 0.9.0\n\n- old\n'])
    expect(() => cutChangelog(nothing, '1.0.0', 'x')).toThrow('nothing under "Unreleased"');
});

test('the version is set in the lockfile’s own entries and not in its packages', () => {
  const lock = JSON.parse(setVersion(readFileSync(join(root, 'package-lock.json'), 'utf8'), '7.8.9', 2)) as {
    version: string;
    packages: Record<string, { version: string }>;
  };
  const before = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as typeof lock;
  expect([lock.version, lock.packages['']?.version]).toEqual(['7.8.9', '7.8.9']);
  expect({ ...lock, version: '', packages: { ...lock.packages, '': null } }).toEqual({
    ...before,
    version: '',
    packages: { ...before.packages, '': null },
  });
});

describe('release in a test repository', () => {
  let dir: string;
  const run = (file: string, ...args: string[]) =>
    execFileSync(file, args, { cwd: dir, encoding: 'utf8', stdio: 'pipe' });
  const release = (...args: string[]) => run(process.execPath, 'scripts/release.ts', ...args);
  const refused = (...args: string[]): string => {
    try {
      return `not refused: ${release(...args)}`;
    } catch (error) {
      return String((error as { stderr: string }).stderr);
    }
  };

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'hf-release-'));
    mkdirSync(join(dir, 'scripts'));
    for (const name of ['package.json', 'package-lock.json', 'scripts/release.ts', 'ops/helm/holdfast/Chart.yaml'])
      cpSync(join(root, name), join(dir, name));
    symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
    writeFileSync(join(dir, '.gitignore'), 'node_modules\n');
    writeFileSync(join(dir, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n- # first of all\n');
    run('git', 'init', '--quiet', '--initial-branch=main');
    run('git', 'config', 'user.name', 'Ada');
    run('git', 'config', 'user.email', 'ada@example.org');
    run('git', 'add', '.');
    run('git', 'commit', '--quiet', '--message', 'all');
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  test('a dry run writes nothing, and a release makes one commit, a tag with its changelog, and an SBOM', {
    timeout: 60_000,
  }, () => {
    // Debian 12 has npm 9, which writes no SBOM
    if (Number.parseInt(run('npm', '--version'), 10) < 10) {
      expect(refused('1.0.0', '--dry-run')).toContain('npm 10 or newer');
      return;
    }
    expect(release('1.0.0', '--dry-run')).toContain('Nothing was written');
    expect(run('git', 'status', '--porcelain')).toBe('');
    release('1.0.0', '--skip-checks');
    expect(run('git', 'status', '--porcelain')).toBe('');
    expect(run('git', 'log', '--format=%s')).toBe('chore(release): 1.0.0\nall\n');
    expect(run('git', 'tag', '--list', '--format=%(contents)', 'v1.0.0').trim()).toBe('1.0.0\n\n- # first of all');
    expect(JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))).toMatchObject({ version: '1.0.0' });
    expect(readFileSync(join(dir, 'ops/helm/holdfast/Chart.yaml'), 'utf8')).toMatch(
      /^version: 1\.0\.0\nappVersion: 1\.0\.0$/m,
    );

    const bom = readFileSync(join(dir, 'sbom.cdx.json'), 'utf8');
    const { components, metadata } = JSON.parse(bom) as {
      components: { name: string; version: string; hashes: unknown[] }[];
      metadata: { component: object };
    };
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const parts = components.map(({ name, version }) => `${name}@${version}`);
    const named = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
    expect(named.filter((one) => !parts.includes(one))).toEqual([]);
    expect(components.filter(({ hashes }) => hashes === undefined).map(({ name }) => name)).toEqual([]);
    expect(components.map(({ name }) => name)).not.toContain('vitest');
    expect(metadata.component).toMatchObject({ name: 'holdfast', version: '1.0.0' });
    expect(bom).not.toMatch(/https?:\/\/(?!cyclonedx\.org)|timestamp|serialNumber/);
    expect(settleSbom(bom, 'holdfast')).toBe(bom);

    expect(refused('1.0.0')).toContain('does not follow 1.0.0');
    expect(refused('1.0.1')).toContain('nothing under "Unreleased"');
    writeFileSync(join(dir, 'CHANGELOG.md'), 'changed');
    expect(refused('1.0.1')).toContain('not clean');
    expect(refused('next')).toContain('no version');
    expect(refused()).toContain('Say which version');
  });
});
