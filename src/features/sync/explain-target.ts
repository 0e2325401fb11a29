import type * as z from 'zod/mini';
import { busyReasonOf } from '#features/calendar/rules/busy-class.ts';
import { eventIdOf } from '#features/calendar/rules/event-view.ts';
import type { Calendar } from '#features/connections/public.ts';
import { isoOf } from '#features/connections/public.ts';
import type { RecId } from '#kernel/event.ts';
import type { mirrorAnswerShape, mirrorReasonShape } from './contract.ts';
import type { RuledPair, World } from './load-world.ts';
import { type Desired, type Origin, pairFor } from './rules/desired.ts';
import { type Explained, explainDesired, type InstanceReason } from './rules/explain-instance.ts';
import { obstaclesOf, suspensionOf } from './rules/obstacles.ts';
import { keywordAgainst } from './rules/refusals.ts';
import type { ConsoleMirror } from './store/console.ts';

type Reason = z.output<typeof mirrorReasonShape>;
type Answer = Pick<z.output<typeof mirrorAnswerShape>, 'verdict' | 'reasons' | 'mirror_id'>;

export interface Question {
  world: World;
  /** The direction from the origin's calendar to the target, where a rule is in force. */
  pair: RuledPair | null;
  /** The blocks of the event in the target; null without a pair. */
  desired: Desired | null;
  origin: Origin;
  recId: RecId | '';
  target: Calendar;
  /** Ledger rows of the event in the target. */
  rows: ConsoleMirror[];
  /** The origin of the block; null for other events. */
  writtenFor: { itemId: string; title: string } | null;
}

/** Whether one instance of an event stands in one target, and everything that decides it. Pure over what was read. */
export function explainTarget(question: Question): Answer {
  const { origin, recId, target, rows, writtenFor, desired } = question;
  const pair = question.pair === null ? null : pairFor(question.pair, origin.itemId);
  const none = { verdict: 'not-copied', mirror_id: null } as const;
  if (origin.own) {
    const setting = writtenFor === null ? null : ({ kind: 'event', id: writtenFor.itemId } as const);
    return { ...none, reasons: [reason('own-block', { title: writtenFor?.title ?? '' }, setting)] };
  }
  if (pair === null || desired === null) {
    const standing = rows.find((row) => row.state !== 'skipped');
    const reasons = [...betweenCalendars(question), ...(standing === undefined ? [] : leftovers(question, standing))];
    return { ...none, reasons, mirror_id: standing?.id ?? null };
  }
  const explained = explainDesired(desired, origin, recId, pair);
  const of = (name: string) => rows.find((one) => one.recId === name);
  const row = explained.block === null ? (of(recId) ?? (explained.whole ? undefined : of(''))) : of(explained.block);
  const suspension = suspensionOf(target);
  const connection = { kind: 'connection', id: target.connectionId } as const;
  const suspended = suspension === null ? [] : [reason(suspension, { calendar: target.name }, connection)];
  const rest = { mirror_id: row?.id ?? null };
  if (explained.block === null) {
    const reasons = explained.reasons.map((code) => eventReason(code, question, pair, explained));
    // blocks of an event that is too dense stay as they are
    const left = desired.skipped === 'too-dense' && row?.state !== 'deleting' ? [] : leftovers(question, row);
    return { ...rest, verdict: 'not-copied', reasons: [...reasons, ...suspended, ...left] };
  }
  if (row === undefined) {
    return suspended.length > 0
      ? { ...rest, verdict: 'not-copied', reasons: suspended }
      : { ...rest, verdict: 'on-its-way', reasons: [reason('planning')] };
  }
  const standing = blockReason(question, row);
  const inSeries = explained.block === '' && recId !== '' ? [reason('in-series')] : [];
  return { ...rest, verdict: standing.verdict, reasons: [standing.reason, ...inSeries, ...suspended] };
}

function reason(code: Reason['code'], facts: Reason['facts'] = {}, setting: Reason['setting'] = null): Reason {
  return { code, facts, setting };
}

/** Why no rule leads from the one calendar to the other. */
function betweenCalendars({ world, origin, target }: Question): Reason[] {
  const memberOf = (id: string) => world.members.find((member) => member.calendarId === id);
  const source = memberOf(origin.calendarId);
  const other = memberOf(target.id);
  const group = world.groups.find((one) => one.id === source?.groupId);
  if (source === undefined || group === undefined)
    return [reason('no-group', { calendar: origin.calendarName }, { kind: 'group', id: null })];
  const setting = { kind: 'group', id: group.id } as const;
  if (other?.groupId !== source.groupId)
    return [reason('other-group', { group: group.name, calendar: target.name }, setting)];
  const row = world.pairs.find(
    (one) => one.sourceCalendarId === origin.calendarId && one.targetCalendarId === target.id,
  );
  const connection = world.connections.get(target.connectionId);
  const facts = { group: group.name, source: origin.calendarName, calendar: target.name };
  return obstaclesOf({ group, source, target: other, row: row ?? null, connection }).map((code) =>
    reason(code, facts, code === 'leaving' ? { kind: 'connection', id: target.connectionId } : setting),
  );
}

/** A reason of the engine with what its words need, and where it can be changed. */
function eventReason(
  code: InstanceReason,
  { origin, recId }: Question,
  pair: RuledPair,
  { instance }: Explained,
): Reason {
  const { rule } = pair;
  const rules = { kind: 'group', id: pair.groupId } as const;
  const event = { kind: 'event', id: eventIdOf(origin.itemId, recId) } as const;
  switch (code) {
    case 'out-of-window': {
      const past = instance !== null && instance.endMs <= pair.window.fromMs;
      return reason(
        code,
        { side: past ? 'past' : 'future', days: String(past ? rule.pastDays : rule.futureDays) },
        rules,
      );
    }
    case 'hours':
      return reason(code, { start: rule.hours?.start ?? '', end: rule.hours?.end ?? '' }, rules);
    case 'all-day':
    case 'target-invited':
      return reason(code, {}, rules);
    case 'keyword': {
      const against = instance === null ? null : keywordAgainst(instance.core, rule);
      const facts = { kind: against?.kind ?? 'not-included', word: against?.kind === 'excluded' ? against.word : '' };
      return reason(code, facts, against?.kind === 'nosync' ? event : rules);
    }
    case 'not-busy': {
      if (instance === null) return reason(code, {}, event);
      const { core, allDay, startMs, endMs } = instance;
      const holdRank = pair.holdRank(core);
      const why = busyReasonOf(core, { allDay, provenance: 'foreign', lengthMs: endMs - startMs, holdRank });
      return reason(code, { why }, event);
    }
    case 'not-understood':
      return reason(code, { error: origin.body.kind === 'withheld' ? origin.body.reason : '' }, event);
    default:
      return reason(code, {}, event);
  }
}

/** How the block that shall stand does. */
function blockReason({ world, target }: Question, row: ConsoleMirror): { verdict: Answer['verdict']; reason: Reason } {
  const mirrors = { kind: 'mirrors', id: row.originItemId } as const;
  const connection = world.connections.get(target.connectionId);
  switch (row.state) {
    case 'created':
      return {
        verdict: 'copied',
        reason: reason(
          'stands',
          { title: row.shownAs ?? '', at: isoOf(row.verifiedMs ?? row.appliedMs) ?? '' },
          mirrors,
        ),
      };
    case 'failed':
      return { verdict: 'failed', reason: reason('failed', { error: row.errorMessage ?? '' }, mirrors) };
    case 'skipped': {
      const code = row.reason === 'opted-out' || row.reason === 'released' ? row.reason : 'kept';
      return { verdict: code === 'opted-out' ? 'not-copied' : 'copied', reason: reason(code) };
    }
    case 'pending':
    case 'deleting':
      if (connection?.status === 'needs-reconnect') {
        const account = { kind: 'connection', id: target.connectionId } as const;
        return { verdict: 'on-its-way', reason: reason('reconnect', { account: connection.label }, account) };
      }
      return {
        verdict: 'on-its-way',
        reason:
          row.errorMessage === null
            ? reason('waiting')
            : reason('retrying', { error: row.errorMessage, at: isoOf(row.nextAttemptMs) ?? '' }),
      };
  }
}

/** A block that stands though nothing wants it any more. */
function leftovers({ pair }: Question, row: ConsoleMirror | undefined): Reason[] {
  if (row === undefined || row.state === 'skipped') return [];
  const held = pair?.row?.breaker === 'waiting' || pair?.row?.breaker === 'open';
  if (held && row.state !== 'deleting') return [reason('held-back', {}, { kind: 'group', id: pair?.groupId ?? null })];
  return [reason('removing')];
}
