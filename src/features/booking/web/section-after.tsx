import { useTranslation } from 'react-i18next';
import { Panel } from '#ui/page.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import styles from './fields.module.css';
import { MinutesField } from './minutes-field.tsx';
import { ReminderList } from './reminder-list.tsx';
import type { SectionProps } from './type-draft.ts';

const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'ja'];

/** Settings for the time after a booking. */
export function SectionAfter({ settings, onChange, errors }: SectionProps) {
  const { t, i18n } = useTranslation();
  const { cancellation } = settings;
  const names = new Intl.DisplayNames([i18n.language], { type: 'language' });
  const offered =
    settings.language === null || languages.includes(settings.language) ? languages : [...languages, settings.language];
  return (
    <Panel title={t('booking.editor.after')}>
      <div className={styles.fields}>
        <TextField
          type="url"
          label={t('booking.field.redirect')}
          description={t('booking.field.redirectHint')}
          placeholder="https://"
          maxLength={2_000}
          value={settings.redirect_url ?? ''}
          error={errors['settings.redirect_url']}
          onChange={(event) => onChange({ redirect_url: event.currentTarget.value.trim() || null })}
        />
        <SelectField
          label={t('booking.field.language')}
          description={t('booking.field.languageHint')}
          value={settings.language ?? ''}
          data={[
            { value: '', label: t('booking.field.guestLanguage') },
            ...offered.map((one) => ({ value: one, label: names.of(one) ?? one })),
          ]}
          onChange={(event) => onChange({ language: event.currentTarget.value || null })}
        />
        <ReminderList settings={settings} onChange={onChange} errors={errors} />
        <MinutesField
          label={t('booking.field.cancelUntil')}
          description={t('booking.field.cancelUntilHint')}
          value={cancellation.until_minutes}
          max={525_600}
          error={errors['settings.cancellation.until_minutes']}
          onChange={(until_minutes) => onChange({ cancellation: { ...cancellation, until_minutes } })}
        />
        <TextArea
          className={styles.whole}
          label={t('booking.field.cancelText')}
          description={t('booking.field.cancelTextHint')}
          maxLength={2_000}
          value={cancellation.text}
          onChange={(event) => onChange({ cancellation: { ...cancellation, text: event.currentTarget.value } })}
        />
      </div>
    </Panel>
  );
}
