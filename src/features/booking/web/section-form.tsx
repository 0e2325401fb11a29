import { useTranslation } from 'react-i18next';
import { Panel } from '#ui/page.tsx';
import { Switch } from '#ui/switch.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import styles from './fields.module.css';
import { QuestionList } from './question-list.tsx';
import type { SectionProps } from './type-draft.ts';

/** Questions to guests, and their options. */
export function SectionForm({ kind, ...section }: SectionProps & { kind: string }) {
  const { t } = useTranslation();
  const { settings, onChange, errors } = section;
  const { recurring } = settings;
  return (
    <Panel title={t('booking.editor.form')} text={t('booking.editor.formText')}>
      <div className={styles.fields}>
        <QuestionList {...section} />
        <SelectField
          label={t('booking.field.guests')}
          value={String(settings.guests_allowed)}
          data={Array.from({ length: 11 }, (_, count) => ({
            value: String(count),
            label: count === 0 ? t('booking.field.noGuests') : String(count),
          }))}
          onChange={(event) => onChange({ guests_allowed: Number(event.currentTarget.value) })}
        />
        {kind === 'group' ? (
          <TextField
            type="number"
            inputMode="numeric"
            min={1}
            max={1_000}
            label={t('booking.field.seats')}
            value={String(settings.seats)}
            error={errors['settings.seats']}
            onChange={(event) => onChange({ seats: Number(event.currentTarget.value) })}
          />
        ) : (
          <SelectField
            label={t('booking.field.recurring')}
            value={recurring?.every ?? 'none'}
            data={(['none', 'week', 'two-weeks', 'month'] as const).map((one) => ({
              value: one,
              label: t(`booking.every.${one}`),
            }))}
            onChange={(event) => {
              const every = event.currentTarget.value as 'none' | 'week' | 'two-weeks' | 'month';
              onChange({ recurring: every === 'none' ? null : { every, max: recurring?.max ?? 4 } });
            }}
          />
        )}
        {recurring === null ? null : (
          <TextField
            type="number"
            inputMode="numeric"
            min={2}
            max={52}
            label={t('booking.field.recurringMax')}
            value={String(recurring.max)}
            error={errors['settings.recurring.max']}
            onChange={(event) => onChange({ recurring: { ...recurring, max: Number(event.currentTarget.value) } })}
          />
        )}
        {kind === 'group' ? (
          <Switch
            className={styles.whole}
            label={t('booking.field.showsSeats')}
            checked={settings.shows_seats === true}
            onChange={(event) => onChange({ shows_seats: event.currentTarget.checked })}
          />
        ) : null}
        <Switch
          className={styles.whole}
          label={t('booking.field.confirmation')}
          description={t('booking.field.confirmationHint')}
          checked={settings.confirmation}
          onChange={(event) => onChange({ confirmation: event.currentTarget.checked })}
        />
      </div>
    </Panel>
  );
}
