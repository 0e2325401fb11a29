import { Agent } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/kernel/errors.ts';
import type { Item, RecId, Series } from '../../src/kernel/event.ts';
import { occurrencesOf } from '../../src/kernel/recurrence/occurrences.ts';
import { caldavProfiles } from '../../src/providers/caldav/profiles.ts';
import { openCaldav } from '../../src/providers/caldav/provider.ts';
import { caldavHttpOver } from '../../src/providers/caldav/undici-http.ts';
import type { CalendarProvider, FoundMirror, MirrorBody } from '../../src/providers/port.ts';
import { type CaldavServer, startRadicale, startXandikos, whyMissing } from '../harness/caldav-servers.ts';
import {
  bytesOf,
  calendarFiles,
  expectMeaning,
  type Meaning,
  meaningOf,
  meaningOnCaldav,
  objectsOf,
  ownerOfFiles,
  readAsFeed,
} from '../harness/calendar-files.ts';
import { startCyrus, startDavical, startSogo, whyMissingLarge } from '../harness/large-caldav-servers.ts';

/*
 * Events of many exporters, stored on real servers by another app, then read and changed by Holdfast: `npm run test:servers`.
 * A file that a server refuses is skipped with the server's answer, and so is one whose meaning the server changes.
 */

const files = calendarFiles.filter((name) => meaningOnCaldav(name) !== null);

interface Differences {
  /** Files whose events have another meaning on the server, each with the reason. */
  rewrites?: Record<string, string>;
  /** Files whose events the server does not let anybody change. */
  refusesChanges?: Record<string, string>;
}

function onServer(
  name: string,
  missing: string | null,
  launch: () => Promise<CaldavServer>,
  { rewrites = {}, refusesChanges = {} }: Differences = {},
): void {
  const title = missing === null ? `exported files on ${name}` : `exported files on ${name} (skipped: ${missing})`;
  describe.skipIf(missing !== null)(title, () => {
    let server: CaldavServer;
    let agent: Agent;
    beforeAll(async () => {
      server = await launch();
      agent = new Agent({ connections: 8 });
      return async () => {
        await agent.destroy();
        await server.stop();
      };
    }, 60_000);

    it.for(files)('%s takes the time that its author meant, before and after changes', async (file, { skip }) => {
      const calendarUrl = await server.createCalendar(file);
      const calendarRef = decodeURIComponent(new URL(calendarUrl).pathname);
      const provider = openCaldav({
        baseUrl: server.url,
        username: server.username,
        password: server.password,
        profile: caldavProfiles.generic,
        http: caldavHttpOver(agent),
        selfAddresses: [ownerOfFiles],
        tags: { verify: () => false },
      });
      try {
        const { zone } = readAsFeed(bytesOf(file));
        const refusals = await store(server, calendarUrl, objectsOf(bytesOf(file)));
        const items = await readAll(provider, calendarRef);
        if (refusesChanges[file] === undefined)
          for (const item of items) await changeAll(provider, calendarRef, item, zone);
        if (refusals[0] !== undefined) skip(refusals[0]);
        const found = meaningOf(
          items.map(({ body, warnings = [] }) => ({ body, warnings })),
          zone,
        );
        if (rewrites[file] !== undefined && !isAsMeant(found, file)) skip(rewrites[file]);
        expectMeaning(found, meaningOnCaldav(file) ?? {});
        if (refusesChanges[file] !== undefined) skip(refusesChanges[file]);
      } finally {
        await provider.close();
        await server.removeCalendar(calendarUrl);
      }
    });
  });
}

function isAsMeant(found: Meaning, file: string): boolean {
  try {
    expectMeaning(found, meaningOnCaldav(file) ?? {});
    return true;
  } catch {
    return false;
  }
}

/** Stores the objects as another app would, and returns what the server says to those that it refuses. */
async function store(server: CaldavServer, calendarUrl: string, objects: string[]): Promise<string[]> {
  const authorization = `Basic ${Buffer.from(`${server.username}:${server.password}`).toString('base64')}`;
  const refusals: string[] = [];
  for (const [n, text] of objects.entries()) {
    const response = await fetch(`${calendarUrl}object-${n}.ics`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'text/calendar; charset=utf-8' },
      // RFC 4791 4.1: a stored object has no METHOD. Others than PUBLISH are kept, since apps store invitations as they come.
      body: text.replace(/^METHOD:PUBLISH\r?\n/m, ''),
    });
    const said = (await response.text()).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    if (!response.ok || response.status === 207) refusals.push(`refused with ${response.status}: ${said.trim()}`);
  }
  return refusals;
}

const signal = () => AbortSignal.timeout(20_000);

async function readAll(provider: CalendarProvider, calendarRef: string): Promise<Item[]> {
  const known = () => Promise.resolve(new Map<string, string>());
  const pages = provider.pull({ calendarRef, cursor: null, full: false, known, signal: signal() });
  return (await Array.fromAsync(pages)).flatMap(({ items }) => items);
}

/** Carries out the changes one after the other; each gives what was wanted, and nothing else. */
async function changeAll(provider: CalendarProvider, calendarRef: string, item: Item, zone: string | undefined) {
  const { events } = provider;
  let found: FoundMirror | null | undefined = await events?.read(calendarRef, item.ref, signal());
  if (events === undefined || found === null || found === undefined) return expect.fail('It is not read by its name');
  for (const change of changes) {
    const before: Item['body'] = found.item.body;
    if (before.kind !== 'single' && before.kind !== 'series') return;
    const wanted = change(before);
    if (wanted === null) continue;
    const outcome: FoundMirror | ProviderError = await events
      .change(calendarRef, found, before, wanted, { tellGuests: false }, signal())
      .catch((error: unknown) => {
        if (error instanceof ProviderError && error.code === 'NOT_EDITABLE') return error;
        throw error;
      });
    if (outcome instanceof ProviderError) return;
    expect(shownOf(outcome.item.body, zone)).toEqual(shownOf(wanted, zone));
    found = outcome;
  }
}

function shownOf(body: Item['body'], zone: string | undefined) {
  if (body.kind !== 'single' && body.kind !== 'series') return { body };
  const { title, notes, location, reminders, private: isPrivate } = body.core;
  return { meaning: meaningOf([{ body, warnings: [] }], zone), title, notes, location, reminders, isPrivate };
}

/** Changes that a person makes; null without a possible change. Invited people change no more than busy or free. */
const changes: ((body: MirrorBody) => MirrorBody | null)[] = [
  (body) => ({ ...body, core: { ...body.core, busy: body.core.busy === 'free' ? 'busy' : 'free' } }),
  (body) => {
    if (isInvited(body)) return null;
    const texts = { title: 'One; two, "three" \\', notes: 'a\nb; c, d', location: 'Room 1; left, up' };
    return { ...body, core: { ...body.core, ...texts, reminders: [15], private: true } };
  },
  (body) => {
    const recId = body.kind === 'series' && !isInvited(body) ? plainInstance(body) : undefined;
    return body.kind === 'series' && recId !== undefined ? { ...body, exdates: [...body.exdates, recId].sort() } : null;
  },
  (body) => {
    const recId = body.kind === 'series' && !isInvited(body) ? plainInstance(body) : undefined;
    if (body.kind !== 'series' || recId === undefined) return null;
    const core = { ...body.core, title: 'Only this one' };
    const when = { kind: 'all-day', start: '2026-06-01', end: '2026-06-02' } as const;
    const at = {
      kind: 'zoned',
      start: '2026-06-01T09:00:00',
      zone: 'America/New_York',
      duration: { seconds: 5_400 },
    } as const;
    return {
      ...body,
      overrides: { ...body.overrides, [recId]: { when: body.when.kind === 'all-day' ? when : at, core } },
    };
  },
  (body) => {
    if (body.kind !== 'single' || isInvited(body)) return null;
    const duration = { seconds: 5_400 };
    return { ...body, when: { kind: 'zoned', start: '2026-07-06T09:00:00', zone: 'America/New_York', duration } };
  },
  (body) => {
    if (body.kind !== 'single' || isInvited(body)) return null;
    return { ...body, when: { kind: 'all-day', start: '2026-07-06', end: '2026-07-08' } };
  },
];

const isInvited = ({ core }: MirrorBody) => core.self !== 'none' && core.self !== 'organizer';

/** An instance that is neither cancelled nor changed. */
function plainInstance(series: Series): RecId | undefined {
  const window = { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2028, 0, 1) };
  const { list } = occurrencesOf(series, 'Europe/Berlin', 'Europe/Berlin', window, { instances: 100, steps: 50_000 });
  return list.find(({ recId }) => recId !== null && series.overrides[recId] === undefined)?.recId ?? undefined;
}

onServer('radicale', whyMissing('radicale'), startRadicale);
const losesUnreadable = 'its parser drops a value that it cannot read, or stores None';
onServer('xandikos', whyMissing('xandikos'), startXandikos, {
  rewrites: {
    'android-all-day': losesUnreadable,
    'android-seconds': losesUnreadable,
    'apple-offset-zone': losesUnreadable,
    'empty-properties': losesUnreadable,
    'exchange-microsoft-custom': losesUnreadable,
    'exchange-microsoft-utc': losesUnreadable,
    'iso-offsets': losesUnreadable,
    'java-durations': losesUnreadable,
    'korganizer-vcalendar': losesUnreadable,
    'sogo-rewritten': losesUnreadable,
    'sports-end-before-start': losesUnreadable,
    'spatie-utc': 'it drops the Z of a time that has a TZID as well',
  },
});
onServer('davical', whyMissingLarge('davical'), startDavical);
onServer('sogo', whyMissingLarge('sogo'), startSogo, {
  rewrites: {
    'apple-floating': 'it stores floating times in the zone of the account',
    'apple-offset-zone': 'it reads the colon in a TZID as the end of the parameters',
    confluence: 'it drops UNTIL beside COUNT',
    'escaped-rule': 'it drops the name FREQ of a rule that is escaped',
    'iso-offsets': 'it drops the offset of a time',
    'korganizer-vcalendar': 'it drops the rest of a text in quoted-printable',
    'owncloud-date-time': 'it stores a date with a time as a time',
    sogo: 'it gives an event without an end an hour',
    'sports-end-before-start': 'it exchanges the end and the start',
    'unclosed-alarm-with-length': 'it leaves out what is not closed',
  },
  refusesChanges: {
    'exchange-microsoft-custom': 'it answers 500 to any change of an event with a colon in its TZID',
    'exchange-microsoft-utc': 'it answers 500 to any change of an event with a colon in its TZID',
  },
});
onServer('cyrus', whyMissingLarge('cyrus'), startCyrus, {
  rewrites: { 'owncloud-date-time': 'it stores a date with a time as a time' },
});
