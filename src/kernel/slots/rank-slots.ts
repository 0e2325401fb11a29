import { dayMs, hourMs, minuteMs } from '#kernel/time/civil.ts';
import { normalizeSpans, type Span, splitSpans, subtractSpans } from '#kernel/time/intervals.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import type { SlotHost, SlotQuestion } from './slot-question.ts';

/** The main advantage of a start. */
export type Recommendation = 'popular' | 'keeps-focus' | 'quiet-day' | 'room-around' | 'guest-hours';

export interface RankedSlot {
  startMs: number;
  /** 0 to 1. */
  score: number;
  because: Recommendation;
}

const weights: Readonly<Record<Recommendation, number>> = {
  popular: 0.35,
  'keeps-focus': 0.25,
  'quiet-day': 0.15,
  'room-around': 0.15,
  'guest-hours': 0.1,
};
const names = Object.keys(weights) as Recommendation[];

/** With this much room on a side nobody has to hurry. */
const comfortMs = 30 * minuteMs;
/** Right after something else is better than so shortly after it that the time between is lost. */
const backToBack = 0.6;

/**
 * The starts in the order in which they suit best, by arithmetic and nothing else: 0.35 how often its hour is booked, 0.25
 * how much of the day's longest free time it leaves, 0.15 how free the day is, 0.15 room around it, 0.10 the guest's hours.
 * It orders what is offered and never changes it. *Shape*: at most `count`, the best first, of two alike the earlier.
 */
export function rankSlots(
  question: SlotQuestion,
  starts: readonly number[],
  {
    popularity,
    guestZone,
    count,
  }: { popularity: readonly number[] /* by hour of the day */; guestZone: string; count: number },
): RankedSlot[] {
  const [host] = question.hosts;
  const zone = loadZone(question.zone);
  if (host === undefined || zone === null || starts.length === 0) return [];
  const guest = loadZone(guestZone) ?? zone;
  const days = readDays(question, host, zone);
  const most = Math.max(...popularity, 0);
  // a page has up to 18,000 starts and shows three of them
  const best: RankedSlot[] = [];
  for (const startMs of starts) {
    const localMs = zone.toLocal(startMs);
    const day = days.get(Math.floor(localMs / dayMs));
    const meeting = { startMs, endMs: startMs + question.durationMs };
    const parts: Record<Recommendation, number> = {
      popular: most === 0 ? 0 : (popularity[hourOf(localMs)] ?? 0) / most,
      'keeps-focus': day === undefined ? 0 : keptFocus(day, meeting),
      'quiet-day': day === undefined || day.openMs === 0 ? 0 : day.freeMs / day.openMs,
      'room-around': day === undefined ? 0 : roomAround(day, meeting),
      'guest-hours': hourFit(hourOf(guest.toLocal(startMs))),
    };
    const score = names.reduce((sum, name) => sum + weights[name] * parts[name], 0);
    const place = best.findIndex((other) => score > other.score || (score === other.score && startMs < other.startMs));
    if (place === -1 && best.length >= count) continue;
    const because = names.reduce((first, name) =>
      weights[name] * parts[name] > weights[first] * parts[first] ? name : first,
    );
    best.splice(place === -1 ? best.length : place, 0, { startMs, score, because });
    best.length = Math.min(best.length, count);
  }
  return best;
}

interface DayOfHost {
  free: Span[];
  openMs: number;
  freeMs: number;
  longestMs: number;
}

/** The host's days by number: what is open in them, and what of it is free. */
function readDays(question: SlotQuestion, host: SlotHost, zone: Zone): Map<number, DayOfHost> {
  const taken = normalizeSpans([...host.busy, ...host.blocks, ...(host.sessions ?? [])]);
  const days = new Map<number, DayOfHost>();
  const first = Math.floor(zone.toLocal(question.range.startMs) / dayMs);
  const last = Math.floor(zone.toLocal(question.range.endMs) / dayMs);
  const bounds = Array.from({ length: last - first + 2 }, (_, n) => zone.toInstant((first + n) * dayMs));
  const opens = splitSpans(host.open, bounds);
  for (const [n, free] of splitSpans(subtractSpans(host.open, taken), bounds).entries()) {
    const open = opens[n] ?? [];
    if (open.length === 0) continue;
    days.set(first + n, { free, openMs: sum(open), freeMs: sum(free), longestMs: Math.max(0, ...free.map(length)) });
  }
  return days;
}

/** The share of the day's longest free time that is left in one piece. */
function keptFocus({ free, longestMs }: DayOfHost, meeting: Span): number {
  if (longestMs === 0) return 0;
  let leftMs = 0;
  for (const span of free) {
    if (meeting.endMs <= span.startMs || span.endMs <= meeting.startMs) leftMs = Math.max(leftMs, length(span));
    else leftMs = Math.max(leftMs, meeting.startMs - span.startMs, span.endMs - meeting.endMs);
  }
  return leftMs / longestMs;
}

function roomAround({ free }: DayOfHost, meeting: Span): number {
  const around = free.find((span) => span.startMs <= meeting.startMs && meeting.endMs <= span.endMs);
  if (around === undefined) return 0;
  return (comfort(meeting.startMs - around.startMs) + comfort(around.endMs - meeting.endMs)) / 2;
}

function comfort(gapMs: number): number {
  return gapMs === 0 ? backToBack : Math.min(1, gapMs / comfortMs);
}

function hourFit(hour: number): number {
  if (hour >= 9 && hour < 17) return 1;
  return hour >= 7 && hour < 20 ? 0.5 : 0;
}

function hourOf(localMs: number): number {
  return Math.floor((localMs - Math.floor(localMs / dayMs) * dayMs) / hourMs);
}

const length = ({ startMs, endMs }: Span) => endMs - startMs;
const sum = (spans: readonly Span[]) => spans.reduce((total, span) => total + length(span), 0);
