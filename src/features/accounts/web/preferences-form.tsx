import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dateFormats, timeFormats } from '#features/accounts/contract.ts';
import { usualFormats } from '#features/accounts/rules/usual-formats.ts';
import { ActionButton } from '#ui/button.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { useNowMs } from '#ui/clock.ts';
import { formatDay, formatFigures, formatTime, weekdayNames } from '#ui/format.ts';
import { Panel } from '#ui/page.tsx';
import { SelectField } from '#ui/text-field.tsx';
import { localeChoices } from './preference-choices.ts';
import styles from './profile-form.module.css';
import type { ProfileFormProps } from './profile-form.tsx';
import { type PreferencesChange, useChangePreferences } from './queries.ts';
import { SaveMessage } from './save-message.tsx';
import { ZoneField } from './zone-field.tsx';

/** Formats that were usual for the old language become those of the new one. */
function moveLocale(draft: Reading, locale: string): Partial<Reading> {
  const [before, after] = [usualFormats(draft.locale), usualFormats(locale)];
  return {
    locale,
    ...(draft.timeFormat === before.timeFormat ? { timeFormat: after.timeFormat } : {}),
    ...(draft.dateFormat === before.dateFormat ? { dateFormat: after.dateFormat } : {}),
    ...(draft.weekStart === before.weekStart ? { weekStart: after.weekStart } : {}),
  };
}

type Reading = Pick<ProfileFormProps['profile'], 'locale' | 'timeFormat' | 'dateFormat' | 'weekStart'>;

export function PreferencesForm({ profile, onDirty }: ProfileFormProps) {
  const { t } = useTranslation();
  const change = useChangePreferences();
  const currentMs = useNowMs();
  const { timezone, locale, timeFormat, dateFormat, weekStart, weekends, weekNumbers, hideEmail, notifications } =
    profile;
  // Untouched fields follow changes of another window.
  const [touched, setTouched] = useState<PreferencesChange & object>({});
  const saved = { timezone, locale, timeFormat, dateFormat, weekStart, weekends, weekNumbers, hideEmail };
  const draft = { ...saved, ...touched, notifications: { ...notifications, ...touched.notifications } };
  const dirty = JSON.stringify(draft) !== JSON.stringify({ ...saved, notifications });
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  const set = (part: typeof touched) => {
    change.reset();
    setTouched((current) => ({ ...current, ...part }));
  };
  const tell = (part: Partial<typeof notifications>) => set({ notifications: { ...touched.notifications, ...part } });
  const reading = { ...draft, zone: draft.timezone };
  const days = weekdayNames(draft.locale);

  return (
    <Panel title={t('accounts.preferences.title')}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(touched, { onSuccess: () => setTouched({}) });
        }}
      >
        <ZoneField zone={draft.timezone} onZone={(zone) => set({ timezone: zone })} />
        <SelectField
          label={t('accounts.preferences.locale')}
          data={localeChoices(draft.locale)}
          value={draft.locale}
          onChange={(event) => set(moveLocale(draft, event.currentTarget.value))}
        />
        <SelectField
          label={t('accounts.preferences.timeFormat')}
          data={timeFormats.map((value) => ({
            value,
            label: value === '12h' ? t('accounts.preferences.twelve') : t('accounts.preferences.twentyFour'),
          }))}
          value={draft.timeFormat}
          onChange={(event) => set({ timeFormat: event.currentTarget.value as typeof timeFormat })}
        />
        <SelectField
          label={t('accounts.preferences.dateFormat')}
          data={dateFormats.map((value) => ({
            value,
            label: `${value} (${formatFigures(currentMs, { ...reading, dateFormat: value })})`,
          }))}
          value={draft.dateFormat}
          onChange={(event) => set({ dateFormat: event.currentTarget.value as typeof dateFormat })}
        />
        <SelectField
          label={t('accounts.preferences.weekStart')}
          data={[7, 1, 2, 3, 4, 5, 6].map((day) => ({ value: String(day), label: days[day - 1] ?? '' }))}
          value={String(draft.weekStart)}
          onChange={(event) => set({ weekStart: Number(event.currentTarget.value) })}
        />
        <fieldset className={styles.choices}>
          <legend>{t('accounts.preferences.calendar')}</legend>
          <Checkbox
            label={t('accounts.preferences.weekends')}
            checked={draft.weekends}
            onChange={(event) => set({ weekends: event.currentTarget.checked })}
          />
          <Checkbox
            label={t('accounts.preferences.weekNumbers')}
            checked={draft.weekNumbers}
            onChange={(event) => set({ weekNumbers: event.currentTarget.checked })}
          />
        </fieldset>
        <p className={styles.preview}>
          {t('accounts.preferences.preview', {
            day: formatDay(currentMs, reading, currentMs),
            figures: formatFigures(currentMs, reading),
            time: formatTime(currentMs, reading),
          })}
        </p>
        <fieldset className={styles.choices}>
          <legend>{t('accounts.preferences.guests')}</legend>
          <Checkbox
            label={t('accounts.preferences.hideEmail')}
            description={t('accounts.preferences.hideEmailText')}
            checked={draft.hideEmail}
            onChange={(event) => set({ hideEmail: event.currentTarget.checked })}
          />
        </fieldset>
        <fieldset className={styles.choices}>
          <legend>{t('accounts.preferences.notifications')}</legend>
          <Checkbox
            label={t('accounts.preferences.syncErrors')}
            description={t('accounts.preferences.syncErrorsText')}
            checked={draft.notifications.syncErrors}
            onChange={(event) => tell({ syncErrors: event.currentTarget.checked })}
          />
          <Checkbox
            label={t('accounts.preferences.bookingReminders')}
            description={t('accounts.preferences.bookingRemindersText')}
            checked={draft.notifications.bookingReminders}
            onChange={(event) => tell({ bookingReminders: event.currentTarget.checked })}
          />
          <Checkbox
            label={t('accounts.preferences.productUpdates')}
            description={t('accounts.preferences.productUpdatesText')}
            checked={draft.notifications.productUpdates}
            onChange={(event) => tell({ productUpdates: event.currentTarget.checked })}
          />
        </fieldset>
        <div className={styles.save}>
          <ActionButton pending={change.isPending} pendingLabel={t('accounts.saving')}>
            {t('accounts.preferences.save')}
          </ActionButton>
          <SaveMessage
            mutation={change}
            saved={t('accounts.preferences.saved')}
            failed={t('accounts.preferences.failed')}
          />
        </div>
      </form>
    </Panel>
  );
}
