import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

/** Real CalDAV servers on loopback, each with its own temporary folder, for tests, journeys and benches. */

export interface CaldavServer {
  name: string;
  /** The address and credentials that a person would enter. */
  url: string;
  username: string;
  password: string;
  pid: number;
  /** Makes a calendar and gives its URL. */
  createCalendar(name: string): Promise<string>;
  removeCalendar(url: string): Promise<void>;
  /** Asks the server to end, waits for it, and removes its folder. */
  stop(): Promise<void>;
}

/** Why a program cannot be run here, or null. Where `CI=true` a missing one is a failure, not a skip. */
export function whyMissing(program: 'radicale' | 'xandikos' | 'khal'): string | null {
  const folders = (process.env.PATH ?? '').split(':').concat('/usr/bin', '/usr/local/bin');
  if (folders.some((folder) => folder !== '' && existsSync(join(folder, program)))) return null;
  const reason = `${program} is missing: install it with  apt-get install ${program}`;
  if (process.env.CI === 'true') throw new Error(reason);
  return reason;
}

/** Radicale with Basic sign-in; alice sees only what is hers. `users` adds accounts beside alice. */
export async function startRadicale(options: { users?: Record<string, string> } = {}): Promise<CaldavServer> {
  const users = { ...options.users, alice: 'secret' };
  return await startServer('radicale', async (folder, port) => {
    const passwords = Object.entries(users).map(([user, password]) => `${user}:${password}\n`);
    await writeFile(join(folder, 'users'), passwords.join(''));
    await writeFile(
      join(folder, 'config'),
      [
        '[server]',
        `hosts = 127.0.0.1:${port}`,
        'max_connections = 40',
        '[auth]',
        'type = htpasswd',
        `htpasswd_filename = ${join(folder, 'users')}`,
        'htpasswd_encryption = plain',
        'delay = 0',
        '[rights]',
        'type = owner_only',
        '[storage]',
        `filesystem_folder = ${join(folder, 'collections')}`,
        '[logging]',
        'level = warning',
        '',
      ].join('\n'),
    );
    return { program: 'radicale', args: ['--config', join(folder, 'config')], home: '/alice/' };
  });
}

/** Starts Xandikos, which has no sign-in and takes any password; every user is alice. */
export async function startXandikos(): Promise<CaldavServer> {
  return await startServer('xandikos', (folder, port) =>
    Promise.resolve({
      program: 'xandikos',
      args: ['-d', folder, '--defaults', '--current-user-principal', '/alice/', '-l', '127.0.0.1', '-p', String(port)],
      home: '/alice/calendars/',
    }),
  );
}

interface Launch {
  program: string;
  args: string[];
  /** Where calendars are made. */
  home: string;
}

async function startServer(
  name: string,
  prepare: (folder: string, port: number) => Promise<Launch>,
): Promise<CaldavServer> {
  // The port is free when it is chosen, not when it is used; a neighbour may be quicker.
  for (let attempt = 1; ; attempt += 1) {
    const folder = await mkdtemp(join(tmpdir(), `holdfast-${name}-`));
    const port = await freePort();
    const launch = await prepare(folder, port);
    const child = spawn(launch.program, launch.args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const stopWithUs = () => child.kill('SIGKILL');
    process.once('exit', stopWithUs);
    const stop = async () => {
      process.off('exit', stopWithUs);
      await end(child);
      await rm(folder, { recursive: true, force: true });
    };
    const url = `http://127.0.0.1:${port}`;
    const authorization = { authorization: `Basic ${Buffer.from('alice:secret').toString('base64')}` };
    const failure = await untilAnswering(child, `${url}${launch.home}`, authorization);
    if (failure === null) {
      return {
        name,
        url: `${url}/`,
        username: 'alice',
        password: 'secret',
        pid: child.pid ?? 0,
        createCalendar: (calendar) => createCalendar(`${url}${launch.home}`, calendar, authorization),
        removeCalendar: (calendarUrl) => removeCalendar(calendarUrl, authorization),
        stop,
      };
    }
    await stop();
    if (attempt === 3) throw new Error(`${name} did not start: ${failure}`);
  }
}

export async function createCalendar(home: string, name: string, headers: Record<string, string>): Promise<string> {
  const url = `${home}${encodeURIComponent(name.toLowerCase().replaceAll(' ', '-'))}/`;
  const response = await fetch(url, {
    method: 'MKCALENDAR',
    headers: { ...headers, 'content-type': 'application/xml' },
    body:
      '<?xml version="1.0"?><c:mkcalendar xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop>' +
      `<d:displayname>${name}</d:displayname></d:prop></d:set></c:mkcalendar>`,
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`MKCALENDAR ${name}: ${response.status} ${text.slice(0, 200)}`);
  return url;
}

export async function removeCalendar(url: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(url, { method: 'DELETE', headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`DELETE ${url}: ${response.status} ${text.slice(0, 200)}`);
}

/** Null once the server answers DAV; else why it does not. The first PROPFIND also makes Radicale's principal. */
export async function untilAnswering(
  child: ChildProcess,
  url: string,
  headers: Record<string, string>,
): Promise<string | null> {
  let said = '';
  const listen = (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2_000);
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  let failed: string | null = null;
  child.once('error', (error) => {
    failed = error.message;
  });
  const started = performance.now();
  while (performance.now() - started < 20_000) {
    if (failed !== null) return failed;
    if (child.exitCode !== null) return `it ended with code ${child.exitCode}: ${said}`;
    try {
      const response = await fetch(url, { method: 'PROPFIND', headers: { ...headers, depth: '0' } });
      await response.text();
      if (response.status === 207) return null;
      said = `PROPFIND gave ${response.status}`;
    } catch (error) {
      said = `${said}\n${String(error)}`.slice(-2_000);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return `no answer within 20 s: ${said}`;
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
  await ended;
  clearTimeout(timer);
}
