import { hash } from 'node:crypto';
import type pg from 'pg';
import { spanWindow } from '#features/calendar/rules/span-window.ts';
import { parseBasic } from '#kernel/time/local.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import type { FoundObject, MinimalClient } from './minimal-client.ts';

/**
 * The floor of the invariants: the client and the pipeline of the floor, with the data that a mirror must never lose.
 * Rows, indexes and round trips are as few as possible.
 *
 * One statement per page stores the events with version, body and busy time, and the intents of their blocks. The last
 * page adds the cursor. No block is written before its intent is stored, or over another object. One statement per
 * batch stores the outcomes and their audit lines. It is refused once the account has another holder. A calendar has
 * one reader, an account one writer. A block's name is made with a secret and identifies our blocks, so that a second
 * pass writes nothing. Derived data has no rows.
 *
 * Only new single events and weekly series of this calendar are supported.
 */
export async function createFaithfulTables(pool: pg.Pool): Promise<void> {
  await pool.query(`
    create schema faithful;
    create table faithful.readings (calendar int primary key, token text, held_until timestamptz not null, wanted boolean not null);
    create table faithful.fences (account int primary key, token bigint not null);
    create table faithful.items (calendar int not null, ref text not null, id bigint not null, etag text not null,
      body text not null, primary key (calendar, ref));
    create table faithful.spans (person int not null, start_ms bigint not null, end_ms bigint not null, item bigint not null);
    create index spans_by_time on faithful.spans (person, start_ms, end_ms);
    create table faithful.mirrors (target int not null, key text not null, item bigint not null, desired text not null, etag text,
      primary key (target, key));
    create index mirrors_due on faithful.mirrors (target) where etag is null;
    create table faithful.trail (at timestamptz not null default now(), person int not null, target int not null, key text not null,
      what smallint not null, took_ms smallint not null, hash text not null)`);
}

export interface FaithfulRun {
  pool: pg.Pool;
  source: MinimalClient;
  sourceCollection: string;
  target: MinimalClient;
  targetCollection: string;
  writers: number;
}

/** The best of 50, 100 and 200 for each. */
const CHUNK = 100;
const STORED_AT_ONCE = 100;
const secret = hash('sha256', 'bench');

/** Resets the tables to the state after the accounts were connected: a reading and a fence, each free. */
export async function prepareFaithful(pool: pg.Pool): Promise<void> {
  await pool.query(`truncate faithful.items, faithful.spans, faithful.mirrors, faithful.trail`);
  await pool.query(`insert into faithful.readings values (1, '', 'epoch', false)
    on conflict (calendar) do update set token = '', held_until = 'epoch', wanted = false`);
  await pool.query('insert into faithful.fences values (1, 0) on conflict do nothing');
}

export async function mirrorFaithfully(run: FaithfulRun): Promise<void> {
  const { pool, source, target } = run;
  // the wish outlives a crash, and one reader takes it up
  await pool.query('update faithful.readings set wanted = true where calendar = 1');
  const [{ rows: readings }, { rows: fences }] = await Promise.all([
    pool.query<{ token: string }>(`
      update faithful.readings set held_until = now() + interval '1 minute'
      where calendar = 1 and wanted and held_until < now() returning token`),
    pool.query<{ token: string }>('update faithful.fences set token = token + 1 where account = 1 returning token'),
  ]);
  const fence = fences[0]!.token;
  const { changed, token } = await source.list(run.sourceCollection, readings[0]!.token);

  const { toMs } = spanWindow(Temporal.Now.instant().epochMilliseconds);
  const due: Block[] = [];
  let taken = 0;
  let planned = false;
  let waiting: (() => void)[] = [];
  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const go of woken) go();
  };
  const read = async () => {
    let storing: Promise<void> = Promise.resolve();
    for (let at = 0; at < changed.length; at += CHUNK) {
      const found = await source.read(run.sourceCollection, changed.slice(at, at + CHUNK));
      const blocks = found
        .filter(({ href }) => !isOurs(href))
        .map((origin, index) => blockOf(origin, at + index, toMs));
      await storing;
      storing = storePage(pool, blocks, at + CHUNK < changed.length ? null : token).then(() => {
        due.push(...blocks);
        wake();
      });
      storing.catch(() => undefined);
    }
    await storing;
    planned = true;
    wake();
  };

  let unstored: Written[] = [];
  const stores: Promise<void>[] = [];
  const store = () => {
    if (unstored.length === 0) return;
    stores.push(storeOutcomes(pool, fence, unstored));
    unstored = [];
  };
  const write = async () => {
    for (;;) {
      const block = due[taken];
      if (block !== undefined) {
        taken += 1;
        const startedMs = performance.now();
        const etag = await target.put(`${run.targetCollection}${block.key}.ics`, block.body, { 'if-none-match': '*' });
        unstored.push({ block, etag, tookMs: Math.round(performance.now() - startedMs) });
        if (unstored.length >= STORED_AT_ONCE) store();
      } else if (planned) {
        return;
      } else {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    }
  };
  await Promise.all([read(), ...Array.from({ length: run.writers }, write)]);
  store();
  await Promise.all(stores);
  await pool.query("update faithful.readings set wanted = false, held_until = 'epoch' where calendar = 1");
}

interface Block {
  origin: FoundObject;
  id: number;
  spans: { startMs: number; endMs: number }[];
  key: string;
  body: string;
  desired: string;
}

interface Written {
  block: Block;
  etag: string;
  tookMs: number;
}

const isOurs = (href: string) => /\/h-[0-9a-f]{40}\.ics$/.test(href);

/** A busy block with the times of its origin and our tag, and the time that the origin takes. */
function blockOf(origin: FoundObject, id: number, toMs: number): Block {
  const { body } = origin;
  const uid = /\nUID:([^\r\n]+)/.exec(body)![1]!;
  const zone = /BEGIN:VTIMEZONE[\s\S]*?END:VTIMEZONE\r?\n/.exec(body)?.[0] ?? '';
  const parts = body
    .split('BEGIN:VEVENT')
    .slice(1)
    .filter((part) => !/\n(?:STATUS:CANCELLED|TRANSP:TRANSPARENT)/.test(part))
    .map((part) => part.match(/^(?:DTSTART|DTEND|RRULE|EXDATE|RECURRENCE-ID)[^\r\n]*/gm) ?? []);
  // which block of which event in which calendar; nobody else can name it or tag it
  const key = `h-${hash('sha256', `${secret} 1 1 ${uid} key`).slice(0, 40)}`;
  const tag = hash('sha256', `${secret} ${key} tag`);
  const events = parts.map(
    (times) =>
      `BEGIN:VEVENT\r\nUID:${key}\r\nDTSTAMP:20261101T080000Z\r\n${times.join('\r\n')}\r\nSUMMARY:Busy\r\nX-TAG:${tag}\r\nEND:VEVENT\r\n`,
  );
  const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//floor//EN\r\n${zone}${events.join('')}END:VCALENDAR\r\n`;
  return { origin, id, spans: spansOf(parts, toMs), key, body: text, desired: hash('sha256', text) };
}

/** Instances in the window: of a week's step in local time, less what is left out or moved, and what was moved. */
function spansOf(parts: string[][], toMs: number): { startMs: number; endMs: number }[] {
  const spans: { startMs: number; endMs: number }[] = [];
  const skipped = new Set<number>();
  const main = parts.find((times) => !times.some((line) => line.startsWith('RECURRENCE-ID')));
  for (const times of parts) {
    if (times !== main) spans.push({ startMs: instantOf(times, 'DTSTART'), endMs: instantOf(times, 'DTEND') });
    for (const line of times)
      if (line.startsWith('EXDATE') || line.startsWith('RECURRENCE-ID')) skipped.add(localOf(line));
  }
  if (main === undefined) return spans;
  const rule = main.find((line) => line.startsWith('RRULE'));
  const [from, to] = ['DTSTART', 'DTEND'].map((name) => main.find((line) => line.startsWith(name))!);
  const zone = zoneOf(from!);
  const [startMs, endMs] = [localOf(from!), localOf(to!)];
  const count = rule === undefined ? 1 : Number(/COUNT=(\d+)/.exec(rule)![1]);
  for (let week = 0; week < count; week += 1) {
    const shift = week * 7 * 86_400_000;
    if (skipped.has(startMs + shift)) continue;
    const start = zone.toInstant(startMs + shift);
    if (start >= toMs) break;
    spans.push({ startMs: start, endMs: zone.toInstant(endMs + shift) });
  }
  return spans;
}

const localOf = (line: string) => parseBasic(line.slice(line.lastIndexOf(':') + 1))!.ms;
const zoneOf = (line: string): Zone => loadZone(/TZID=([^:;]+)/.exec(line)![1]!)!;
const instantOf = (times: string[], name: string) => {
  const line = times.find((time) => time.startsWith(name))!;
  return zoneOf(line).toInstant(localOf(line));
};

const between = '\u001E';

/** Events, their time and the intents of their blocks, and with the last page where to read on: all or nothing. */
async function storePage(pool: pg.Pool, blocks: Block[], token: string | null): Promise<void> {
  const spans = blocks.flatMap((block) => block.spans.map((span) => ({ id: block.id, ...span })));
  await pool.query({
    name: 'store page',
    text: `with held as (
        update faithful.readings set token = $9 where calendar = 1 and $9::text is not null
      ), found as (
        insert into faithful.items
        select 1, unnest($1::text[]), unnest($2::bigint[]), unnest($3::text[]), unnest(string_to_array($4, '${between}'))
      ), taken as (
        insert into faithful.spans select 1, unnest($5::bigint[]), unnest($6::bigint[]), unnest($7::bigint[])
      )
      insert into faithful.mirrors select 1, unnest($8::text[]), unnest($2::bigint[]), unnest($10::text[])`,
    values: [
      blocks.map(({ origin }) => origin.href),
      blocks.map(({ id }) => id),
      blocks.map(({ origin }) => origin.etag),
      blocks.map(({ origin }) => origin.body).join(between),
      spans.map(({ startMs }) => startMs),
      spans.map(({ endMs }) => endMs),
      spans.map(({ id }) => id),
      blocks.map(({ key }) => key),
      token,
      blocks.map(({ desired }) => desired),
    ],
  });
}

/** Stores the outcome and the audit line of each block if the account is still ours. */
async function storeOutcomes(pool: pg.Pool, fence: string, written: Written[]): Promise<void> {
  const { rowCount } = await pool.query({
    name: 'store outcomes',
    text: `with held as (
        select from faithful.fences where account = 1 and token = $1 for share
      ), done as (
        update faithful.mirrors m set etag = w.etag
        from unnest($2::text[], $3::text[], $4::smallint[]) as w(key, etag, took)
        where m.target = 1 and m.key = w.key and exists (select from held)
        returning m.key, w.took, m.desired)
      insert into faithful.trail (person, target, key, what, took_ms, hash) select 1, 1, key, 1, took, desired from done`,
    values: [
      fence,
      written.map(({ block }) => block.key),
      written.map(({ etag }) => etag),
      written.map(({ tookMs }) => tookMs),
    ],
  });
  if (rowCount !== written.length) throw new Error('another writer has this account');
}

/** Refuses to give a time for rows that are not there: all that stands is known, and told of once. */
export async function expectKept(pool: pg.Pool, count: number): Promise<void> {
  const { rows } = await pool.query<Record<string, number>>(`
    select (select count(*)::int from faithful.items) as items, (select count(distinct item)::int from faithful.spans) as spans,
      (select count(*)::int from faithful.mirrors where etag <> '') as mirrors, (select count(*)::int from faithful.trail) as trail,
      (select count(*)::int from faithful.readings where token <> '' and not wanted) * ${count} as cursor`);
  for (const [what, found] of Object.entries(rows[0]!))
    if (found !== count) throw new Error(`${found} of ${count} ${what} are kept: nothing to compare`);
}
