import type { Core, EventBody } from '#kernel/event.ts';
import { foldText } from '#kernel/fold-text.ts';

/** What of an event is searched. */
export interface Document {
  /** Folded: the title, then in lines of their own places and people; each line begins with a space. */
  text: string;
  /** Everybody else who takes part, once each, addresses in lower case. */
  people: { email: string; name: string | null }[];
}

/** Grows with every change of how a text is made, so that all of them are made anew. */
export const documentEdition = 1;
/** A meeting of two hundred people is found by the first hundred or so. */
const mostChars = 8_000;

/** `own`: the person's own addresses, in lower case. */
export function documentOf(body: EventBody, own: ReadonlySet<string>): Document {
  const cores = coresOf(body);
  const people = new Map<string, string | null>();
  for (const { email, name } of cores.flatMap((core) => core.attendees ?? [])) {
    const address = email.toLowerCase();
    if (own.has(address) || isRoom(address)) continue;
    people.set(address, people.get(address) ?? name ?? null);
  }
  const lines = [
    ...cores.map((core) => core.title),
    ...cores.map((core) => core.location),
    ...[...people].map(([email, name]) => `${name ?? ''} ${email}`),
  ];
  const folded = new Set(lines.map((line) => foldText(line ?? '')).filter((line) => line !== ''));
  return {
    text: [...folded]
      .map((line) => ` ${line}`)
      .join('\n')
      .slice(0, mostChars),
    people: [...people].map(([email, name]) => ({ email, name })),
  };
}

function coresOf(body: EventBody): Core[] {
  switch (body.kind) {
    case 'single':
      return [body.core];
    case 'series':
      return [body.core, ...Object.values(body.overrides).map(({ core }) => core)];
    case 'split':
      return [...coresOf(body.series), ...body.changes.flatMap(({ to }) => to?.core ?? [])];
    case 'instances':
      return Object.values(body.list).map(({ core }) => core);
    case 'withheld':
      return [];
  }
}

/** Google invites a room as it invites a person. */
const isRoom = (email: string) => email.endsWith('@resource.calendar.google.com');
