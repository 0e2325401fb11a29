// How the bootstrap runs other programs. Plain JavaScript for any Node >= 18.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, utimes, writeFileSync } from 'node:fs';
import { constants as os } from 'node:os';
import { join } from 'node:path';

/** A start that cannot work. The person who started it sees the message alone. */
export class StartError extends Error {}

/** A person ended a step, as with Ctrl-C. */
export class Interrupted extends StartError {
  constructor(label, signal, code) {
    super(`${label}: interrupted. The next start completes it.`);
    this.code = code;
    this.exitCode = 128 + os.signals[signal];
  }
}

/** The text of a file. Undefined where it is missing or unreadable. */
export function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const beatMs = 2000;
const abandonedAfterMs = 15_000;
const tellEveryMs = 5000;

/**
 * Runs `work` unless `isDone()`. One of several starts works and the others wait; the lock of a dead process is taken
 * over.
 */
export async function withLock(root, name, isDone, work) {
  const lock = join(root, `.holdfast-${name}.lock`);
  const startedMs = Date.now();
  for (let toldMs = 0; ; ) {
    try {
      mkdirSync(lock);
      writeFileSync(join(lock, 'pid'), `${process.pid}`);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned(lock)) rmSync(lock, { recursive: true, force: true });
    else {
      if (Date.now() - toldMs >= tellEveryMs) {
        const other = read(join(lock, 'pid'));
        const waited = toldMs === 0 ? '' : ` ${Math.round((Date.now() - startedMs) / 1000)} s`;
        console.log(`Waiting for another process${other ? ` (${other})` : ''} to ${name} …${waited}`);
        toldMs = Date.now();
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
  const beat = setInterval(() => utimes(lock, new Date(), new Date(), () => undefined), beatMs);
  try {
    if (!isDone()) await work();
  } finally {
    clearInterval(beat);
    rmSync(lock, { recursive: true, force: true });
  }
}

function isAbandoned(lock) {
  // After a restart of the machine or the container, the number may belong to another process.
  const sinceMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Date.now() - sinceMs > abandonedAfterMs) return true;
  const pid = Number(read(join(lock, 'pid')));
  if (!(pid > 0)) return false; // a lock that has just been made
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/**
 * Runs a program and says how long it took. Its output appears only when it fails. Throws StartError with `code` then, and
 * Interrupted after a signal.
 */
export async function step(label, file, args, { cwd, env = process.env }) {
  const startedMs = Date.now();
  console.log(`${label} …`);
  const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], env: { ...env, NODE_ENV: '' } });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const ticker = setInterval(
    () => console.log(`${label} … ${Math.round((Date.now() - startedMs) / 1000)} s`),
    tellEveryMs,
  );
  let interruptedBy;
  const [code, signal] = await ended(child, (name) => {
    interruptedBy = name;
    child.kill(name);
  });
  clearInterval(ticker);
  // Ctrl-C reaches both, and the child may end first.
  if (signalNames.includes(signal)) interruptedBy ??= signal;
  if (interruptedBy !== undefined) throw new Interrupted(label, interruptedBy, code);
  if (code !== 0) {
    process.stdout.write(output);
    throw Object.assign(new StartError(`${label} failed (${signal ?? `exit ${code}`})`), { code });
  }
  console.log(`${label}: done in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
}

/** The wait before the first restart, doubled each time up to the longest; a run this long starts the count over. */
const firstWaitMs = 1000;
const longestWaitMs = 60_000;
const steadyMs = 60_000;

/**
 * Runs the real process and behaves like it: signals are passed on, and its end is ours. With `comesBack`, one that has
 * sent `ready` and then ended unexpectedly starts again. One that failed starts again where `mend` found the reason. `afterKill` runs before the end where the process left things behind.
 */
export async function become(
  node,
  args,
  { cwd, env, parent, mend = async () => false, comesBack = false, afterKill = async () => undefined },
) {
  let child;
  let isStopping = false;
  let endWait = () => undefined;
  const stop = (name) => {
    isStopping = true;
    child.kill(name);
    endWait();
  };
  for (const name of signalNames) process.on(name, () => stop(name));
  // npm passes signals on to its shell only, and nobody tells us when npm is killed.
  setInterval(() => {
    if (process.ppid !== parent) stop('SIGTERM');
  }, 500).unref();
  let wasReady = false;
  let waitMs = firstWaitMs;
  for (;;) {
    const startedMs = Date.now();
    // The channel carries `ready` alone. It closes when this process dies, even by kill -9, and the child then stops.
    child = spawn(node, args, { cwd, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
    child.on('message', (message) => {
      wasReady ||= message === 'ready';
    });
    const [code, signal] = await exitOf(child);
    if (code !== 0 && !isStopping && (await mend())) continue;
    if (code === 0 || isStopping || !comesBack || !wasReady) {
      // a start that cannot work has closed what it opened
      if (code !== 0 && (wasReady || code !== 1)) await afterKill();
      process.exit(code ?? 128 + (os.signals[signal] ?? 0));
    }
    if (Date.now() - startedMs > steadyMs) waitMs = firstWaitMs;
    console.error(`Holdfast ended unexpectedly: ${whyEnded(code, signal)}. It starts again in ${waitMs / 1000} s.`);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    if (isStopping) {
      await afterKill();
      process.exit(0);
    }
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }
}

function whyEnded(code, signal) {
  if (signal === 'SIGKILL') return 'it was killed (SIGKILL), by somebody or because the machine had no memory left';
  if (signal === 'SIGABRT' || code === 134) return 'it ran out of memory, or Node.js failed (SIGABRT)';
  return signal === null ? `exit code ${code}; the lines above say why` : `signal ${signal}`;
}

const signalNames = ['SIGINT', 'SIGTERM', 'SIGHUP'];

function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve([code, signal]));
  });
}

function ended(child, onSignal) {
  const listeners = signalNames.map((name) => [name, () => onSignal(name)]);
  for (const [name, listener] of listeners) process.on(name, listener);
  return exitOf(child).finally(() => {
    for (const [name, listener] of listeners) process.off(name, listener);
  });
}
