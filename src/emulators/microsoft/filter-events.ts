import { badRequest } from './graph-errors.ts';
import { parseInstant } from './graph-time.ts';
import { endOf, startOf } from './instances.ts';
import { extendedKey } from './present-event.ts';
import type { CalendarEvent } from './world.ts';

/** One condition of a `$filter`; all of them have to hold. */
export type Condition =
  | { on: 'extended'; id: string; value: string }
  | { on: 'time'; property: 'start' | 'end' | 'created' | 'modified'; operator: Operator; ms: number }
  | { on: 'text'; property: 'subject' | 'type' | 'showAs' | 'sensitivity'; value: string };

type Operator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';

const timeProperties: Record<string, Extract<Condition, { on: 'time' }>['property']> = {
  'start/dateTime': 'start',
  'end/dateTime': 'end',
  createdDateTime: 'created',
  lastModifiedDateTime: 'modified',
};

/**
 * Reads the filters that the calendar API is asked in practice: extended properties with `any`, times, and a few texts,
 * joined by `and`. Source: "Get singleValueLegacyExtendedProperty", "List events".
 */
export function readFilter(text: string | undefined): Condition[] {
  if (text === undefined) return [];
  return text
    .split(/\s+and\s+(?![^(]*\))/)
    .map((part) => part.trim())
    .map((part) => readCondition(part.startsWith('(') && part.endsWith(')') ? part.slice(1, -1).trim() : part));
}

/** Parentheses inside a quoted name do not count, hence the strings are matched first. */
const anyPattern =
  /^singleValueExtendedProperties\/any\(\s*(\w+)\s*:\s*\1\/id\s+eq\s+'((?:[^']|'')*)'\s+and\s+\1\/value\s+eq\s+'((?:[^']|'')*)'\s*\)$/i;

function readCondition(part: string): Condition {
  const extended = anyPattern.exec(part);
  if (extended) return { on: 'extended', id: extendedKey(unquote(extended[2]!)), value: unquote(extended[3]!) };
  const comparison = /^([\w/]+)\s+(eq|ne|gt|ge|lt|le)\s+(?:'((?:[^']|'')*)'|(\S+))$/.exec(part);
  const [, name = '', operator, quoted, bare] = comparison ?? [];
  const property = timeProperties[name];
  if (property) {
    const ms = parseInstant(quoted ?? bare ?? '');
    if (ms !== null) return { on: 'time', property, operator: operator as Operator, ms };
  }
  if (
    operator === 'eq' &&
    quoted !== undefined &&
    (name === 'subject' || name === 'type' || name === 'showAs' || name === 'sensitivity')
  ) {
    return { on: 'text', property: name, value: unquote(quoted) };
  }
  throw badRequest('ErrorInvalidUrlQueryFilter', 'The query filter contains one or more invalid nodes.');
}

export function matchesFilter(conditions: readonly Condition[], event: CalendarEvent): boolean {
  return conditions.every((condition) => matches(condition, event));
}

function matches(condition: Condition, event: CalendarEvent): boolean {
  switch (condition.on) {
    case 'extended':
      // The name is compared letter by letter, the value is not.
      return event.extended.get(condition.id)?.toLowerCase() === condition.value.toLowerCase();
    case 'time':
      return compare(timeOf(event, condition.property), condition.operator, condition.ms);
    case 'text':
      return textOf(event, condition.property).toLowerCase() === condition.value.toLowerCase();
  }
}

function timeOf(event: CalendarEvent, property: Extract<Condition, { on: 'time' }>['property']): number {
  if (property === 'start') return startOf(event.content);
  if (property === 'end') return endOf(event.content);
  return property === 'created' ? event.createdAtMs : event.modifiedAtMs;
}

function textOf(event: CalendarEvent, property: Extract<Condition, { on: 'text' }>['property']): string {
  if (property === 'type') return event.recurrence ? 'seriesMaster' : 'singleInstance';
  return event.content[property];
}

function compare(ms: number, operator: Operator, withMs: number): boolean {
  switch (operator) {
    case 'eq':
      return ms === withMs;
    case 'ne':
      return ms !== withMs;
    case 'gt':
      return ms > withMs;
    case 'ge':
      return ms >= withMs;
    case 'lt':
      return ms < withMs;
    case 'le':
      return ms <= withMs;
  }
}

function unquote(text: string): string {
  return text.replaceAll("''", "'");
}
