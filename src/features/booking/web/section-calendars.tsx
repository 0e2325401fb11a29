import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { Panel } from '#ui/page.tsx';
import { Switch } from '#ui/switch.tsx';
import { SelectField } from '#ui/text-field.tsx';
import styles from './fields.module.css';
import { MinutesField } from './minutes-field.tsx';
import { type Settings, useCalendars } from './queries.ts';
import type { SectionProps } from './type-draft.ts';

type CalendarId = NonNullable<Settings['target_calendar_id']>;

/** Where it is written, what stands against it, and what becomes of it when the calendar changes. */
export function SectionCalendars({
  settings,
  onChange,
  errors,
  isTeam,
  lacks,
}: SectionProps & {
  isTeam: boolean;
  /** A calendar chosen before is no longer connected. */
  lacks: boolean;
}) {
  const { t } = useTranslation();
  const { calendars, isLoaded } = useCalendars();
  const { freshness, blocking_calendar_ids: blocking } = settings;
  const named = ({ name, account }: (typeof calendars)[number]) => (account === '' ? name : `${name} (${account})`);
  const target = settings.target_calendar_id;
  const isGone = (id: string) => isLoaded && !calendars.some(({ calendarId }) => calendarId === id);
  const goneBlocking = (blocking ?? []).filter(isGone);
  const hasGone = !isTeam && (goneBlocking.length > 0 || (target !== null && isGone(target)));
  return (
    <Panel
      title={t('booking.editor.calendars')}
      text={t(isTeam ? 'booking.editor.calendarsTextTeam' : 'booking.editor.calendarsText')}
    >
      <div className={styles.fields}>
        {lacks || hasGone ? (
          <Banner state="warn" title={t('booking.editor.lacksCalendars')}>
            {t(
              blocking === null || goneBlocking.length === blocking.length
                ? 'booking.editor.lacksAllText'
                : 'booking.editor.lacksSomeText',
            )}
          </Banner>
        ) : null}
        {isTeam ? null : (
          <SelectField
            label={t('booking.field.target')}
            value={target ?? ''}
            error={errors['settings.target_calendar_id']}
            data={[
              { value: '', label: t('booking.field.firstCalendar') },
              ...calendars
                .filter(({ writable }) => writable)
                .map((calendar) => ({ value: calendar.calendarId, label: named(calendar) })),
              ...(target !== null && isGone(target) ? [{ value: target, label: t('booking.field.goneCalendar') }] : []),
            ]}
            onChange={(event) => onChange({ target_calendar_id: (event.currentTarget.value as CalendarId) || null })}
          />
        )}
        <SelectField
          label={t('booking.field.rank')}
          description={t('booking.field.rankHint')}
          value={String(settings.rank)}
          data={[1, 2, 3, 4].map((rank) => ({ value: String(rank), label: t(`booking.rank.${rank}`) }))}
          onChange={(event) => onChange({ rank: Number(event.currentTarget.value) })}
        />
        {isTeam ? null : (
          <fieldset className={styles.group}>
            <legend className={styles.legend}>{t('booking.field.blocking')}</legend>
            <Switch
              label={t('booking.field.allBlock')}
              checked={blocking === null}
              onChange={(event) =>
                onChange({
                  blocking_calendar_ids: event.currentTarget.checked
                    ? null
                    : calendars
                        .filter(({ includeInUnified }) => includeInUnified)
                        .map(({ calendarId }) => calendarId as CalendarId),
                })
              }
            />
            {blocking === null ? null : (
              <div className={styles.checks}>
                {calendars.map((calendar) => {
                  const id = calendar.calendarId as CalendarId;
                  return (
                    <Checkbox
                      key={id}
                      label={named(calendar)}
                      checked={blocking.includes(id)}
                      onChange={(event) =>
                        onChange({
                          blocking_calendar_ids: event.currentTarget.checked
                            ? [...blocking, id]
                            : blocking.filter((one) => one !== id),
                        })
                      }
                    />
                  );
                })}
                {goneBlocking.map((id) => (
                  <Checkbox
                    key={id}
                    label={t('booking.field.goneCalendar')}
                    checked
                    onChange={() => onChange({ blocking_calendar_ids: blocking.filter((one) => one !== id) })}
                  />
                ))}
              </div>
            )}
          </fieldset>
        )}
        <SelectField
          label={t('booking.field.stale')}
          value={freshness.on_stale}
          data={(['block', 'warn', 'ignore'] as const).map((value) => ({ value, label: t(`booking.stale.${value}`) }))}
          onChange={(event) =>
            onChange({ freshness: { ...freshness, on_stale: event.currentTarget.value as typeof freshness.on_stale } })
          }
        />
        <MinutesField
          label={t('booking.field.staleAfter')}
          value={freshness.stale_after_minutes}
          max={10_080}
          error={errors['settings.freshness.stale_after_minutes']}
          onChange={(stale_after_minutes) => onChange({ freshness: { ...freshness, stale_after_minutes } })}
        />
        <SelectField
          label={t('booking.field.whenMoved')}
          value={settings.when_moved}
          data={(['follow', 'ask', 'restore'] as const).map((value) => ({ value, label: t(`booking.moved.${value}`) }))}
          onChange={(event) => onChange({ when_moved: event.currentTarget.value as Settings['when_moved'] })}
        />
        <SelectField
          label={t('booking.field.whenDeleted')}
          value={settings.when_deleted}
          data={(['cancel', 'ask', 'restore'] as const).map((value) => ({
            value,
            label: t(`booking.removed.${value}`),
          }))}
          onChange={(event) => onChange({ when_deleted: event.currentTarget.value as Settings['when_deleted'] })}
        />
      </div>
    </Panel>
  );
}
