import { spawn } from 'node:child_process';
import { join } from 'node:path';

// `npm run dev`: the server, restarted when its sources change, and Vite for the browser with hot replacement. The public
// pages are rendered by the server, and rebuilt when their sources change, which restarts it
const root = join(import.meta.dirname, '..');
const environment = { NODE_ENV: 'development', LOG_FORMAT: 'pretty', PORT: '3000', ...process.env };
const children = [
  spawn(
    process.execPath,
    [
      ...['access', 'booking', 'routing', 'site'].map((name) => `--watch-path=src/features/${name}/page`),
      'scripts/build-pages.ts',
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: environment,
    },
  ),
  spawn(process.execPath, ['--watch', '--watch-preserve-output', 'src/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: environment,
  }),
  spawn(process.execPath, ['node_modules/vite/bin/vite.js', '--clearScreen', 'false'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...environment, HOLDFAST_SERVER: `http://localhost:${environment.PORT}` },
  }),
];

const stop = (signal: NodeJS.Signals) => {
  for (const child of children) child.kill(signal);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
process.on('disconnect', () => stop('SIGTERM'));
for (const child of children) child.on('exit', () => stop('SIGTERM'));
