import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Tag } from '#ui/badge.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { useNowMs } from '#ui/clock.ts';
import { useErrorText } from '#ui/error-state.tsx';
import { formatDay, formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { ColorMark } from '#ui/provider-mark.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './calendar-row.module.css';
import { type AccountCalendar, useChangeCalendar, useRemoveCalendar } from './queries.ts';

export function CalendarRow({
  calendar,
  frozen,
  quiet,
  warned,
  onLink,
  onWarnings,
}: {
  calendar: AccountCalendar;
  frozen: boolean;
  /** Whether its account shows the problem already. */
  quiet: boolean;
  warned: { warnings: number; unread: number } | undefined;
  /** Null where nothing can be booked into it. */
  onLink: (() => void) | null;
  onWarnings: () => void;
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
        {warned === undefined || warned.warnings === 0 ? null : (
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            leftSection={warned.unread > 0 ? <IconAlertTriangle size={15} aria-hidden /> : null}
            onClick={onWarnings}
          >
            {t('connections.warnings.open', { count: warned.warnings })}
            <span className="hf-sr-only"> {calendar.name}</span>
          </Button>
        )}
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
          description={calendar.includeInUnified ? undefined : t('connections.includeHint')}
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
      {calendar.removed ? <Leaving calendar={calendar} frozen={frozen} /> : null}
      {calendar.error && !quiet && !calendar.removed ? <p className={styles.error}>{calendar.error}</p> : null}
    </li>
  );
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** When the events of a calendar leave that its account no longer lists, and a way not to wait for it. */
function Leaving({ calendar, frozen }: { calendar: AccountCalendar; frozen: boolean }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const preferences = usePreferences();
  const currentMs = useNowMs();
  const remove = useRemoveCalendar();
  const leavesMs = calendar.leavesAt === null ? currentMs : msOfInstant(calendar.leavesAt);
  const leftMs = Math.max(0, leavesMs - currentMs);
  const words = new Intl.RelativeTimeFormat(preferences.locale);
  const left =
    leftMs < HOUR_MS
      ? words.format(Math.ceil(leftMs / MINUTE_MS), 'minute')
      : words.format(Math.round(leftMs / HOUR_MS), 'hour');
  const subject = `calendar ${calendar.calendarId}`;
  return (
    <div className={styles.leaving}>
      <p>
        {t('connections.leaving.why')}{' '}
        {t('connections.leaving.when', {
          left,
          day: formatDay(leavesMs, preferences, currentMs),
          time: formatTime(leavesMs, preferences),
        })}
      </p>
      {frozen ? null : (
        <ActionButton
          type="button"
          variant="default"
          size="xs"
          pending={remove.isPending}
          pendingLabel={t('connections.leaving.pending')}
          onClick={() =>
            remove.mutate(calendar.calendarId, {
              onSuccess: () =>
                showToast({ subject, state: 'ok', message: t('connections.leaving.done', { name: calendar.name }) }),
              onError: (error) => showToast({ subject, state: 'bad', message: errorText(error) }),
            })
          }
        >
          {t('connections.leaving.remove')}
          <span className="hf-sr-only"> {calendar.name}</span>
        </ActionButton>
      )}
    </div>
  );
}
