import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import styles from './calendar-page.module.css';

export interface CalendarNoticesProps {
  visibilityFailed: boolean;
  preferencesFailed: boolean;
  eventsFailed: boolean;
  onRetry: () => void;
  truncated: boolean;
  /** What leaves nothing of the events, if anything does. */
  nothingLeft: 'search' | 'filter' | undefined;
  onShowAll: () => void;
}

/** What has to be said over the events: what failed, what is missing, and what hides them. */
export function CalendarNotices(props: CalendarNoticesProps) {
  const { t } = useTranslation();
  return (
    <>
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
      {props.truncated ? <Banner state="warn">{t('calendar.truncated')}</Banner> : null}
      {props.nothingLeft === undefined ? null : (
        <p className={styles.nothing}>
          {t(props.nothingLeft === 'search' ? 'calendar.nothingFound' : 'calendar.nothingFiltered')}{' '}
          <button type="button" onClick={props.onShowAll}>
            {t('calendar.showAll')}
          </button>
        </p>
      )}
    </>
  );
}
