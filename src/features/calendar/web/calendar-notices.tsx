import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import styles from './calendar-page.module.css';
import type { MissingEvent } from './use-opened-event.ts';

export interface CalendarNoticesProps {
  visibilityFailed: boolean;
  preferencesFailed: boolean;
  eventsFailed: boolean;
  onRetry: () => void;
  truncated: boolean;
  /** What the address asks for and cannot be shown. */
  missing: MissingEvent | undefined;
  /** What leaves nothing of the events, if anything does. */
  nothingLeft: 'search' | 'filter' | undefined;
  onShowAll: () => void;
}

/** What has to be said over the events: what failed, what is missing, and what hides them. */
export function CalendarNotices(props: CalendarNoticesProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.notice}>
      {props.visibilityFailed ? (
        <Banner state="bad" role="alert">
          {t('calendar.visibilityFailed')}
        </Banner>
      ) : null}
      {props.preferencesFailed ? (
        <Banner state="bad" role="alert">
          {t('calendar.preferencesFailed')}
        </Banner>
      ) : null}
      {props.eventsFailed ? (
        <Banner
          state="bad"
          role="alert"
          title={t('calendar.eventsFailed')}
          actions={
            <Button variant="default" size="xs" onClick={props.onRetry}>
              {t('calendar.tryAgain')}
            </Button>
          }
        >
          {t('calendar.eventsFailedText')}
        </Banner>
      ) : null}
      {props.missing === undefined ? null : (
        <Banner state="warn" role="status">
          {t(`calendar.eventMissing.${props.missing}`)}
        </Banner>
      )}
      {props.truncated ? <Banner state="warn">{t('calendar.truncated')}</Banner> : null}
      {props.nothingLeft === undefined ? null : (
        <p className={styles.nothing}>
          {t(props.nothingLeft === 'search' ? 'calendar.nothingFound' : 'calendar.nothingFiltered')}{' '}
          <button type="button" onClick={props.onShowAll}>
            {t('calendar.showAll')}
          </button>
        </p>
      )}
    </div>
  );
}
