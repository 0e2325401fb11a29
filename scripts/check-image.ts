import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { createLog } from '#platform/log.ts';

/**
 * Checks the Dockerfile without a builder. Its last stages run in a temporary directory. The result is measured, and
 * started on an empty database until it is ready. The base image is not available for measuring. Its size comes from
 * `docker images`, and our layers have to leave it room.
 */
const budgetMb = 400;
const baseRoomMb = 90;
const root = join(import.meta.dirname, '..');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const dir = mkdtempSync(join(tmpdir(), 'holdfast-image-'));
const app = join(dir, 'app');
try {
  mkdirSync(app);
  if (!existsSync(join(root, 'dist/web/index.html'))) throw new Error('Build first: npm start, or npm run build:web.');
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(root, name), join(app, name));
  const [, install = ''] = /^RUN (npm install .* --omit=dev)$/m.exec(dockerfile) ?? [];
  execFileSync('sh', ['-c', install], { cwd: app, stdio: 'inherit' });
  checkLibraries();
  const [, prune = ''] = /^RUN (rm -rf node_modules\/.*)$/m.exec(dockerfile) ?? [];
  if (install === '' || prune === '') throw new Error('The Dockerfile has changed its steps: follow it here.');
  execFileSync('sh', ['-c', prune], { cwd: app });
  const kept = new Set(execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n'));
  const isShipped = (path: string) => kept.has(path) && !/\.test\.tsx?$/.test(path);
  for (const [, names = ''] of dockerfile.matchAll(/^COPY (?!--from)((?!\.).*) \.\/.*$/gm)) {
    for (const name of names.split(' ')) {
      for (const path of kept) {
        if (path !== name && !path.startsWith(`${name}/`)) continue;
        if (isShipped(path)) cpSync(join(root, path), join(app, path));
      }
    }
  }
  // as the build stage leaves it
  for (const name of ['web', 'pages'])
    cpSync(join(root, 'dist', name), join(app, 'dist', name), {
      recursive: true,
      filter: (path) => !path.endsWith('.map'),
    });
  const parts = readdirSync(app).map((name) => ({ name, mb: sizeOf(join(app, name)) / 1_048_576 }));
  for (const { name, mb } of parts.sort((a, b) => b.mb - a.mb)) console.log(`${mb.toFixed(1).padStart(8)} MB  ${name}`);
  const nodeMb = sizeOf(process.execPath) / 1_048_576;
  console.log(`${nodeMb.toFixed(1).padStart(8)} MB  node`);
  const mb = parts.reduce((sum, part) => sum + part.mb, nodeMb);
  console.log(
    `${mb.toFixed(1).padStart(8)} MB  our layers; the base image may have ${(budgetMb - mb).toFixed(0)} MB of ${budgetMb}`,
  );
  if (mb > budgetMb - baseRoomMb)
    throw new Error(`Our layers leave the base image less than ${baseRoomMb} MB of ${budgetMb}.`);
  await startThere();
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function sizeOf(path: string): number {
  const found = lstatSync(path);
  if (!found.isDirectory()) return found.blocks === undefined ? found.size : found.blocks * 512;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/**
 * Checks that the last stage has the libraries that Node is linked with: Debian's base has some, and a step installs
 * the others.
 */
function checkLibraries(): void {
  if (process.platform !== 'linux') return;
  const inDebian = [
    'libc.so',
    'libdl.so',
    'libm.so',
    'libpthread.so',
    'libstdc++.so',
    'libgcc_s.so',
    'ld-linux',
    'linux-vdso',
  ];
  const [, installed = ''] =
    /^RUN apt-get update && apt-get install -y --no-install-recommends (.*?) &&/m.exec(dockerfile) ?? [];
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] };
  for (const file of sharedObjects.map((path) => path.split('/').at(-1) ?? path)) {
    if (inDebian.some((name) => file.includes(name))) continue;
    const name = file.split('.so')[0] ?? file;
    if (!installed.includes(name))
      throw new Error(`Node is linked with ${name}, which no step of the Dockerfile installs.`);
  }
}

async function startThere(): Promise<void> {
  const log = await createLog({ level: 'silent', format: 'json' });
  const postgres = await startEmbeddedPostgres({ dir: join(dir, 'postgres'), log, settings: { fsync: 'off' } });
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: postgres.url,
    DATA_DIR: join(dir, 'data'),
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'info',
  };
  const child = spawn(process.execPath, ['src/main.ts'], { cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let text = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          const ready = /http:\/\/localhost:\d+/.exec(text)?.[0];
          if (ready !== undefined) resolve(ready);
        });
      }
      setTimeout(() => reject(new Error(`not ready: ${text.slice(-2000)}`)), 90_000).unref();
      child.on('exit', () => reject(new Error(`it ended: ${text.slice(-2000)}`)));
    });
    for (const path of ['/readyz', '/login', '/api/openapi.json']) {
      const answer = await fetch(`${address}${path}`, { headers: { accept: 'text/html,*/*' } });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    }
    console.log('It starts from these layers alone, and answers.');
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
    await postgres.close();
  }
}
