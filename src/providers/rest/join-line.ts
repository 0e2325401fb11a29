import type { Core } from '#kernel/event.ts';
import { findJoinLink, webLink } from '#kernel/ical/join-link.ts';

/**
 * Where a link to join stands at providers that let nobody else than themselves set one: in the place or the notes, as
 * people put it there, and else in a line of its own below the notes, which reading takes off again.
 */

const linePattern = /(?:^|\n\n)Join: (https?:\/\/\S+)\s*$/;

type Texts = Pick<Core, 'location' | 'notes' | 'joinUrl'>;

/** Separates an event's texts from its link. `conference`: the provider's own link, which takes precedence. */
export function readTexts({ location, notes }: Texts, conference: string | undefined): Texts {
  if (conference !== undefined) return withoutEmpty({ location, notes, joinUrl: conference });
  const line = linePattern.exec(notes ?? '');
  const link = webLink(line?.[1] ?? '');
  if (line !== null && link !== undefined) {
    return withoutEmpty({ location, notes: notes?.slice(0, line.index), joinUrl: link });
  }
  return withoutEmpty({ location, notes, joinUrl: findJoinLink(location ?? '') ?? findJoinLink(notes ?? '') });
}

/**
 * The texts as they are written, so that reading finds the link again. A link that is changed or taken away changes
 * wherever it stands: `before` is what was there.
 */
export function writeTexts(before: Texts | null, after: Texts, conference: string | undefined): Texts {
  if (after.joinUrl === conference && conference !== undefined) return withoutEmpty({ ...after, joinUrl: undefined });
  const old = before?.joinUrl === after.joinUrl ? undefined : before?.joinUrl;
  const location = replaced(after.location, old, after.joinUrl);
  const notes = replaced(after.notes, old, after.joinUrl);
  if (after.joinUrl === undefined || readTexts({ location, notes }, undefined).joinUrl === after.joinUrl) {
    return withoutEmpty({ location, notes });
  }
  return withoutEmpty({ location, notes: `${notes ? `${notes}\n\n` : ''}Join: ${after.joinUrl}` });
}

function replaced(text: string | undefined, old: string | undefined, link: string | undefined): string | undefined {
  if (text === undefined || old === undefined || !text.includes(old)) return text;
  const changed = text.replaceAll(old, link ?? '');
  return link === undefined ? changed.trim() : changed;
}

function withoutEmpty({ location, notes, joinUrl }: { [K in keyof Texts]: Texts[K] | undefined }): Texts {
  const texts: Texts = {};
  if (location) texts.location = location;
  if (notes) texts.notes = notes;
  if (joinUrl !== undefined) texts.joinUrl = joinUrl;
  return texts;
}
