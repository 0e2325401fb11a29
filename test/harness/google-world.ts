import { isDeepStrictEqual } from 'node:util';
import type { When } from '../../src/kernel/event.ts';
import type { TagVerifier } from '../../src/kernel/mirror-identity.ts';
import type { ConformanceWorld, UserEvent } from '../../src/providers/conformance.ts';
import { openGoogle } from '../../src/providers/google/provider.ts';
import type { AccessTokens } from '../../src/providers/port.ts';
import type { emulateGoogle } from './emulated-google.ts';

export const googleAccount = 'ada@example.com';
export type EmulatedGoogle = ReturnType<typeof emulateGoogle>;

/** Tokens that are there already; what was refused is remembered, and the next one is another. */
export function fixedTokens(...tokens: string[]): AccessTokens & { refused: string[] } {
  const refused: string[] = [];
  return {
    refused,
    get: () => Promise.resolve(tokens[Math.min(refused.length, tokens.length - 1)] ?? ''),
    refuse: (token) => void refused.push(token),
  };
}

/** The adapter at the emulator. */
export function openEmulatedGoogle(
  emulated: EmulatedGoogle,
  tokens: AccessTokens,
  tags: TagVerifier,
  more: { pageSize?: number; timeoutMs?: number } = {},
) {
  return openGoogle({
    baseUrl: 'http://google.test',
    fetch: emulated.send,
    tokens,
    selfAddresses: [googleAccount],
    tags,
    nowMs: () => emulated.clock.now(),
    ...more,
  });
}

/** A calendar at the emulated Google, and the person who uses it with another app: raw requests of their own. */
export async function openGoogleWorld(
  emulated: EmulatedGoogle,
  calendarRef: string,
  tags: TagVerifier,
): Promise<ConformanceWorld> {
  const { control } = emulated;
  await control.seed({ account: googleAccount, calendars: [{ id: calendarRef, summary: 'Work' }] });
  const { token, api } = await emulated.signIn(googleAccount);
  const path = `/calendars/${encodeURIComponent(calendarRef)}/events`;
  const ask = async (method: string, at: string, body?: unknown): Promise<Record<string, unknown>> => {
    const answer = await api(method, path + at, body);
    if (answer.status >= 300) throw new Error(`${method} ${at}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const instanceOf = async (id: string, original: string, zone: string): Promise<string> => {
    const { items } = (await ask('GET', `/${id}/instances?maxResults=2500`)) as { items: Instance[] };
    const wanted = Temporal.PlainDateTime.from(original).toZonedDateTime(zone).epochMilliseconds;
    const found = items.find((one) => Temporal.Instant.from(one.start.dateTime).epochMilliseconds === wanted);
    if (found === undefined) throw new Error(`${id} has no instance at ${original}`);
    return found.id;
  };
  const colleague = `grace-of-${calendarRef}`;
  const shareColleague = async (events: { summary: string; start: string; minutes: number }[]) => {
    const shared = {
      id: colleague,
      owner: colleague,
      timeZone: 'UTC',
      role: 'freeBusyReader' as const,
    };
    await control.seed({ account: googleAccount, calendars: [{ ...shared, events }] });
  };
  await shareColleague([]);
  const provider = openEmulatedGoogle(emulated, fixedTokens(token.access_token), tags, { pageSize: 50 });
  return {
    provider,
    calendarRef,
    user: {
      async put(event) {
        const { id } = (await ask('POST', '', renderEvent(event))) as { id: string };
        const zone = event.when.kind === 'zoned' ? event.when.zone : 'UTC';
        for (const original of event.cancelled ?? []) {
          await ask('DELETE', `/${await instanceOf(id, original, zone)}`);
        }
        if (event.moved !== undefined) {
          const { original, start, title } = event.moved;
          const patch = { summary: title, ...renderTimes({ ...event.when, start }) };
          await ask('PATCH', `/${await instanceOf(id, original, zone)}`, patch);
        }
        return id;
      },
      remove: async (ref) => void (await ask('DELETE', `/${ref}`)),
      retitle: async (ref, title) => void (await ask('PATCH', `/${ref}`, { summary: title })),
      mark: async (ref) => void (await ask('PATCH', `/${ref}`, theirs)),
      isMarked: async (ref) => {
        const { guestsCanModify, extendedProperties } = await ask('GET', `/${ref}`);
        return isDeepStrictEqual({ guestsCanModify, extendedProperties }, theirs);
      },
    },
    colleague: {
      address: colleague,
      meet: (start, minutes) => shareColleague([{ summary: 'Elsewhere', start: `${start}:00`, minutes }]),
    },
    removeCalendar: async () => {
      await control.act({ account: googleAccount, calendar: calendarRef, do: 'delete-calendar' });
    },
    withWrongCredential: () => openEmulatedGoogle(emulated, fixedTokens('not-a-token'), tags),
    staleCursor: (cursor) => `${cursor.slice(0, 5)}bm8tc3VjaC10b2tlbg`,
    close: () => provider.close(),
  };
}

/** Properties that our model lacks. */
const theirs = { guestsCanModify: true, extendedProperties: { shared: { theirs: 'kept' } } };

interface Instance {
  id: string;
  start: { dateTime: string };
}

function renderEvent(event: UserEvent): Record<string, unknown> {
  return {
    iCalUID: event.uid,
    summary: event.title,
    ...(event.notes === undefined ? {} : { description: event.notes }),
    ...renderTimes(event.when),
    ...(event.rule === undefined ? {} : { recurrence: [`RRULE:${event.rule}`] }),
    ...(event.tag === undefined ? {} : { extendedProperties: { private: { holdfast: event.tag } } }),
  };
}

function renderTimes(when: When): Record<string, unknown> {
  if (when.kind === 'all-day') return { start: { date: when.start }, end: { date: when.end } };
  if (when.kind === 'floating') throw new Error('Google has no floating times');
  const { days = 0, seconds = 0 } = when.duration;
  const end = Temporal.PlainDateTime.from(when.start).add({ days, seconds });
  const edge = (dateTime: string) => ({ dateTime, timeZone: when.zone });
  return { start: edge(when.start), end: edge(end.toString({ smallestUnit: 'second' })) };
}
