import type { Core, RecId, Series, When } from '#kernel/event.ts';
import { equalJson } from '#kernel/event-hash.ts';
import type { Component } from '#kernel/ical/content-lines.ts';
import type { EventDraft } from '#kernel/ical/event-draft.ts';
import type { FileNames } from '#kernel/ical/file-names.ts';
import { type OwnSide, patchCore } from '#kernel/ical/patch-core.ts';
import { dropRecurrence } from '#kernel/ical/patch-recurrence.ts';
import { patchWhen } from '#kernel/ical/patch-when.ts';
import type { RawEvent } from '#kernel/ical/read-event.ts';
import { recIdOf } from '#kernel/ical/read-recurrence.ts';
import { readDateLine } from '#kernel/ical/read-when.ts';
import { isCancelled, latest } from '#kernel/ical/revisions.ts';
import type { Frame } from '#kernel/ical/series-frame.ts';
import { instanceValue } from '#kernel/ical/write-recurrence.ts';

/** A change of one object under way. */
export interface Patch {
  was: Series;
  will: Series;
  /** Whether the start changed, or it was no series: the names of instances are read again. */
  moved: boolean;
  frames: { was: Frame; will: Frame };
  names: FileNames;
  own: OwnSide;
  /** Returns the text of a VEVENT after a change. `change` returns whether invited people have to plan again. */
  rewrite(component: Component, change: (event: EventDraft) => boolean): string;
  replace(component: Component, text: string): void;
  /** After the last VEVENT. */
  append(text: string): void;
}

/**
 * Writes the changed instances of a series, each a VEVENT of its own with RECURRENCE-ID; a new one begins as a copy of
 * the master, with all that other apps put there. Gives the instances that are excluded by overrides which say CANCELLED.
 */
export function patchOverrides(patch: Patch, master: RawEvent, overrides: RawEvent[]): ReadonlySet<RecId> {
  const { was, will } = patch;
  const { standing, excluded } = sortOverrides(patch, overrides);
  const origins = matchOverrides(was, will);
  const used = new Set<RecId>();
  for (const [recId, wanted] of Object.entries(will.overrides)) {
    const origin = origins.get(recId);
    const raw = origin === undefined ? null : latest(standing.get(origin) ?? []);
    if (raw === null || origin === undefined) {
      patch.append(copyMaster(patch, master, recId, wanted));
    } else {
      used.add(origin);
      patch.replace(raw.component, patchOverride(patch, raw, recId, was.overrides[origin] ?? wanted, wanted));
    }
  }
  for (const [recId, found] of standing) {
    const stays = used.has(recId) || (!patch.moved && !(recId in was.overrides) && !will.exdates.includes(recId));
    // the later of two revisions of one instance counts; the other must not become an instance of its own
    const kept = stays ? (patch.moved ? [latest(found)] : found) : [];
    for (const event of found) if (!kept.includes(event)) patch.replace(event.component, '');
  }
  return excluded;
}

interface Instance {
  when: When;
  core: Core;
}

function copyMaster(patch: Patch, master: RawEvent, recId: RecId, wanted: Instance): string {
  return patch.rewrite(master.component, (event) => {
    dropRecurrence(event);
    event.add(nameOf(patch, recId), event.raw.one.get('UID'));
    patchInstance(patch, event, patch.was, wanted);
    // an answer is no new plan of the organizer
    return patch.own.answersAs === undefined;
  });
}

function patchOverride(patch: Patch, raw: RawEvent, recId: RecId, known: Instance, wanted: Instance): string {
  return patch.rewrite(raw.component, (event) => {
    const isNamed = recIdOfRaw(event.raw, patch, patch.frames.will) === recId;
    if (!isNamed) event.set('RECURRENCE-ID', nameOf(patch, recId));
    return patchInstance(patch, event, known, wanted) || !isNamed;
  });
}

/** True where it takes place at another time. */
function patchInstance({ names, own }: Patch, event: EventDraft, known: Instance, wanted: Instance): boolean {
  const isElsewhere = !equalJson(known.when, wanted.when);
  if (isElsewhere) patchWhen(event, known.when, wanted.when, false, names);
  patchCore(event, known.core, wanted.core, own);
  return isElsewhere;
}

function nameOf({ frames, names }: Patch, recId: RecId): string {
  const { kind, zone } = frames.will;
  return `RECURRENCE-ID${instanceValue(recId, kind, zone, kind === 'zoned' ? names.tzid(zone) : undefined)}`;
}

function recIdOfRaw(raw: RawEvent, { names }: Patch, frame: Frame): RecId | null {
  const line = raw.one.get('RECURRENCE-ID');
  const value = line === undefined ? null : readDateLine(line, names.zones);
  return value === null ? null : recIdOf(value, frame);
}

/** The overrides by instance. One that says CANCELLED excludes it, and goes where the instance shall take place. */
function sortOverrides(patch: Patch, overrides: RawEvent[]) {
  const { was, will, frames } = patch;
  const standing = new Map<RecId, RawEvent[]>();
  const excluded = new Set<RecId>();
  for (const event of overrides) {
    const recId = recIdOfRaw(event, patch, isCancelled(event) ? frames.will : frames.was);
    if (recId === null) continue;
    if (!isCancelled(event)) standing.set(recId, [...(standing.get(recId) ?? []), event]);
    else if (will.exdates.includes(recId)) excluded.add(recId);
    else if (patch.moved || recId in will.overrides || was.exdates.includes(recId)) patch.replace(event.component, '');
  }
  return { standing, excluded };
}

/**
 * Which standing override each wanted one comes from. Where a series moves, its instances have other names: what is
 * equal goes together, then what says the same, then the rest in order.
 */
function matchOverrides(was: Series, will: Series): Map<RecId, RecId> {
  const origins = new Map<RecId, RecId>();
  const wanted = Object.keys(will.overrides).sort();
  const free = new Set(Object.keys(was.overrides).sort());
  const match = (fits: (a: RecId, b: RecId) => boolean) => {
    for (const recId of wanted) {
      if (origins.has(recId)) continue;
      const origin = [...free].find((one) => fits(one, recId));
      if (origin === undefined) continue;
      origins.set(recId, origin);
      free.delete(origin);
    }
  };
  match((a, b) => a === b);
  if (equalJson(was.when, will.when)) return origins;
  match((a, b) => equalJson(was.overrides[a], will.overrides[b]));
  match((a, b) => equalJson(was.overrides[a]?.core, will.overrides[b]?.core));
  match(() => true);
  return origins;
}
