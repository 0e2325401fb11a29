import { Agent, request } from 'node:http';
import type pg from 'pg';

/**
 * The floor: the least code that reads a calendar, writes a busy block for each event into another, and remembers its
 * writes. No recurrence, no zones, no conflicts, no crash safety, no limits. The client parses iCalendar as text and
 * answers with regular expressions. Our engine is compared with it.
 */
export interface MinimalClient {
  /** Hrefs with their ETags, and the token for the next time. */
  list(collection: string, token: string): Promise<{ changed: string[]; gone: string[]; token: string }>;
  /** The ctags of all calendars under a home, in one request. */
  tags(home: string): Promise<Map<string, string>>;
  /** Reads the objects at these hrefs. */
  read(collection: string, hrefs: string[]): Promise<FoundObject[]>;
  put(path: string, body: string, headers?: Record<string, string>): Promise<string>;
  close(): void;
}

export interface FoundObject {
  href: string;
  etag: string;
  body: string;
}

export interface Target {
  url: string;
  user: string;
  password: string;
}

export function createMinimalClient({ url, user, password }: Target, connections: number): MinimalClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(url);
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

  const send = (method: string, path: string, headers: Record<string, string | number>, body: string) =>
    new Promise<{ status: number; etag: string; text: string }>((resolve, reject) => {
      const length = Buffer.byteLength(body);
      const call = request(
        { agent, hostname, port, method, path, headers: { authorization, 'content-length': length, ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = chunks.length === 0 ? '' : Buffer.concat(chunks).toString();
            resolve({ status: response.statusCode ?? 0, etag: response.headers.etag ?? '', text });
          });
        },
      );
      call.on('error', reject);
      call.end(body);
    });

  const xml = { 'content-type': 'application/xml' };
  return {
    async list(collection, token) {
      const body = `<sync-collection xmlns="DAV:"><sync-token>${token}</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`;
      const { status, text } = await send('REPORT', collection, xml, body);
      if (status !== 207) throw new Error(`sync-collection: ${status}`);
      const changed: string[] = [];
      const gone: string[] = [];
      for (const match of text.matchAll(
        /<(?:\w+:)?response>\s*<(?:\w+:)?href>([^<]+)<\/(?:\w+:)?href>\s*<(?:\w+:)?(\w+)/g,
      )) {
        (match[2] === 'status' ? gone : changed).push(match[1]!);
      }
      return { changed, gone, token: /<(?:\w+:)?sync-token>([^<]*)</.exec(text)?.[1] ?? '' };
    },
    async tags(home) {
      const body =
        '<propfind xmlns="DAV:" xmlns:CS="http://calendarserver.org/ns/"><prop><CS:getctag/></prop></propfind>';
      const { status, text } = await send('PROPFIND', home, { ...xml, depth: 1 }, body);
      if (status !== 207) throw new Error(`getctag: ${status}`);
      return new Map([...text.matchAll(tags)].map((match) => [match[1]!, match[2]!]));
    },
    async read(collection, hrefs) {
      const body = `<C:calendar-multiget xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><prop><getetag/><C:calendar-data/></prop>${hrefs.map((href) => `<href>${href}</href>`).join('')}</C:calendar-multiget>`;
      const { status, text } = await send('REPORT', collection, xml, body);
      if (status !== 207) throw new Error(`calendar-multiget: ${status}`);
      return [...text.matchAll(objects)].map((match) => ({ href: match[1]!, etag: match[2]!, body: match[3]! }));
    },
    async put(path, body, headers) {
      const { status, etag } = await send('PUT', path, { 'content-type': 'text/calendar', ...headers }, body);
      if (status !== 201 && status !== 204) throw new Error(`PUT ${path}: ${status}`);
      return etag;
    },
    close: () => agent.destroy(),
  };
}

const tags =
  /<(?:\w+:)?href>([^<]+)<\/(?:\w+:)?href>\s*<(?:\w+:)?propstat>\s*<(?:\w+:)?prop>\s*<(?:\w+:)?getctag>([^<]*)</g;

/** A response of calendar-multiget: servers answer the properties in the order asked for. */
const objects =
  /<(?:\w+:)?href>([^<]+)<\/(?:\w+:)?href>\s*<(?:\w+:)?propstat>\s*<(?:\w+:)?prop>\s*<(?:\w+:)?getetag>([^<]*)<\/(?:\w+:)?getetag>\s*<(?:\w+:)?calendar-data[^>]*>([^<]*)</g;

export interface MirrorRun {
  source: MinimalClient;
  sourceCollection: string;
  target: MinimalClient;
  targetCollection: string;
  writers: number;
  token?: string;
  /** Where to remember what was written; absent: nowhere. */
  pool?: pg.Pool;
}

const CHUNK = 100;
const SAVED_AT_ONCE = 50;

/** Reads what changed since the token and writes its blocks, reading ahead while it writes. Gives the new token. */
export async function mirrorMinimally(run: MirrorRun): Promise<{ token: string; written: number }> {
  const { changed, token } = await run.source.list(run.sourceCollection, run.token ?? '');
  const blocks: Block[] = [];
  let reading = 0;
  let finished = changed.length === 0;
  const waiting: (() => void)[] = [];
  const read = async () => {
    for (; reading < changed.length; ) {
      const chunk = changed.slice(reading, reading + CHUNK);
      reading += CHUNK;
      for (const origin of await run.source.read(run.sourceCollection, chunk)) blocks.push(blockOf(origin));
      for (const wake of waiting.splice(0)) wake();
    }
    finished = true;
    for (const wake of waiting.splice(0)) wake();
  };
  let unsaved: Saved[] = [];
  const saves: Promise<unknown>[] = [];
  const save = () => {
    if (!run.pool || unsaved.length === 0) return;
    saves.push(saveWritten(run.pool, unsaved));
    unsaved = [];
  };
  let written = 0;
  const write = async () => {
    for (;;) {
      const block = blocks[written];
      if (block) {
        written += 1;
        const etag = await run.target.put(run.targetCollection + block.name, block.body);
        unsaved.push({ ...block, etag });
        if (unsaved.length >= SAVED_AT_ONCE) save();
      } else if (finished) {
        return;
      } else {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    }
  };
  await Promise.all([read(), ...Array.from({ length: run.writers }, write)]);
  save();
  await Promise.all(saves);
  return { token, written };
}

interface Block {
  origin: FoundObject;
  uid: string;
  name: string;
  body: string;
}

interface Saved extends Block {
  etag: string;
}

/** A busy block with the times of its origin, and nothing else of it. */
function blockOf(origin: FoundObject): Block {
  const { body } = origin;
  const uid = /\nUID:([^\r\n]+)/.exec(body)?.[1] ?? '';
  const zone = /BEGIN:VTIMEZONE[\s\S]*?END:VTIMEZONE\r?\n/.exec(body)?.[0] ?? '';
  const events = body
    .split('BEGIN:VEVENT')
    .slice(1)
    .map((event) => (event.match(/^(?:DTSTART|DTEND|RRULE|EXDATE|RECURRENCE-ID)[^\r\n]*/gm) ?? []).join('\r\n'))
    .map(
      (times) =>
        `BEGIN:VEVENT\r\nUID:m-${uid}\r\nDTSTAMP:20261101T080000Z\r\n${times}\r\nSUMMARY:Busy\r\nEND:VEVENT\r\n`,
    );
  const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//floor//EN\r\n${zone}${events.join('')}END:VCALENDAR\r\n`;
  return { origin, uid, name: `m-${uid.replace(/@.*/, '')}.ics`, body: text };
}

/** An event with its version, and which block with which version stands for it: less cannot find a change again. */
export async function createFloorTables(pool: pg.Pool): Promise<void> {
  await pool.query(
    'create table floor_events (href text primary key, uid text not null, etag text not null, body text)',
  );
  await pool.query(
    'create table floor_mirrors (name text primary key, href text not null, etag text not null, at timestamptz not null)',
  );
}

async function saveWritten(pool: pg.Pool, rows: Saved[]): Promise<void> {
  await pool.query({
    name: 'save written',
    text: `with read as (
        insert into floor_events select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])
        on conflict (href) do update set etag = excluded.etag, body = excluded.body)
      insert into floor_mirrors select name, href, etag, now() from unnest($1::text[], $5::text[], $6::text[]) as w(href, name, etag)
      on conflict (name) do update set etag = excluded.etag, at = now()`,
    values: [
      rows.map(({ origin }) => origin.href),
      rows.map(({ uid }) => uid),
      rows.map(({ origin }) => origin.etag),
      rows.map(({ origin }) => origin.body),
      rows.map(({ name }) => name),
      rows.map(({ etag }) => etag),
    ],
  });
}
