import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import styles from './calendar-page.module.css';
import type { MissingEvent } from './use-opened-event.ts';

export interface CalendarNoticesProps {
  visibilityFailed: boolean;
  eventsFailed: boolean;
  onRetry: () => void;
  truncated: boolean;
  /** The event in the address that cannot be shown. */
  missing: MissingEvent | undefined;
  /** The setting that hides all events, if one does. */
  nothingLeft: 'search' | 'filter' | undefined;
  onShowAll: () => void;
}

/** Notices above the events: failures, missing events, and settings that hide events. */
export function CalendarNotices(props: CalendarNoticesProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.notice}>
      {props.visibilityFailed ? (
        <Banner state="bad" role="alert">
          {t('notices.visibilityFailed')}
        </Banner>
      ) : null}
      {props.eventsFailed ? (
        <Banner
          state="bad"
          role="alert"
          title={t('notices.eventsFailed')}
          actions={
            <Button variant="default" size="xs" onClick={props.onRetry}>
              {t('notices.tryAgain')}
            </Button>
          }
        >
          {t('notices.eventsFailedText')}
        </Banner>
      ) : null}
      {props.missing === undefined ? null : (
        <Banner state="warn" role="status">
          {t(`notices.eventMissing.${props.missing}`)}
        </Banner>
      )}
      {props.truncated ? <Banner state="warn">{t('notices.truncated')}</Banner> : null}
      {props.nothingLeft === undefined ? null : (
        <p className={styles.nothing}>
          {t(props.nothingLeft === 'search' ? 'notices.nothingFound' : 'notices.nothingFiltered')}{' '}
          <button type="button" onClick={props.onShowAll}>
            {t('notices.showAll')}
          </button>
        </p>
      )}
    </div>
  );
}
