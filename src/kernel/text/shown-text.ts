import { AppError } from '#kernel/errors.ts';
import { withoutUnseen } from './unseen-signs.ts';

/** A text that others are shown, as it is stored: in NFC, without spaces around it and signs that nobody sees. */
export const shownText = (typed: string): string => withoutUnseen(typed).normalize('NFC').trim();

/** The same of a name. *Errors*: AppError invalid (INVALID_INPUT, at the field) where nothing is left to see. */
export function shownName(typed: string, field: string): string {
  const name = shownText(typed);
  if (name === '') throw nothingToSee(field);
  return name;
}

/** A value with all texts inside it without signs that nobody sees. *Errors*: as `shownName`, but for empty texts. */
export function shownTextsIn<Value>(value: Value, field: string): Value {
  if (typeof value === 'string') {
    const plain = withoutUnseen(value);
    if (plain === '' && value.trim() !== '') throw nothingToSee(field);
    return plain as Value;
  }
  if (Array.isArray(value)) return value.map((one, n) => shownTextsIn(one, `${field}.${n}`)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, shownTextsIn(one, `${field}.${key}`)]);
  return Object.fromEntries(entries) as Value;
}

function nothingToSee(field: string): AppError {
  const message = 'Enter at least one visible character.';
  return new AppError('invalid', 'INVALID_INPUT', message, { fields: { [field]: message } });
}
