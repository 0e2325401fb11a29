import type { Core } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { equalJson } from '#kernel/event-hash.ts';
import { reminderMinutes } from '#kernel/ical/alarms.ts';
import { nearestColorName } from '#kernel/ical/color.ts';
import type { Component } from '#kernel/ical/content-lines.ts';
import { type EventDraft, parametersBut } from '#kernel/ical/event-draft.ts';
import { cleanText, escapeText, foldLine } from '#kernel/ical/ical-text.ts';
import { linkOf, linkProperties, webLink } from '#kernel/ical/join-link.ts';
import { patchAttendees, patchOwnAnswer } from '#kernel/ical/patch-attendees.ts';
import { keyword } from '#kernel/ical/read-event.ts';

/** The owner of the calendar that a VEVENT is in. */
export interface OwnSide {
  /** E-mail address of the calendar's owner, who becomes the organizer when people are invited. */
  owner?: string | undefined;
  /** The owner answers an invitation: under which addresses they may be invited, in lower case. */
  answersAs?: ReadonlySet<string> | undefined;
}

/** Writes what a VEVENT says but for its time: only the parts in which `before` and `after` differ. */
export function patchCore(event: EventDraft, before: Core, after: Core, { owner, answersAs }: OwnSide): void {
  const differs = (part: keyof Core) => !equalJson(before[part] ?? null, after[part] ?? null);
  const told = differs('joinUrl') ? withLink(before, after) : after;
  if (differs('title')) patchText(event, 'SUMMARY', after.title, eventLimits.titleChars, []);
  if (before.location !== told.location) {
    patchText(event, 'LOCATION', told.location, eventLimits.locationChars, placesOfOldText);
  }
  if (before.notes !== told.notes) {
    patchText(event, 'DESCRIPTION', told.notes, eventLimits.notesChars, copiesOfOldNotes);
  }
  if (differs('joinUrl')) patchLink(event, before.joinUrl, after.joinUrl);
  if (differs('attendees')) patchAttendees(event, before.attendees ?? [], after.attendees ?? [], owner);
  if (answersAs !== undefined && differs('self')) patchOwnAnswer(event, answersAs, after.self);
  if (differs('categories')) patchCategories(event, after.categories ?? []);
  if (differs('color')) patchColor(event, after.color);
  if (differs('private')) patchClass(event, after.private);
  if (differs('busy')) patchBusy(event, after.busy);
  if (differs('reminders')) patchReminders(event, before.reminders ?? [], after);
}

/** The same text in other spellings, which other apps show in its place: wrong as soon as the text is another. */
const copiesOfOldNotes = ['X-ALT-DESC', 'STYLED-DESCRIPTION'];
const placesOfOldText = ['X-APPLE-STRUCTURED-LOCATION', 'GEO'];

function patchText(event: EventDraft, name: string, text: string | undefined, limit: number, copies: string[]): void {
  const clean = cleanText(text ?? '', limit);
  const parameters = parametersBut(event.raw.one.get(name), ['ALTREP']);
  event.set(name, clean === '' ? null : `${name}${parameters}:${escapeText(clean)}`);
  for (const line of event.raw.component.lines) if (copies.includes(line.name)) event.put(line, null);
}

/**
 * A link that is replaced or taken out is so in the texts that nobody edited too: it was read from there, and who opens
 * the event elsewhere would join the meeting that it is not any more. Texts that were cut while reading are left alone.
 */
function withLink(before: Core, after: Core): Core {
  const { joinUrl: old } = before;
  if (old === undefined) return after;
  const next = { ...after };
  for (const [part, limit] of [
    ['location', eventLimits.locationChars],
    ['notes', eventLimits.notesChars],
  ] as const) {
    const text = after[part];
    if (text === undefined || text !== before[part] || !text.includes(old) || text.length >= limit) continue;
    if (after.joinUrl !== undefined) next[part] = text.replaceAll(old, after.joinUrl);
    else {
      const lines = text.split('\n').filter((line) => line.trim() !== old);
      next[part] = lines.join('\n').replaceAll(old, '').trim();
    }
  }
  return next;
}

/** The link stands in CONFERENCE (RFC 7986 5.11), or in the property that it was read from. */
function patchLink(event: EventDraft, before: string | undefined, after: string | undefined): void {
  const { raw } = event;
  const link = webLink(after ?? '');
  const value = link?.replaceAll('\\', '\\\\');
  const url = raw.one.get('URL');
  if (url !== undefined && before !== undefined && url.text.includes(before)) event.put(url, null);
  const lines = raw.component.lines.filter((line) => linkProperties.includes(line.name) && linkOf(line) !== undefined);
  const source = lines.find((line) => linkOf(line) === before);
  if (source === undefined) {
    for (const line of lines) event.put(line, null);
    if (value !== undefined) event.add(`CONFERENCE;VALUE=URI;FEATURE=VIDEO:${value}`);
  } else {
    for (const line of lines) {
      if (line === source && value !== undefined) event.put(line, `${line.name}${parametersBut(line, [])}:${value}`);
      else if (line === source || value === undefined) event.put(line, null);
    }
  }
}

function patchCategories({ raw, put, add }: EventDraft, categories: string[]): void {
  const [first, ...others] = raw.categories;
  for (const line of others) put(line, null);
  const content = `CATEGORIES:${categories.map((category) => escapeText(cleanText(category, 200).trim())).join(',')}`;
  if (first !== undefined) put(first, categories.length === 0 ? null : content);
  else if (categories.length > 0) add(content);
}

function patchColor(event: EventDraft, color: string | undefined): void {
  const name = nearestColorName(color ?? '');
  event.set('COLOR', name === undefined ? null : `COLOR:${name}`);
}

function patchClass(event: EventDraft, isPrivate: boolean): void {
  if (isPrivate) event.set('CLASS', 'CLASS:PRIVATE');
  else if (event.raw.one.has('CLASS')) event.set('CLASS', 'CLASS:PUBLIC');
}

/** TRANSP says whether it takes time; STATUS that it is not settled; Microsoft's status what neither can say. */
function patchBusy(event: EventDraft, busy: Core['busy']): void {
  const { raw } = event;
  const takesNoTime = busy === 'free' || busy === 'elsewhere';
  if (takesNoTime || raw.one.has('TRANSP')) event.set('TRANSP', `TRANSP:${takesNoTime ? 'TRANSPARENT' : 'OPAQUE'}`);
  if (busy === 'tentative') event.set('STATUS', 'STATUS:TENTATIVE');
  else if (keyword(raw, 'STATUS') === 'TENTATIVE') event.set('STATUS', 'STATUS:CONFIRMED');
  const microsoft = 'X-MICROSOFT-CDO-BUSYSTATUS';
  const words = { oof: 'OOF', elsewhere: 'WORKINGELSEWHERE', free: 'FREE', tentative: 'TENTATIVE' } as const;
  const word = busy === 'busy' || busy === 'unknown' ? 'BUSY' : words[busy];
  if (busy === 'oof' || busy === 'elsewhere' || raw.one.has(microsoft)) event.set(microsoft, `${microsoft}:${word}`);
}

/**
 * An alarm that shall remind at another time keeps its sound and text. Alarms that are no reminders of ours stay, and so do
 * several at one time and those that were not shown. Whole days are days of the wall clock (RFC 5545 3.3.6).
 */
function patchReminders(event: EventDraft, shown: number[], { reminders = [], title }: Core): void {
  const { raw } = event;
  const missing = new Set(reminders);
  const obsolete: Component[] = [];
  for (const alarm of raw.component.components) {
    const minutes = reminderMinutes(alarm);
    if (minutes === null) continue;
    missing.delete(minutes);
    if (shown.includes(minutes) && !reminders.includes(minutes)) obsolete.push(alarm);
  }
  const wanted = [...missing];
  for (const alarm of obsolete) {
    const minutes = wanted.shift();
    const trigger = alarm.lines.find(({ name }) => name === 'TRIGGER');
    if (minutes === undefined || trigger === undefined) event.remove(alarm);
    else event.put(trigger, `TRIGGER:${triggerOf(minutes)}`);
  }
  const text = escapeText(cleanText(title ?? '', eventLimits.titleChars)) || 'Reminder';
  for (const minutes of wanted) {
    const description = foldLine(`DESCRIPTION:${text}`);
    event.append(`BEGIN:VALARM\r\nACTION:DISPLAY\r\n${description}TRIGGER:${triggerOf(minutes)}\r\nEND:VALARM\r\n`);
  }
}

function triggerOf(minutes: number): string {
  if (minutes === 0) return 'PT0S';
  return minutes % 1_440 === 0 ? `-P${minutes / 1_440}D` : `-PT${minutes}M`;
}
