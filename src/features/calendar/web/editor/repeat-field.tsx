import { lazy, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { weekdayOf } from '#kernel/time/civil.ts';
import { ruleWords, startDay } from '#ui/dates/rule-words.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { SelectField } from '#ui/text-field.tsx';
import type { EventDraft } from './event-draft.ts';
import styles from './event-form.module.css';
import { newChoice, type Repeat, readRepeat, writeRepeat } from './repeat-choice.ts';
import { RepeatEditor } from './repeat-editor.tsx';

const NextDates = lazy(async () => ({ default: (await import('./next-dates.tsx')).NextDates }));

/** How an event repeats: a few usual ways by name, any other through the editor, and the rule in plain words. */
export function RepeatField({
  draft,
  onChange,
  locked,
}: {
  draft: EventDraft;
  onChange: (repeat: Repeat) => void;
  /** One instance of a series is being edited: its rule is not. */
  locked: string | undefined;
}) {
  const { t } = useTranslation();
  const { locale, weekStart } = usePreferences();
  const id = useId();
  // Whether the custom fields are open. They stay open even when the typed rule equals a preset.
  const [custom, setCustom] = useState(false);
  const { repeat } = draft;
  const start = draft.allDay
    ? { start: draft.start.slice(0, 10), zone: null }
    : { start: draft.start, zone: draft.zone };
  const words = (rule: string) => ruleWords(rule, { t, locale, ...start });
  const rule = writeRepeat(repeat, start);
  const kept = repeat?.kind === 'kept';

  if (locked !== undefined) {
    return (
      <div>
        <p className={styles.label}>{t('editor.repeat')}</p>
        <p className={styles.value}>{rule === null ? locked : words(rule)}</p>
        {rule === null ? null : <p className={styles.hint}>{locked}</p>}
      </div>
    );
  }

  const presets = presetsFor(draft.start, (weekStart + 6) % 7);
  const rules = presets.map((preset) => writeRepeat(preset, start) ?? '');
  const preset = rule === null ? 'never' : kept ? 'kept' : !custom && rules.includes(rule) ? rule : 'custom';
  const options = [
    { value: 'never', label: t('editor.repeats.never') },
    ...rules.map((value) => ({ value, label: words(value) })),
    ...(kept && rule !== null ? [{ value: 'kept', label: t('editor.repeats.kept') }] : []),
    { value: 'custom', label: t('editor.repeats.custom') },
  ];
  return (
    <div className={styles.repeat}>
      <SelectField
        label={t('editor.repeat')}
        value={preset}
        data={options}
        aria-describedby={id}
        onChange={(event) => {
          const { value } = event.currentTarget;
          setCustom(value === 'custom');
          if (value === 'never') onChange(null);
          else if (value === 'custom') onChange(customFrom(repeat, draft.start, (weekStart + 6) % 7));
          else if (value !== 'kept') onChange(readRepeat(value, start));
        }}
      />
      {repeat?.kind === 'choice' && preset === 'custom' ? (
        <RepeatEditor repeat={repeat} start={draft.start} onChange={onChange} />
      ) : null}
      <p id={id} className={styles.hint} role="status">
        {rule !== null && (preset === 'custom' || kept) ? words(rule) : null}
      </p>
      {rule === null ? null : (
        <Suspense fallback={null}>
          <NextDates rule={rule} start={start} />
        </Suspense>
      )}
    </div>
  );
}

/** Common rules for a first day, written as `writeRepeat` writes them. */
function presetsFor(start: string, weekStart: number): Repeat[] {
  const choice = (freq: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY') => newChoice(freq, start, weekStart);
  const isWorkday = weekdayOf(startDay(start)) < 5;
  return [
    choice('DAILY'),
    ...(isWorkday ? [{ ...choice('WEEKLY'), weekdays: [0, 1, 2, 3, 4] }] : []),
    choice('WEEKLY'),
    choice('MONTHLY'),
    { ...choice('MONTHLY'), monthDay: 'nth-weekday' },
    choice('YEARLY'),
  ];
}

/** Where the editor begins: at what is chosen, else every second week, which has no name of its own. */
function customFrom(repeat: Repeat, start: string, weekStart: number): Repeat {
  const base = repeat?.kind === 'choice' ? repeat : newChoice('WEEKLY', start, weekStart);
  return { ...base, interval: base.interval === 1 ? 2 : base.interval };
}
