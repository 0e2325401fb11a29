import type { Span } from '#kernel/time/intervals.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import { listGrid } from './list-grid.ts';
import { listHoursParts, openTogether } from './open-together.ts';
import { countingHosts, neededHosts, type SlotHost, type SlotQuestion } from './slot-question.ts';
import { listStartWindows, type Windows } from './start-windows.ts';

/**
 * Returns every bookable start in the range. `decideSlot` accepts exactly these, because it decides here. *Shape*:
 * sorted, each once. *Units*: epoch ms. *Errors*: RangeError for an invalid zone, length or step.
 */
export function listSlots(question: SlotQuestion): number[] {
  const zone = zoneOf(question);
  const range = bookableRange(question);
  const hosts = countingHosts(question);
  if (question.paused || range.startMs >= range.endMs || hosts.length === 0) return [];
  const asked = { ...question, range };
  const starts = listStarts(asked);
  if (starts.length === 0) return starts;
  const free = new Uint16Array(starts.length);
  for (const host of hosts) countFree(free, starts, listStartWindows(asked, host, zone));
  const needed = neededHosts(question);
  return starts.filter((_, n) => (free[n] as number) >= needed);
}

/** The hosts who are free at a start that the range holds, those who are optional among them. */
export function listFreeHosts(question: SlotQuestion, startMs: number): SlotHost[] {
  const asked = { ...question, range: { startMs, endMs: startMs + 1 } };
  const zone = zoneOf(question);
  return question.hosts.filter((host) => listStartWindows(asked, host, zone).length > 0);
}

/** The part of the range that is neither past, nor too soon, nor outside the window. */
function bookableRange({ range, window, nowMs, noticeMs }: SlotQuestion): Span {
  return {
    startMs: Math.max(range.startMs, window.startMs, nowMs + Math.max(0, noticeMs)),
    endMs: Math.min(range.endMs, window.endMs),
  };
}

/** Lists the possible starts, whoever is free: the picked ones, or those of the grid and of started sessions. */
export function listStarts(question: SlotQuestion): number[] {
  const { range, only } = question;
  const inRange = (startMs: number) => range.startMs <= startMs && startMs < range.endMs;
  if (only !== undefined) return [...new Set(only)].filter(inRange);
  const starts = listHoursParts(question).flatMap((part) =>
    listGrid(openTogether(part), { ...part, zone: zoneOf(part) }),
  );
  const more = question.hosts.flatMap(({ sessions = [] }) => sessions.map(({ startMs }) => startMs)).filter(inRange);
  return more.length === 0 ? starts : [...new Set([...starts, ...more])].sort((a, b) => a - b);
}

/** Counts a host at every start that its windows hold. */
function countFree(free: Uint16Array, starts: readonly number[], windows: Windows): void {
  let at = 0;
  for (let i = 0; i < windows.length; i += 2) {
    const firstMs = windows[i] as number;
    const lastMs = windows[i + 1] as number;
    while (at < starts.length && (starts[at] as number) < firstMs) at += 1;
    for (; at < starts.length && (starts[at] as number) <= lastMs; at += 1) free[at] = (free[at] as number) + 1;
  }
}

export function zoneOf({ zone: id, stepMs, durationMs, ...question }: SlotQuestion): Zone {
  const zone = loadZone(id);
  if (zone === null) throw new RangeError(`No zone ${id}`);
  const lengths = [stepMs, durationMs, question.bufferBeforeMs + 1, question.bufferAfterMs + 1];
  if (!lengths.every((ms) => Number.isInteger(ms) && ms > 0)) throw new RangeError('A slot needs a length and a step.');
  return zone;
}
