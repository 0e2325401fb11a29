import { useTranslation } from 'react-i18next';
import { Tag } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { ColorMark } from '#ui/provider-mark.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './calendar-row.module.css';
import { type AccountCalendar, useChangeCalendar } from './queries.ts';

export function CalendarRow({
  calendar,
  frozen,
  quiet,
  onLink,
}: {
  calendar: AccountCalendar;
  frozen: boolean;
  /** Its account says what is wrong. */
  quiet: boolean;
  /** Null where nothing can be booked into it. */
  onLink: (() => void) | null;
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const change = useChangeCalendar();
  return (
    <li className={styles.row}>
      <span className={styles.name}>
        <ColorMark color={calendar.color} />
        <span className={styles.text}>{calendar.name}</span>
        {calendar.isPrimary ? <Tag>{t('connections.primary')}</Tag> : null}
        {calendar.writable ? null : <Tag>{t('connections.readOnly')}</Tag>}
        {calendar.removed ? <Tag>{t('connections.removed')}</Tag> : null}
      </span>
      <span className={styles.actions}>
        {onLink ? (
          <Button variant="subtle" size="xs" onClick={onLink}>
            {t('connections.link.generate')}
            <span className="hf-sr-only"> {calendar.name}</span>
          </Button>
        ) : null}
        <Checkbox
          label={
            <>
              {t('connections.include')}
              <span className="hf-sr-only">: {calendar.name}</span>
            </>
          }
          checked={calendar.includeInUnified}
          disabled={frozen || calendar.removed}
          onChange={(event) =>
            change.mutate(
              { params: { calendarId: calendar.calendarId }, body: { includeInUnified: event.currentTarget.checked } },
              {
                onError: (error) =>
                  showToast({ subject: `calendar ${calendar.calendarId}`, state: 'bad', message: errorText(error) }),
              },
            )
          }
        />
      </span>
      {calendar.error && !quiet ? <p className={styles.error}>{calendar.error}</p> : null}
    </li>
  );
}
