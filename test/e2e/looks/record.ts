import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Page as PublicPage } from '#platform/page-document.ts';
import { features } from '../../../src/features.ts';

/**
 * Recorded answers of the real product to a person who has one of everything, to its administrator and to strangers.
 * `node scripts/record-looks.ts` writes the record, from which the pictures are taken. Each entry has a line, so that
 * differences are readable.
 */

const file = join(import.meta.dirname, 'record.jsonl');
export const anew = 'record it anew: node scripts/record-looks.ts';

export const readers = ['stranger', 'person', 'admin'] as const;
export type Reader = (typeof readers)[number];

/** One address that is looked at, and the name of its pictures. */
export interface Sight {
  name: string;
  /** Route of a screen or page, with `$name` for parameters. */
  route: string;
  path: string;
  reader: Reader;
  /** The sight that it looks like, so that axe alone looks at it. */
  like?: string;
}

export interface Answer {
  reader: Reader;
  /** `GET /api/session`; with what was sent, where something was. */
  call: string;
  answer: unknown;
}

export interface Record {
  /** The moment the pages take for now. */
  now: string;
  sights: readonly Sight[];
  answers: readonly Answer[];
  /** Data of public pages without their texts, which come from the current build. */
  pages: readonly { path: string; page: PublicPage }[];
}

export function readRecord(): Record {
  const [first, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as Sight | Answer | Record['pages'][number]);
  return {
    now: (JSON.parse(first ?? '') as Pick<Record, 'now'>).now,
    sights: entries.filter((entry) => 'route' in entry),
    answers: entries.filter((entry) => 'call' in entry),
    pages: entries.filter((entry) => 'page' in entry),
  };
}

export function writeRecord({ now, sights, answers, pages }: Record): void {
  const lines = [{ now }, ...sights, ...answers, ...pages].map((entry) => JSON.stringify(entry));
  writeFileSync(file, `${lines.join('\n')}\n`);
}

/** Under what an answer is kept. */
export function callOf(method: string, url: string, body: string | null): string {
  const { pathname, search } = new URL(url, 'http://localhost');
  return `${method} ${pathname}${search}${body === null || body === '' ? '' : ` ${body}`}`;
}

const endpoints = features
  .flatMap(({ routes = [] }) => routes.flat())
  .map(({ endpoint }) => ({
    endpoint,
    pattern: new RegExp(`^${endpoint.path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    // routes with more literal parts go before those with parameters
    named: endpoint.path.split('/').filter((part) => !part.startsWith('{')).length,
  }))
  .sort((one, other) => other.named - one.named);

/** Returns the answers that no server could give any more, each with the remedy. */
export function findOutdated({ answers }: Pick<Record, 'answers'>): string[] {
  return answers.flatMap(({ call, answer }) => {
    const [, method, path = ''] = /^(\S+) ([^ ?]+)/.exec(call) ?? [];
    const found = endpoints.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path));
    if (found === undefined) return [`${call}: there is no such call any more; ${anew}`];
    const { success, error } = z.safeDecode(found.endpoint.output, answer as never);
    return success ? [] : [`${call}: ${error?.issues[0]?.path.join('.')}: ${error?.issues[0]?.message}; ${anew}`];
  });
}
