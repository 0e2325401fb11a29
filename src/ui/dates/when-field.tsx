import { IconCalendar, IconClock } from '@tabler/icons-react';
import { type ComponentProps, type KeyboardEvent, lazy, Suspense, useRef, useState } from 'react';
import { nowMs } from '../clock.ts';
import { usePreferences } from '../preferences.tsx';
import { TextField } from '../text-field.tsx';
import { useWords } from '../words.tsx';
import { keepsEscape } from './keeps-escape.ts';
import { parseDate, parseMoment, parseTime, showDate, showMoment, showTime, type TypedStyle } from './parse-typed.ts';
import styles from './when-field.module.css';

const loadPicker = () => import('./when-picker.tsx');
const WhenPicker = lazy(async () => ({ default: (await loadPicker()).WhenPicker }));

type Kind = 'date' | 'time' | 'moment';

export interface WhenFieldProps
  extends Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'onBlur' | 'min' | 'max' | 'type'> {
  /** `YYYY-MM-DD`, `HH:MM` or `YYYY-MM-DDTHH:MM` by the kind of the field; `''` while there is none. */
  value: string;
  /** Bounds of a date or moment, in the form of `value`, themselves allowed. */
  min?: string | undefined;
  max?: string | undefined;
  /** A new value once it is whole; `''` for an emptied field and for one that cannot be read. */
  onValue: (value: string) => void;
}

/** A date, typed in the format of the person or picked from a month. */
export const DateField = (props: WhenFieldProps) => <WhenField kind="date" {...props} />;
/** A time of day, typed on the clock of the person or picked from a list. */
export const TimeField = (props: WhenFieldProps) => <WhenField kind="time" {...props} />;
/** A date with a time of day, both in one field. */
export const MomentField = (props: WhenFieldProps) => <WhenField kind="moment" {...props} />;

/** The text of somebody who types. */
interface Draft {
  text: string;
  /** The value that it stands for. */
  of: string;
  /** The value before it, which a screen may keep. */
  from: string;
  isUnread?: true;
}

const iso = /^(?:\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?|\d{2}:\d{2})$/;

function useTyped(kind: Kind) {
  const { locale, timeFormat, dateFormat, zone } = usePreferences();
  const today = () => Temporal.Instant.fromEpochMilliseconds(nowMs()).toZonedDateTimeISO(zone).toPlainDate().toString();
  const style = (): TypedStyle => ({ locale, timeFormat, dateFormat, today: today() });
  const looks = { locale, timeFormat, dateFormat };
  const show = (one: string) =>
    kind === 'date' ? showDate(one, looks) : kind === 'time' ? showTime(one, looks) : showMoment(one, looks);
  const read = (text: string, before: string) =>
    kind === 'date'
      ? parseDate(text, style())
      : kind === 'time'
        ? parseTime(text, looks)
        : parseMoment(text, before, style());
  return { show, read, today };
}

function WhenField({ kind, value: given, min, max, onValue, error, ...rest }: WhenFieldProps & { kind: Kind }) {
  const words = useWords();
  // An address may carry a day that no calendar has.
  const value = isReal(kind, given) ? given : '';
  const { show, read, today } = useTyped(kind);
  const input = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [picks, setPicks] = useState(false);
  // Text of somebody who types gives way to a value that comes from elsewhere.
  const typed = draft !== null && (draft.of === value || draft.from === value) ? draft : null;
  const text = typed?.text ?? show(value);
  const isUnread = typed?.isUnread === true;
  const before = value || typed?.from || '';
  const flaw = isUnread
    ? words.unreadable(show(kind === 'time' ? '14:30' : kind === 'date' ? today() : `${today()}T14:30`))
    : value !== '' && min !== undefined && min !== '' && value < min
      ? words.earliest(show(min))
      : value !== '' && max !== undefined && max !== '' && value > max
        ? words.latest(show(max))
        : undefined;
  const give = (next: string) => {
    if (next !== value) onValue(next);
  };
  const type = (next: string) => {
    const found = read(next, before);
    // A whole value counts at once. Any other text, and none, counts when the field is left.
    const of = found !== null && (iso.test(next) || show(found) === next) ? found : value;
    setDraft({ text: next, of, from: before });
    give(of);
  };
  const settle = () => {
    if (typed === null || isUnread) return;
    const found = typed.text.trim() === '' ? '' : read(typed.text, before);
    setDraft(found === null ? { text: typed.text, of: '', from: before, isUnread: true } : null);
    give(found ?? '');
  };
  const take = (next: string) => {
    setDraft(null);
    give(next);
    // A form that listens for input hears of picked values too.
    input.current?.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    rest.onKeyDown?.(event);
    if (event.key === 'Enter') settle();
    if (event.key === 'Escape' && typed !== null && !picks) take(before);
    const way = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (way === 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (event.altKey) setPicks(true);
    else take(stepped(kind, (typed === null ? value : read(typed.text, before)) || before, way, today()));
  };
  return (
    <span className={`${styles.field} ${rest.className ?? ''}`}>
      <TextField
        autoComplete="off"
        {...rest}
        className=""
        ref={(element) => {
          input.current = element;
          // A form with a date that cannot be used is not sent.
          element?.setCustomValidity(flaw ?? '');
        }}
        value={text}
        error={(isUnread && flaw) || error || flaw}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={settle}
        onFocus={(event) => {
          rest.onFocus?.(event);
          void loadPicker();
        }}
        onKeyDown={onKeyDown}
        {...(picks && keepsEscape)}
        rightSectionWidth="var(--when-button, var(--hf-control))"
        rightSection={
          <button
            type="button"
            className={styles.open}
            tabIndex={-1}
            aria-label={words.openPicker}
            aria-haspopup="dialog"
            aria-expanded={picks}
            disabled={rest.disabled}
            onClick={() => {
              settle();
              setPicks(true);
            }}
          >
            {kind === 'time' ? <IconClock size={16} aria-hidden /> : <IconCalendar size={16} aria-hidden />}
          </button>
        }
      />
      {picks && input.current !== null ? (
        <Suspense fallback={null}>
          <WhenPicker
            kind={kind}
            value={value}
            min={min}
            max={max}
            today={today()}
            anchor={input.current}
            onPick={take}
            onClose={() => {
              const focused = document.activeElement;
              setPicks(false);
              // A press on another field closes the picker and keeps its focus.
              if (focused === null || focused === document.body || focused.closest('[popover]')) input.current?.focus();
            }}
          />
        </Suspense>
      ) : null}
    </span>
  );
}

function isReal(kind: Kind, value: string): boolean {
  const { PlainDate, PlainTime, PlainDateTime } = Temporal;
  const { from } = { date: PlainDate, time: PlainTime, moment: PlainDateTime }[kind];
  try {
    from(value);
    return true;
  } catch {
    return false;
  }
}

/** A day on or back, a quarter of an hour where the field has a time; a time stays within its day. */
function stepped(kind: Kind, value: string, way: 1 | -1, today: string): string {
  if (kind === 'date') return value === '' ? today : Temporal.PlainDate.from(value).add({ days: way }).toString();
  const step = { minutes: 15 * way };
  if (kind === 'time')
    return Temporal.PlainTime.from(value || '09:00')
      .add(step)
      .toString()
      .slice(0, 5);
  return Temporal.PlainDateTime.from(value || `${today}T09:00`)
    .add(step)
    .toString()
    .slice(0, 16);
}
