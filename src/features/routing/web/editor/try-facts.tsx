import { useTranslation } from 'react-i18next';
import { type FactName, type Facts, nobody } from '#features/routing/rules/fact.ts';
import { DateField } from '#ui/dates/when-field.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { SelectField } from '#ui/text-field.tsx';
import type { Person } from '../queries.ts';
import { sayOwner, sayValue } from './describe-condition.ts';
import { useFactChoices } from './fact-fields.tsx';
import { WordsField } from './words-field.tsx';

/** Facts of a test visitor that the rules ask for. */
export function TryFacts({
  facts,
  asks,
  people,
  onChange,
}: {
  facts: Facts;
  asks: ReadonlySet<FactName>;
  people: readonly Person[];
  onChange: (facts: Facts) => void;
}) {
  const { t } = useTranslation();
  const { locale } = usePreferences();
  const choices = useFactChoices(people);
  const { contact } = facts;
  const open = { value: '', label: t('routing.known.unknown') };
  return (
    <>
      {(['language', 'zone'] as const).map((name) =>
        asks.has(name) ? (
          <SelectField
            key={name}
            label={t(`routing.known.${name}`)}
            value={facts[name] ?? ''}
            data={[
              open,
              ...choices[name].map((value) => ({ value, label: sayValue(name, value, { people, locale, t }) })),
            ]}
            onChange={(event) => onChange({ ...facts, [name]: event.currentTarget.value || null })}
          />
        ) : null,
      )}
      {asks.has('day') ? (
        <DateField
          label={t('routing.known.day')}
          value={facts.day ?? ''}
          onValue={(value) => onChange({ ...facts, day: value || null })}
        />
      ) : null}
      {asks.has('contact') ? (
        <SelectField
          label={t('routing.known.owner')}
          value={contact === null ? '' : (contact.owner ?? nobody)}
          data={[open, ...choices.owner.map((value) => ({ value, label: sayOwner(value, { people, t }) }))]}
          onChange={(event) => {
            const { value } = event.currentTarget;
            const owner = people.find(({ user_id: id }) => id === value)?.user_id ?? null;
            const tags = owner === null ? [] : (contact?.tags ?? []);
            onChange({ ...facts, contact: value === '' ? null : { owner, tags } });
          }}
        />
      ) : null}
      {contact !== null && contact.owner !== null && asks.has('contact') ? (
        <WordsField
          label={t('routing.known.tags')}
          showsLabel
          placeholder={t('routing.known.tagsHint')}
          value={contact.tags}
          error={undefined}
          onChange={(tags) => onChange({ ...facts, contact: { ...contact, tags } })}
        />
      ) : null}
    </>
  );
}
