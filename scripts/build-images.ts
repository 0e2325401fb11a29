import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * `node scripts/build-images.ts`: builds the two images of the Dockerfile with Docker or Buildah, and checks their sizes.
 * `--arch=amd64,arm64` names the architectures, `--name=registry/holdfast` the images, and `--push` publishes them.
 * `--node-image` and `--base-image` replace the base images. `--pin` writes their current digests into the Dockerfile.
 */

const root = join(import.meta.dirname, '..');
const path = join(root, 'Dockerfile');
/** Targets of the Dockerfile, with the end of their tags and the largest size, MB (10^6 bytes, unpacked). */
const images = [
  { target: 'holdfast', suffix: '', budgetMb: 400 },
  { target: 'all-in-one', suffix: '-all-in-one', budgetMb: 550 },
] as const;

/** A build that cannot be made, in words for the maintainer. */
export class BuildError extends Error {}

interface Build {
  builder: 'docker' | 'buildah';
  arch: string;
  target: string;
  tag: string;
  /** Base images in place of those of the Dockerfile. */
  bases: Readonly<Record<string, string>>;
  version: string;
  revision: string;
  /** ISO 8601, of the commit: the same commit gives the same label. */
  created: string;
}

/** The command line that builds one image for one architecture. */
export function commandOf({ builder, arch, target, tag, bases, version, revision, created }: Build): string[] {
  const labels = { version, revision, created, licenses: 'MIT', title: 'Holdfast', vendor: 'Holdfast' };
  return [
    builder,
    // HEALTHCHECK is not part of the format OCI
    ...(builder === 'docker' ? ['buildx', 'build', '--load'] : ['build', '--format', 'docker', '--layers']),
    '--platform',
    `linux/${arch}`,
    '--target',
    target,
    '--tag',
    tag,
    ...Object.entries(bases).flatMap(([name, image]) => ['--build-arg', `${name}=${image}`]),
    ...Object.entries(labels).flatMap(([name, text]) => ['--label', `org.opencontainers.image.${name}=${text}`]),
    '.',
  ];
}

/** The base images of a Dockerfile by their ARG. */
export function basesOf(dockerfile: string): Map<string, string> {
  return new Map(
    [...dockerfile.matchAll(/^ARG ([A-Z]+_IMAGE)=(\S+)$/gm)].map(([, name = '', image = '']) => [name, image]),
  );
}

/** The Dockerfile with other base images. */
export function withBases(dockerfile: string, bases: ReadonlyMap<string, string>): string {
  return dockerfile.replace(/^(ARG ([A-Z]+_IMAGE)=)\S+$/gm, (line, start: string, name: string) => {
    const image = bases.get(name);
    return image === undefined ? line : `${start}${image}`;
  });
}

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;
const run = (command: readonly string[]) =>
  execFileSync(command[0] ?? '', command.slice(1), { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }).trim();
const runAloud = (command: readonly string[]) =>
  execFileSync(command[0] ?? '', command.slice(1), { cwd: root, stdio: 'inherit' });

/** The digest of an image for all architectures, from its registry. */
function findDigest(image: string): string {
  const [name = ''] = image.split('@');
  const answer = isThere('skopeo')
    ? run(['skopeo', 'inspect', '--raw', `docker://${name}`])
    : run(['docker', 'buildx', 'imagetools', 'inspect', '--raw', name]);
  return run(['sh', '-c', `printf %s "$1" | sha256sum | cut -d' ' -f1`, 'sh', answer]);
}

function pin(): void {
  const dockerfile = readFileSync(path, 'utf8');
  const pinned = [...basesOf(dockerfile)].map(([name, image]) => {
    const [plain = ''] = image.split('@');
    return [name, `${plain}@sha256:${findDigest(image)}`] as const;
  });
  writeFileSync(path, withBases(dockerfile, new Map(pinned)));
  for (const [, image] of pinned) console.log(image);
}

/** Unpacked, MB. */
function sizeOf(builder: Build['builder'], tag: string): number {
  const bytes =
    builder === 'docker'
      ? run(['docker', 'image', 'inspect', '--format', '{{.Size}}', tag])
      : (JSON.parse(run(['buildah', 'images', '--json', tag])) as { size: string }[])[0]?.size;
  const [, amount = '', unit = 'B'] = /^([\d.]+) ?(\w*)$/.exec(String(bytes)) ?? [];
  const factor = { B: 1e-6, '': 1e-6, KB: 1e-3, MB: 1, GB: 1e3 }[unit.toUpperCase()];
  if (factor === undefined) throw new BuildError(`The size of ${tag} cannot be read: ${bytes}`);
  return Number(amount) * factor;
}

function build(): void {
  const { values } = parseArgs({
    options: {
      arch: { type: 'string', default: process.arch === 'arm64' ? 'arm64' : 'amd64' },
      builder: { type: 'string' },
      name: { type: 'string', default: 'holdfast' },
      'node-image': { type: 'string' },
      'base-image': { type: 'string' },
      push: { type: 'boolean', default: false },
    },
  });
  const builder = values.builder ?? ['docker', 'buildah'].find(isThere);
  if (builder !== 'docker' && builder !== 'buildah') throw new BuildError('Install Docker or Buildah first.');
  const bases = Object.fromEntries(
    Object.entries({ NODE_IMAGE: values['node-image'], BASE_IMAGE: values['base-image'] }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const loose = [...basesOf(readFileSync(path, 'utf8'))].filter(([, image]) => !image.includes('@sha256:'));
  if (values.push && loose.length > 0)
    throw new BuildError(
      `Published images need pinned bases. Run with --pin first: ${loose.map(([name]) => name).join(', ')}`,
    );
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const [revision = '', created = ''] = run(['git', 'log', '-1', '--format=%H %cI']).split(' ');
  const archs = values.arch.split(',');
  for (const arch of archs) {
    for (const { target, suffix, budgetMb } of images) {
      const tag = `${values.name}:${version}${suffix}-${arch}`;
      runAloud(commandOf({ builder, arch, target, tag, bases, version, revision, created }));
      const mb = sizeOf(builder, tag);
      console.log(`${mb.toFixed(0).padStart(5)} MB of ${budgetMb}  ${tag}`);
      if (mb > budgetMb) throw new BuildError(`${tag} has ${mb.toFixed(0)} MB; the limit is ${budgetMb} MB.`);
      if (values.push) runAloud([builder, 'push', tag]);
    }
  }
  if (!values.push) return;
  for (const { suffix } of images) {
    const name = `${values.name}:${version}${suffix}`;
    const parts = archs.map((arch) => `${name}-${arch}`);
    for (const command of publishing(builder, name, parts)) runAloud(command);
  }
}

/** The command lines that publish images of several architectures under one name. */
function publishing(builder: Build['builder'], name: string, parts: readonly string[]): string[][] {
  return builder === 'docker'
    ? [['docker', 'buildx', 'imagetools', 'create', '--tag', name, ...parts]]
    : [
        ['buildah', 'manifest', 'create', name, ...parts],
        ['buildah', 'manifest', 'push', '--all', name, `docker://${name}`],
      ];
}

if (import.meta.main) {
  try {
    if (process.argv.includes('--pin')) pin();
    else build();
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
