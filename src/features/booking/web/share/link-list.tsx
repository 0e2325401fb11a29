import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { Panel } from '#ui/page.tsx';
import { LinkButton } from '../link-button.ts';
import type { BookingLink } from '../queries.ts';
import styles from './private-links.module.css';
import { LinkRow } from './private-links.tsx';

/** Links that only their readers know: private ones, or times that were picked on the calendar. */
export function LinkList({
  tab,
  links,
  isSought,
}: {
  tab: 'private' | 'times';
  links: readonly BookingLink[];
  isSought: boolean;
}) {
  const { t } = useTranslation();
  const nowMs = useNowMs();
  const shown = links.filter(({ kind }) => (kind === 'times') === (tab === 'times'));
  if (shown.length === 0 && isSought) return <p className={styles.none}>{t('booking.noneFound')}</p>;
  if (shown.length === 0)
    return (
      <Panel>
        <EmptyState
          art="meetings"
          title={tab === 'times' ? t('booking.times.none') : t('booking.private.none')}
          text={tab === 'times' ? t('booking.times.noneText') : t('booking.private.noneText')}
          action={
            tab === 'times' ? (
              <LinkButton to="/calendar" search={{ share: '1' }}>
                {t('booking.times.pick')}
              </LinkButton>
            ) : (
              <LinkButton to="/booking-links">{t('booking.private.choose')}</LinkButton>
            )
          }
        />
      </Panel>
    );
  return (
    <Panel flush>
      <ul className={styles.all}>
        {shown.map((link) => (
          <LinkRow key={link.id} link={link} nowMs={nowMs} isOfAll />
        ))}
      </ul>
    </Panel>
  );
}
