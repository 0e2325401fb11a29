import { Agent, request } from 'node:http';
import type pg from 'pg';

/**
 * The floor: the least a client can do to read a calendar, write a busy block for each event into another, and
 * remember what it wrote. No recurrence, no zones, no conflicts, no crash safety, no limits. It sees iCalendar as text
 * and answers as regular expressions. What we build is held against it.
 */
export interface MinimalClient {
  /** Hrefs with their ETags, and the token for the next time. */
  list(collection: string, token: string): Promise<{ changed: string[]; gone: string[]; token: string }>;
  /** Bodies of these hrefs. */
  read(collection: string, hrefs: string[]): Promise<string[]>;
  put(path: string, body: string): Promise<string>;
  close(): void;
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
    async read(collection, hrefs) {
      const body = `<C:calendar-multiget xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><prop><getetag/><C:calendar-data/></prop>${hrefs.map((href) => `<href>${href}</href>`).join('')}</C:calendar-multiget>`;
      const { status, text } = await send('REPORT', collection, xml, body);
      if (status !== 207) throw new Error(`calendar-multiget: ${status}`);
      return [...text.matchAll(/<(?:\w+:)?calendar-data[^>]*>([^<]*)</g)].map((match) => match[1]!);
    },
    async put(path, body) {
      const { status, etag } = await send('PUT', path, { 'content-type': 'text/calendar' }, body);
      if (status !== 201 && status !== 204) throw new Error(`PUT ${path}: ${status}`);
      return etag;
    },
    close: () => agent.destroy(),
  };
}

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
  const blocks: { name: string; body: string }[] = [];
  let reading = 0;
  let finished = changed.length === 0;
  const waiting: (() => void)[] = [];
  const read = async () => {
    for (; reading < changed.length; ) {
      const chunk = changed.slice(reading, reading + CHUNK);
      reading += CHUNK;
      for (const body of await run.source.read(run.sourceCollection, chunk)) blocks.push(blockOf(body));
      for (const wake of waiting.splice(0)) wake();
    }
    finished = true;
    for (const wake of waiting.splice(0)) wake();
  };
  let unsaved: { name: string; etag: string }[] = [];
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
        unsaved.push({ name: block.name, etag });
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

/** A busy block with the times of its origin, and nothing else of it. */
function blockOf(body: string): { name: string; body: string } {
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
  return { name: `m-${uid.replace(/@.*/, '')}.ics`, body: text };
}

export async function createFloorTable(pool: pg.Pool): Promise<void> {
  await pool.query(
    'create table if not exists floor_mirrors (name text primary key, etag text not null, at timestamptz not null)',
  );
  await pool.query('truncate floor_mirrors');
}

async function saveWritten(pool: pg.Pool, rows: { name: string; etag: string }[]): Promise<void> {
  await pool.query(
    'insert into floor_mirrors select name, etag, now() from unnest($1::text[], $2::text[]) as written(name, etag) on conflict (name) do update set etag = excluded.etag, at = now()',
    [rows.map(({ name }) => name), rows.map(({ etag }) => etag)],
  );
}
