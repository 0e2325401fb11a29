import { type ComponentProps, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dayMs, weekdayOf } from '#kernel/time/civil.ts';
import { ruleWords, startDay } from '#ui/dates/rule-words.ts';
import { DateField } from '#ui/dates/when-field.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { shiftDays } from './event-draft.ts';
import { monthDays, placeInMonth, type RepeatChoice, type RepeatEnd, writeRepeat } from './repeat-choice.ts';
import styles from './repeat-editor.module.css';

const freqs = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
const mostInterval = 99;
const mostCount = 999;

/** Every so often, on these days, until then. */
export function RepeatEditor({
  repeat,
  start,
  onChange,
}: {
  repeat: RepeatChoice;
  /** `2027-03-08T09:00` */
  start: string;
  onChange: (repeat: RepeatChoice) => void;
}) {
  const { t } = useTranslation();
  return (
    <fieldset className={styles.editor}>
      <legend className="hf-sr-only">{t('editor.repeats.custom')}</legend>
      <div className={styles.every}>
        <TypedField
          type="number"
          label={t('editor.repeats.every')}
          min={1}
          max={mostInterval}
          value={String(repeat.interval)}
          className={styles.number}
          onTyped={(text) => {
            const interval = Number(text);
            if (interval >= 1 && interval <= mostInterval) onChange({ ...repeat, interval: Math.floor(interval) });
          }}
        />
        <SelectField
          aria-label={t('editor.repeats.unit')}
          value={repeat.freq}
          data={freqs.map((value) => ({
            value,
            label: t(`editor.repeats.units.${value}`, { count: repeat.interval }),
          }))}
          onChange={(event) => onChange({ ...repeat, freq: event.currentTarget.value as RepeatChoice['freq'] })}
        />
      </div>
      {repeat.freq === 'WEEKLY' ? <Weekdays repeat={repeat} onChange={onChange} /> : null}
      {repeat.freq === 'MONTHLY' ? <MonthDays repeat={repeat} start={start} onChange={onChange} /> : null}
      <End end={repeat.end} start={start} onChange={(end) => onChange({ ...repeat, end })} />
    </fieldset>
  );
}

function Weekdays({ repeat, onChange }: { repeat: RepeatChoice; onChange: (repeat: RepeatChoice) => void }) {
  const { t } = useTranslation();
  const { locale, weekStart } = usePreferences();
  const names = (style: 'long' | 'short', weekday: number) =>
    // 1970-01-05 was a Monday
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: style }).format((4 + weekday) * dayMs);
  const order = Array.from({ length: 7 }, (_, index) => (index + weekStart - 1) % 7);
  const toggle = (weekday: number) => {
    const weekdays = repeat.weekdays.includes(weekday)
      ? repeat.weekdays.filter((one) => one !== weekday)
      : [...repeat.weekdays, weekday].sort((a, b) => a - b);
    // A week without a day repeats nothing.
    if (weekdays.length > 0) onChange({ ...repeat, weekdays });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of toggles in one line, inside the fieldset of the rule
    <div role="group" aria-label={t('editor.repeats.onDays')} className={styles.weekdays}>
      {order.map((weekday) => (
        <button
          key={weekday}
          type="button"
          className={styles.weekday}
          aria-pressed={repeat.weekdays.includes(weekday)}
          onClick={() => toggle(weekday)}
        >
          <span aria-hidden="true">{names('short', weekday).slice(0, 2)}</span>
          <span className="hf-sr-only">{names('long', weekday)}</span>
        </button>
      ))}
    </div>
  );
}

function MonthDays({
  repeat,
  start,
  onChange,
}: {
  repeat: RepeatChoice;
  start: string;
  onChange: (repeat: RepeatChoice) => void;
}) {
  const { t } = useTranslation();
  const { locale } = usePreferences();
  const day = startDay(start);
  const { isLastDay, isLast, nth } = placeInMonth(day);
  const possible = monthDays.filter(
    (one) =>
      (one !== 'last-day' || isLastDay) && (one !== 'last-weekday' || isLast) && (one !== 'nth-weekday' || nth < 5),
  );
  const words = (monthDay: RepeatChoice['monthDay']) =>
    ruleWords(writeRepeat({ ...repeat, monthDay, interval: 1, end: { kind: 'never' } }, { start, zone: null }) ?? '', {
      t,
      locale,
      zone: null,
    });
  return (
    <SelectField
      label={t('editor.repeats.onDay')}
      value={repeat.monthDay}
      data={possible.map((value) => ({ value, label: words(value) }))}
      onChange={(event) => onChange({ ...repeat, monthDay: event.currentTarget.value as RepeatChoice['monthDay'] })}
      key={weekdayOf(day)}
    />
  );
}

function End({ end, start, onChange }: { end: RepeatEnd; start: string; onChange: (end: RepeatEnd) => void }) {
  const { t } = useTranslation();
  const id = useId();
  const choose = (kind: RepeatEnd['kind']) => {
    if (kind === 'never') onChange({ kind });
    if (kind === 'count') onChange({ kind, count: 10 });
    // A quarter of a year: far enough to be meant as an end, near enough to be corrected.
    if (kind === 'until') onChange({ kind, date: shiftDays(start, 91) });
  };
  return (
    <div className={styles.end}>
      <SelectField
        id={id}
        label={t('editor.repeats.ends')}
        value={end.kind}
        data={[
          { value: 'never', label: t('editor.repeats.end.never') },
          { value: 'until', label: t('editor.repeats.end.until') },
          { value: 'count', label: t('editor.repeats.end.count') },
        ]}
        onChange={(event) => choose(event.currentTarget.value as RepeatEnd['kind'])}
      />
      {end.kind === 'until' ? (
        <DateField
          label={t('editor.repeats.lastDay')}
          min={start.slice(0, 10)}
          value={end.date}
          onValue={(date) => {
            if (date !== '') onChange({ kind: 'until', date });
          }}
        />
      ) : null}
      {end.kind === 'count' ? (
        <TypedField
          type="number"
          label={t('editor.repeats.times')}
          min={1}
          max={mostCount}
          className={styles.number}
          value={String(end.count)}
          onTyped={(text) => {
            const count = Number(text);
            if (count >= 1 && count <= mostCount) onChange({ kind: 'count', count: Math.floor(count) });
          }}
        />
      ) : null}
    </div>
  );
}

/** While somebody types it may hold no value yet, or one that is refused: it stays as typed until they leave it. */
function TypedField({
  value,
  onTyped,
  ...field
}: Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'onBlur'> & {
  value: string;
  onTyped: (text: string) => void;
}) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      {...field}
      value={typed ?? value}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onTyped(event.currentTarget.value);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
