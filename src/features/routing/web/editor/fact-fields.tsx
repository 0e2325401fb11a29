import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { FactCondition } from '#features/routing/rules/condition.ts';
import { areas, type FactName, nobody, weekdays } from '#features/routing/rules/fact.ts';
import { Checkbox } from '#ui/choice.tsx';
import { DateField } from '#ui/dates/when-field.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { SelectField } from '#ui/text-field.tsx';
import type { Person } from '../queries.ts';
import styles from '../routing.module.css';
import { sayOwner, sayValue } from './describe-condition.ts';
import { WordsField } from './words-field.tsx';

/** The languages of most browsers. A rule with another language keeps it. */
const languages =
  'ar bg ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl pl pt ro ru sk sl sr sv th tr uk vi zh'.split(
    ' ',
  );

/** The initial condition on a fact. */
export function firstFact(fact: FactName): FactCondition {
  switch (fact) {
    case 'language':
      return { fact, op: 'speaks', values: [] };
    case 'zone':
      return { fact, op: 'in-zone', values: [] };
    case 'day':
      return { fact, op: 'weekday', values: [] };
    case 'contact':
      return { fact, op: 'tag', values: [] };
  }
}

/** The same with another operator, and what of its values fits that. */
export function withFactOperator(condition: FactCondition, op: FactCondition['op'], today: string): FactCondition {
  if (op === 'before' || op === 'from') return { fact: 'day', op, day: 'day' in condition ? condition.day : today };
  const alike = op.replace(/-not$/, '') === condition.op.replace(/-not$/, '');
  return { fact: condition.fact, op, values: alike && 'values' in condition ? condition.values : [] } as FactCondition;
}

/** Everything that one can choose of a fact; tags are typed. */
export function useFactChoices(people: readonly Person[]): Record<'language' | 'zone' | 'weekday' | 'owner', string[]> {
  const zones = useMemo(() => [...areas, 'UTC', ...Intl.supportedValuesOf('timeZone')], []);
  return {
    language: languages,
    zone: zones,
    weekday: [...weekdays],
    owner: [...people.map(({ user_id: id }) => id), nobody],
  };
}

/** With what a fact is compared. */
export function FactFields({
  condition,
  number,
  people,
  wrong,
  onChange,
}: {
  condition: FactCondition;
  /** From 1. */
  number: number;
  people: readonly Person[];
  wrong: (part: string) => string | undefined;
  onChange: (condition: FactCondition) => void;
}) {
  const { t } = useTranslation();
  const { locale } = usePreferences();
  const choices = useFactChoices(people);
  const label = t('routing.condition.values', { n: number });
  if ('day' in condition) {
    return (
      <DateField
        className={styles.grow}
        aria-label={label}
        value={condition.day}
        error={wrong('.day')}
        onValue={(value) => onChange({ ...condition, day: value })}
      />
    );
  }
  const put = (values: readonly string[]) => onChange({ ...condition, values } as FactCondition);
  const { op, values } = condition;
  const flaw = values.length === 0 ? t('routing.condition.none') : (wrong('.values') ?? wrong('.values.0'));
  if (op === 'tag' || op === 'tag-not') {
    return (
      <WordsField
        key={op}
        label={label}
        placeholder={t('routing.known.tagsHint')}
        value={values}
        error={flaw}
        onChange={put}
      />
    );
  }
  const isShort = op === 'weekday' || op === 'weekday-not' || op === 'owner' || op === 'owner-not';
  const all: readonly string[] = op.startsWith('owner') ? choices.owner : isShort ? choices.weekday : [];
  const chosen: readonly string[] = values;
  const say = (value: string) =>
    op === 'owner' || op === 'owner-not'
      ? sayOwner(value, { people, t })
      : sayValue(condition.fact, value, { people, locale, t });
  const listed = isShort ? [...all, ...chosen.filter((one) => !all.includes(one))] : chosen;
  const others = isShort ? [] : choices[condition.fact === 'language' ? 'language' : 'zone'];
  return (
    <fieldset className={`${styles.checks} ${styles.whole}`} aria-label={label}>
      {listed.map((value) => (
        <Checkbox
          key={value}
          label={say(value)}
          checked={chosen.includes(value)}
          onChange={(event) =>
            put(event.currentTarget.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
          }
        />
      ))}
      {others.length === 0 ? null : (
        <SelectField
          aria-label={`${label}: ${t('routing.known.add')}`}
          value=""
          data={[
            { value: '', label: t('routing.known.add') },
            ...others.filter((one) => !chosen.includes(one)).map((value) => ({ value, label: say(value) })),
          ]}
          onChange={(event) => put([...chosen, event.currentTarget.value])}
        />
      )}
      {flaw === undefined ? null : (
        <p className={`${styles.refused} ${styles.whole}`} role="alert" data-wrong>
          {flaw}
        </p>
      )}
    </fieldset>
  );
}
