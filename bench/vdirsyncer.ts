import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from './minimal-client.ts';

/** The peer: a two-way sync by vdirsyncer (Debian's package), `a wins`, a fresh process per sync. */
export interface Vdirsyncer {
  sync(): Promise<void>;
  close(): void;
}

const PROGRAM = '/usr/bin/vdirsyncer';

export function hasVdirsyncer(): boolean {
  return existsSync(PROGRAM);
}

export async function createVdirsyncer(
  a: Target & { collection: string },
  b: Target & { collection: string },
): Promise<Vdirsyncer> {
  const folder = mkdtempSync(join(tmpdir(), 'vdirsyncer-'));
  const config = join(folder, 'config');
  const storage = (name: string, { url, user, password }: Target) =>
    `[storage ${name}]\ntype = "caldav"\nurl = "${url}"\nusername = "${user}"\npassword = "${password}"\n`;
  writeFileSync(
    config,
    `[general]\nstatus_path = "${join(folder, 'status')}"\n\n[pair p]\na = "a"\nb = "b"\n` +
      `collections = [["m", "${a.collection}", "${b.collection}"]]\nconflict_resolution = "a wins"\n\n${storage('a', a)}\n${storage('b', b)}`,
  );
  const run = (command: string) =>
    new Promise<void>((resolve, reject) => {
      const child = spawn(PROGRAM, ['-c', config, command], { stdio: ['ignore', 'ignore', 'pipe'] });
      let errors = '';
      child.stderr.on('data', (chunk: Buffer) => {
        errors += chunk.toString();
      });
      child.on('error', reject);
      child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`vdirsyncer ${command}: ${errors}`))));
    });
  await run('discover');
  return { sync: () => run('sync'), close: () => rmSync(folder, { recursive: true, force: true }) };
}
