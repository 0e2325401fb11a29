import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { ScoreRing } from '#ui/donut-chart.tsx';
import { ProviderMark, providerName } from '#ui/provider-mark.tsx';
import { LinkButton } from '../link-button.ts';
import type { Dashboard } from '../queries.ts';
import { FigurePanel, PanelEmpty } from './figure-panel.tsx';
import styles from './parts.module.css';
import { useFigureText } from './use-figure-text.ts';

const good = 90;
const fair = 60;

export function CalendarHealth({ found }: { found: NonNullable<Dashboard['calendar_health']> }) {
  const { t } = useTranslation();
  const { number } = useFigureText();
  const { connected_calendars: calendars, sync_health_score: score, total_connected: total } = found;
  const tone = score === null || score < fair ? 'bad' : score < good ? 'warn' : 'ok';
  const lastSync = (seconds: number | null) =>
    seconds === null
      ? t('analytics.health.never')
      : seconds < 60
        ? t('analytics.health.seconds', { n: seconds })
        : seconds < 3_600
          ? t('analytics.health.minutes', { n: Math.floor(seconds / 60) })
          : t('analytics.health.hours', { n: Math.floor(seconds / 3_600) });
  const statusOf = (status: (typeof calendars)[number]['status']) =>
    status === 'error' ? t('analytics.health.reconnect') : t('analytics.health.synced');
  return (
    <FigurePanel
      panel="calendar-health"
      title={t('analytics.health.title')}
      figures={{
        columns: [
          t('analytics.column.calendar'),
          t('analytics.column.score'),
          t('analytics.column.weight'),
          t('analytics.column.status'),
          t('analytics.column.lastSync'),
        ],
        rows: calendars.map((one) => [
          `${providerName(one.provider)} ${one.account} ${one.name}`,
          number(one.score),
          number(one.weight),
          statusOf(one.status),
          lastSync(one.last_sync_sec),
        ]),
      }}
    >
      {score === null ? (
        <PanelEmpty
          title={t('analytics.health.empty')}
          text={t('analytics.health.emptyText')}
          action={
            <LinkButton to="/integrations" hash="connect" variant="default" size="xs">
              {t('analytics.health.connect')}
            </LinkButton>
          }
        />
      ) : (
        <>
          <div className={styles.score}>
            <ScoreRing score={score} tone={tone} label={t('analytics.health.score', { score })} />
            <div>
              <StateBadge state={tone}>{t(`analytics.health.tone.${tone}`)}</StateBadge>
              <p className={styles.dim}>{t('analytics.health.connected', { count: total })}</p>
            </div>
          </div>
          <ul className={styles.calendars}>
            {calendars.map((one) => (
              <li key={one.calendar_id}>
                <Link to="/integrations">
                  <span className={styles.calendar}>
                    <span>
                      <ProviderMark provider={one.provider} /> <span className={styles.dim}>{one.account}</span>
                    </span>
                    <span className={styles.dim}>{one.name}</span>
                  </span>
                  <span className={styles.status}>
                    {one.status === 'error' ? (
                      <StateBadge state="bad">{statusOf(one.status)}</StateBadge>
                    ) : (
                      <span className={styles.dim}>{lastSync(one.last_sync_sec)}</span>
                    )}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </FigurePanel>
  );
}
