/**
 * The result of one check of an install.
 * - ok: works, as far as can be seen from here
 * - note: nothing is wrong, but the operator should know
 * - bad: does not work, or will not for long
 */
export interface Finding {
  /** Checked part of the install: `Database`, `Google`. */
  subject: string;
  state: 'ok' | 'note' | 'bad';
  /** The finding in words. Holds no secret. */
  says: string;
  /** How to mend it. */
  mend?: string;
}

const marks: Record<Finding['state'], string> = { ok: 'ok  ', note: 'note', bad: 'BAD ' };
const width = 16;

/** A finding as lines of the terminal. */
export function printFinding({ subject, state, says, mend }: Finding): string {
  const indent = ' '.repeat(marks.ok.length + 2 + width);
  const lines = [`${marks[state]}  ${subject.padEnd(width)}${says}`];
  if (mend !== undefined) lines.push(`${indent}-> ${mend}`);
  return lines.join('\n');
}
