import { intersectSpans, type Span } from '#kernel/time/intervals.ts';
import { countingHosts, neededHosts, type SlotHost, type SlotQuestion } from './slot-question.ts';

/** When as many hosts as are needed are open; together, so that a pool has one grid. *Shape*: a span list. */
export function openTogether(question: SlotQuestion): readonly Span[] {
  const hosts = countingHosts(question);
  const needed = neededHosts(question);
  const [first, ...others] = hosts;
  if (first === undefined) return [];
  const rest = others.map(({ open }) => open);
  if (needed === hosts.length)
    return rest.reduce<readonly Span[]>((common, open) => intersectSpans(common, open), first.open);
  if (needed === 1) return rest.reduce<readonly Span[]>((common, open) => unite(common, open), first.open);
  return openToAtLeast(hosts, needed);
}

/** The range in parts in which no hours change, each with its hours as if they had never been others. */
export function listHoursParts(question: SlotQuestion): SlotQuestion[] {
  const { range, hosts } = question;
  if (hosts.every(({ hours }) => hours === undefined)) return [question];
  const changes = hosts
    .flatMap(({ hours = [] }) => hours.map(({ fromMs }) => fromMs))
    .filter((ms) => range.startMs < ms && ms < range.endMs);
  const begins = [...new Set([range.startMs, ...changes])].sort((a, b) => a - b);
  return begins.map((startMs, n) => ({
    ...question,
    range: { startMs, endMs: begins[n + 1] ?? range.endMs },
    zone: hoursAt(hosts[0], startMs)?.zone ?? question.zone,
    hosts: hosts.map((host) => ({ ...host, open: hoursAt(host, startMs)?.open ?? host.open })),
  }));
}

const hoursAt = (host: SlotHost | undefined, atMs: number) => host?.hours?.findLast(({ fromMs }) => fromMs <= atMs);

/** Without sorting: the pool's hours change little with each host, so a pool costs what its hosts cost. */
function unite(a: readonly Span[], b: readonly Span[]): readonly Span[] {
  const list: Span[] = [];
  let last: Span | null = null;
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    const fromLeft = right === undefined || (left !== undefined && left.startMs <= right.startMs);
    const next = (fromLeft ? left : right) as Span;
    if (fromLeft) i += 1;
    else j += 1;
    if (last === null || next.startMs > last.endMs) {
      last = { startMs: next.startMs, endMs: next.endMs };
      list.push(last);
    } else if (next.endMs > last.endMs) last.endMs = next.endMs;
  }
  return list;
}

/** A quorum: begins and ends in order of time, counted. */
function openToAtLeast(hosts: readonly SlotHost[], needed: number): Span[] {
  const begins = hosts.flatMap(({ open }) => open.map(({ startMs }) => startMs)).sort((a, b) => a - b);
  const ends = hosts.flatMap(({ open }) => open.map(({ endMs }) => endMs)).sort((a, b) => a - b);
  const spans: Span[] = [];
  let open = 0;
  let ended = 0;
  let sinceMs = 0;
  const closeAt = (endMs: number) => {
    if (sinceMs < endMs) spans.push({ startMs: sinceMs, endMs });
  };
  for (const beginMs of begins) {
    // One who ends when another begins hands over: the time stays open.
    while ((ends[ended] as number) < beginMs) {
      if (open === needed) closeAt(ends[ended] as number);
      open -= 1;
      ended += 1;
    }
    open += 1;
    if (open === needed) sinceMs = beginMs;
  }
  if (open >= needed) closeAt(ends[ended + open - needed] as number);
  return spans;
}
