/**
 * Warnings of the readers of calendars: a code, and the values that a sentence about it names. A reader gives them as texts
 * (`text-cut {"property":"SUMMARY"}`), so that they are compared, counted, and stored like any text.
 */

/** Codes and the names of their values. `source` is a piece of the source, as it was written. */
const warningValues = {
  // the text of a calendar
  'component-unclosed': ['component'],
  'lines-skipped': ['number'],
  'characters-skipped': [],
  'cut-off': [],
  'beginning-missing': [],
  'no-event': [],
  'beyond-limits': [],
  'not-delivered': [],
  'form-unknown': [],
  // a file as a whole
  'file-zone-unknown': ['zone'],
  'uids-missing': ['number'],
  'uids-shared': ['number'],
  'busy-unreadable': ['number'],
  'events-doubted': ['before', 'now'],
  'events-lost': ['before', 'now'],
  'more-warnings': ['number'],
  // identity
  'uid-missing': [],
  'several-uids': [],
  'several-uids-unreadable': [],
  'several-revisions': [],
  'message-only': [],
  // times
  'start-missing': [],
  'start-unreadable': ['source'],
  'end-unreadable': ['source'],
  'end-before-start': [],
  'length-unreadable': ['source'],
  'length-negative': [],
  'time-unreadable': [],
  'zone-unknown': ['zone'],
  'zone-as-utc': ['zone'],
  'zone-taken-for': ['zone', 'used'],
  'zone-taken-for-offset': ['zone', 'used'],
  'zone-contradicts': ['zone', 'used'],
  'zone-redefined': ['zone', 'named'],
  'zone-unreadable': ['zone'],
  'zone-of-series-unknown': ['zone'],
  // recurrence
  'rule-unreadable': ['source'],
  'rule-skipped': ['source'],
  'rule-repaired': ['source'],
  'rules-skipped': ['number'],
  'too-many-rules': ['most'],
  'dates-unreadable': ['property', 'number'],
  'dates-skipped': ['property'],
  'too-dense': [],
  // changed instances
  'changes-skipped': ['number'],
  'change-unnamed': [],
  'change-unreadable': [],
  'change-without-time': [],
  'change-of-excluded': [],
  'changes-without-text': [],
  'changes-alone-unreadable': [],
  'too-many-changes': ['most'],
  'following-without-series': [],
  'following-unreadable': [],
  'preceding-unsupported': [],
  // details
  'text-cut': ['property', 'most'],
  'guests-skipped': ['number'],
  'guests-hidden': [],
  'transparency-unreadable': ['source'],
  /** A text of another version of Holdfast. */
  other: ['source'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type WarningCode = keyof typeof warningValues;
type Values<Code extends WarningCode> = Record<(typeof warningValues)[Code][number], string | number>;

export interface ReadingWarning {
  code: WarningCode;
  values: Record<string, string | number>;
}

/** The length of one value. A piece of the source says enough. */
const valueChars = 200;

export function warning<Code extends WarningCode>(code: Code, values: Values<Code>): string {
  const kept = Object.entries<string | number>(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.slice(0, valueChars).toWellFormed() : value,
  ]);
  return kept.length === 0 ? code : `${code} ${JSON.stringify(Object.fromEntries(kept))}`;
}

/** The warning that a reader gave as this text. */
export function parseWarning(text: string): ReadingWarning {
  const [, code = '', json] = /^([a-z-]+)(?: (\{.*\}))?$/.exec(text) ?? [];
  if (!isCode(code)) return { code: 'other', values: { source: text.slice(0, valueChars) } };
  const read = json === undefined ? {} : valuesIn(json);
  return { code, values: Object.fromEntries(warningValues[code].map((name) => [name, read[name] ?? ''])) };
}

/** Codes of what may cost an event some of its time. */
const losses: ReadonlySet<string> = new Set<WarningCode>([
  'cut-off',
  'start-missing',
  'start-unreadable',
  'end-unreadable',
  'length-unreadable',
  'zone-unknown',
  'zone-unreadable',
  'zone-of-series-unknown',
  'rule-unreadable',
  'too-many-rules',
  'change-unnamed',
  'change-unreadable',
  'changes-alone-unreadable',
  'too-many-changes',
  'several-uids-unreadable',
  'following-without-series',
  'following-unreadable',
  'preceding-unsupported',
]);

/** Whether an event with this warning may take more time than was read. The time known before still counts. */
export function losesTime(text: string): boolean {
  const [code = ''] = text.split(' ', 1);
  return losses.has(code) || (code === 'dates-unreadable' && parseWarning(text).values.property === 'RDATE');
}

const isCode = (text: string): text is WarningCode => Object.hasOwn(warningValues, text);

function valuesIn(json: string): ReadingWarning['values'] {
  try {
    return JSON.parse(json) as ReadingWarning['values'];
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Warnings of one event or file. */
const mostWarnings = 20;

/** Returns each warning once, with the number of those beyond the first 20. Warnings that lose time come first. */
export function shortenWarnings(warnings: readonly string[]): string[] {
  const different = [...new Set(warnings)];
  if (different.length <= mostWarnings) return different;
  const kept = [...different.filter(losesTime), ...different.filter((one) => !losesTime(one))].slice(
    0,
    mostWarnings - 1,
  );
  return [...kept, warning('more-warnings', { number: different.length - kept.length })];
}
