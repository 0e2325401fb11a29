import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** As behind `npm start`: a third of every start was spent on reading and stripping types. */
const compileCache = join(root, 'node_modules/.cache/node');

export interface Holdfast {
  pid: number;
  /** Empty for a worker. */
  url: string;
  /** Output so far. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** Exit code, or the signal that ended it. */
  exited: Promise<number | NodeJS.Signals>;
}

export interface SpawnOptions {
  /** Relative to the repository; the real entry by default. */
  entry?: string;
  args?: string[];
  /** One that is undefined is not set. */
  env?: Record<string, string | undefined>;
}

const running = new Set<ChildProcess>();

/** A real process, ready. Listens on a free port; call `killAll` when the tests are over. */
export async function spawnHoldfast({ entry = 'src/main.ts', args = [], env = {} }: SpawnOptions): Promise<Holdfast> {
  const { child, output, exited } = launch([join(root, entry), ...args], env);
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (/Holdfast (is ready|works)/.test(output())) resolve();
    });
    child.on('exit', () => reject(new Error(`it did not start:\n${output()}`)));
    child.on('error', reject);
  });
  return {
    pid: child.pid as number,
    url: /Holdfast is ready: (\S+)/.exec(output())?.[1]?.replace('localhost', '127.0.0.1') ?? '',
    output,
    kill: (signal) => child.kill(signal),
    exited,
  };
}

/** Runs a start that is expected to end. */
export async function runToEnd(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: unknown; output: string }> {
  const { output, exited } = launch(args.with(0, join(root, args[0] ?? '')), env);
  return { code: await exited, output: output() };
}

/** Starts a process that is killed or ends. */
export function launch(args: string[], env: Record<string, string | undefined>) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...ofThisMachine(),
      NODE_COMPILE_CACHE: compileCache,
      NODE_ENV: 'test',
      PORT: '0',
      HOST: '127.0.0.1',
      ...env,
    },
  });
  running.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const exited = new Promise<number | NodeJS.Signals>((resolve) => {
    child.on('close', (code, signal) => {
      running.delete(child);
      resolve(code ?? signal ?? 1);
    });
  });
  return { child, output: () => text, exited };
}

/** A clock, time zone and language that the run was given (libfaketime) are those of its servers too. */
const ofThisMachine = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(?:TZ|LC_ALL|LD_PRELOAD|FAKETIME.*)$/.test(name)),
  );

/** Ends what a failed test left behind. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}
