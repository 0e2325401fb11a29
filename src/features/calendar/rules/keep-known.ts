import { type Core, type EventBody, eventLimits, type RecId, type When } from '#kernel/event.ts';
import { firstRecId } from '#kernel/ical/series-frame.ts';
import { findOccurrence } from '#kernel/recurrence/find-occurrence.ts';
import { boundsOf, occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { makeRecId, parseRecId } from '#kernel/time/rec-id.ts';

type Instance = { when: When; core: Core };

/**
 * The body of an event that can now be read in part: what was known of it, and beside it the times that the part names and
 * that it does not have. *Shape*: `before` itself where the part adds nothing.
 */
export function keepKnown(before: EventBody, part: EventBody, calendarZone: string, ownerZone: string): EventBody {
  return namedIn(part).reduce((body, instance) => withInstance(body, instance, calendarZone, ownerZone), before);
}

/** The times that a body names itself, without those of its rules. */
function namedIn(body: EventBody): Instance[] {
  if (body.kind === 'withheld') return [];
  if (body.kind === 'single') return [body];
  if (body.kind === 'instances') return Object.values(body.list);
  const series = body.kind === 'split' ? body.series : body;
  const first = series.exdates.includes(firstRecId(series.when)) ? [] : [series];
  return [...first, ...Object.values(series.overrides)];
}

function withInstance(body: EventBody, { when, core }: Instance, calendarZone: string, ownerZone: string): EventBody {
  const place = boundsOf({ kind: 'single', when, core }, calendarZone, ownerZone);
  if (place === null || place.endMs === null || body.kind === 'withheld') return body;
  const { startMs, endMs } = place;
  const { list } = occurrencesOf(body, calendarZone, ownerZone, { fromMs: startMs, toMs: endMs }, eventLimits);
  if (list.some((one) => one.startMs <= startMs && one.endMs >= endMs)) return body;
  const added: Instance = { when, core };
  const clocks = { calendarZone, ownerZone };
  if (body.kind === 'single') {
    const own = { [firstRecId(body.when)]: { when: body.when, core: body.core } };
    return placed({ kind: 'instances', of: '', from: -8.64e15, to: 8.64e15, list: own }, body.when, added, clocks);
  }
  return placed(
    body,
    body.kind === 'instances' ? when : (body.kind === 'split' ? body.series : body).when,
    added,
    clocks,
  );
}

/** The body with an instance more. Its name is its start in the form of `like`, or one before the first instance. */
function placed(
  body: Exclude<EventBody, { kind: 'withheld' | 'single' }>,
  like: When,
  instance: Instance,
  { calendarZone, ownerZone }: { calendarZone: string; ownerZone: string },
): EventBody {
  const series = body.kind === 'split' ? body.series : body;
  const list = series.kind === 'instances' ? series.list : series.overrides;
  if (Object.keys(list).length >= eventLimits.overrides) return body;
  const excluded = new Set(series.kind === 'instances' ? [] : series.exdates);
  const isTaken = (name: RecId) =>
    list[name] !== undefined || excluded.has(name) || findOccurrence(body, name, calendarZone, ownerZone) !== null;
  const msOf = (when: When) => parseRecId(firstRecId(when))?.ms ?? 0;
  let name = makeRecId(like.kind, msOf(instance.when));
  // no rule has an instance before its first
  for (let ms = msOf(like); isTaken(name); name = makeRecId(like.kind, ms)) ms -= 86_400_000;
  const all = { ...list, [name]: instance };
  if (body.kind === 'instances') return { ...body, list: all };
  if (body.kind === 'series') return { ...body, overrides: all };
  return { ...body, series: { ...body.series, overrides: all } };
}
