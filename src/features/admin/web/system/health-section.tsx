import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { ActionButton } from '#ui/button.tsx';
import { type Column, DataTable, TwoLines } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Panel } from '#ui/page.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import type { State } from '#ui/state.ts';
import { SectionState } from '../section-state.tsx';
import { useAmounts } from '../use-amounts.ts';
import { HealthBadge } from './health-badge.tsx';
import styles from './health-section.module.css';
import { type HealthView, useHealth } from './system-queries.ts';
import { usePartName } from './use-part-name.ts';

type Service = HealthView['services'][number];
type Queue = HealthView['queues'][number];
type Alert = HealthView['alerts'][number];
type ErrorGroup = HealthView['errors'][number];

/** How the running system does, measured now. */
export function HealthSection() {
  const { t } = useTranslation();
  const health = useHealth();
  return (
    <SectionState query={health} failed={t('adminHealth.loadFailed')}>
      {(view) => (
        <div className={styles.section}>
          <div className={styles.whole}>
            <HealthBadge status={view.status} />
            <strong>{t(`adminHealth.whole.${view.status}`)}</strong>
            <span className={styles.at}>
              {t('adminHealth.measured')} <RelativeTime at={view.at} />
            </span>
            <ActionButton
              type="button"
              variant="default"
              pending={health.isFetching}
              pendingLabel={t('adminHealth.measureAgain')}
              onClick={() => void health.refetch()}
            >
              {t('adminHealth.measureAgain')}
            </ActionButton>
          </div>
          <ZoneData {...view.zoneData} />
          <div className={styles.pair}>
            <Services services={view.services} />
            <Alerts view={view} />
          </div>
          <div className={styles.pair}>
            <Errors view={view} />
            <Queues queues={view.queues} deadLetters={view.deadLetters} />
          </div>
        </div>
      )}
    </SectionState>
  );
}

function ZoneData({ version, days, isOld }: HealthView['zoneData']) {
  const { t } = useTranslation();
  return (
    <p className={styles.zones}>
      {isOld ? <StateBadge state="warn">{t('adminHealth.status.warning')}</StateBadge> : null}
      <span>{t('adminHealth.zoneData', { version, count: days })}</span>
      {isOld ? <span>{t('adminHealth.zoneDataOld')}</span> : null}
    </p>
  );
}

function Services({ services }: { services: readonly Service[] }) {
  const { t } = useTranslation();
  const { duration, percent } = useAmounts();
  const nameOf = usePartName();
  const columns: Column<Service>[] = [
    {
      key: 'service',
      header: t('adminHealth.column.service'),
      phone: 'title',
      cell: (one) => (
        <TwoLines
          first={nameOf(one)}
          second={
            one.facts.noServer === 1
              ? t('adminHealth.noMailServer')
              : one.facts.noBackup === 1
                ? t('adminHealth.noBackup')
                : t(`adminHealth.means.${one.name}`, one.facts)
          }
        />
      ),
    },
    {
      key: 'status',
      header: t('adminHealth.column.status'),
      phone: 'aside',
      fit: true,
      cell: ({ status }) => <HealthBadge status={status} />,
    },
    {
      key: 'latency',
      header: t('adminHealth.column.latency'),
      phone: 'start',
      fit: true,
      cell: ({ latencyMs }) => (latencyMs === null ? t('adminHealth.unknown') : duration(latencyMs)),
    },
    {
      key: 'success',
      header: t('adminHealth.column.success'),
      phone: 'end',
      fit: true,
      cell: ({ successPct }) => (successPct === null ? t('adminHealth.unknown') : percent(successPct)),
    },
  ];
  return (
    <Panel title={t('adminHealth.services')} text={t('adminHealth.servicesText')} flush>
      <DataTable
        caption={t('adminHealth.services')}
        columns={columns}
        rows={services}
        keyOf={({ name, provider }) => `${name}:${provider}`}
      />
    </Panel>
  );
}

const stateOfLevel: Record<Alert['level'], State> = { info: 'idle', warning: 'warn', error: 'bad' };

function Alerts({ view }: { view: HealthView }) {
  const { t } = useTranslation();
  const { number } = useAmounts();
  const nameOf = usePartName();
  const textOf = ({ rule, subject, facts }: Alert): string => {
    switch (rule) {
      case 'service': {
        const service = view.services.find(
          ({ name, provider }) => subject === (provider === null ? name : `${name}:${provider}`),
        );
        const status = typeof facts.status === 'string' ? facts.status : 'warning';
        return t('adminHealth.alert.service', {
          name: service === undefined ? subject : nameOf(service),
          status: t(`adminHealth.status.${status}`),
        });
      }
      case 'queue-late':
        return t('adminHealth.alert.queueLate', { ...facts, name: subject });
      case 'queue-full':
        return t('adminHealth.alert.queueFull', { name: subject, due: number(Number(facts.due)) });
      case 'dead-letters':
        return t('adminHealth.alert.deadLetters', facts);
      case 'errors':
        return t('adminHealth.alert.errors', { told: facts.told, count: Number(facts.count) });
    }
  };
  return (
    <Panel title={t('adminHealth.alerts')} text={t('adminHealth.alertsText')} flush>
      {view.alerts.length === 0 ? (
        <EmptyState art="building" title={t('adminHealth.noAlerts')} text={t('adminHealth.noAlertsText')} />
      ) : (
        <ul className={styles.list} aria-label={t('adminHealth.alerts')} aria-live="polite">
          {view.alerts.map((alert) => (
            <li key={alert.id} className={styles.row} data-over={alert.endedAt !== null || undefined}>
              <StateBadge state={alert.endedAt === null ? stateOfLevel[alert.level] : 'ok'}>
                {alert.endedAt === null ? t(`adminHealth.level.${alert.level}`) : t('adminHealth.over')}
              </StateBadge>
              <span className={styles.what}>{textOf(alert)}</span>
              <span className={styles.aside}>
                {alert.endedAt === null ? `${t('adminHealth.stands')} ` : null}
                <RelativeTime at={alert.endedAt ?? alert.raisedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const stateOfSeverity: Record<ErrorGroup['severity'], State> = {
  low: 'idle',
  medium: 'pending',
  high: 'warn',
  critical: 'bad',
};

function Errors({ view }: { view: HealthView }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('adminHealth.errors')} text={t('adminHealth.errorsText', { count: view.logDays })} flush>
      {view.errors.length === 0 ? (
        <EmptyState art="building" title={t('adminHealth.noErrors')} text={t('adminHealth.noErrorsText')} />
      ) : (
        <ul className={styles.list} aria-label={t('adminHealth.errors')}>
          {view.errors.map((error) => (
            <li key={error.fingerprint} className={styles.row}>
              <StateBadge state={stateOfSeverity[error.severity]}>
                {t(`adminHealth.severity.${error.severity}`)}
              </StateBadge>
              <span className={styles.what}>{error.told}</span>
              <span className={styles.aside}>{t('adminHealth.times', { count: error.count })}</span>
              {error.cause === error.told ? null : <span className={styles.cause}>{error.cause}</span>}
              <span className={styles.facts}>
                {error.place === null ? null : <span>{error.place}</span>}
                <span>
                  {t('adminHealth.first')} <RelativeTime at={error.firstAt} />, {t('adminHealth.last')}{' '}
                  <RelativeTime at={error.lastAt} />
                </span>
              </span>
              {error.requestIds.length === 0 ? null : (
                <details className={styles.ids}>
                  <summary>{t('adminHealth.requests')}</summary>
                  {error.requestIds.map((id) => (
                    <code key={id}>{id}</code>
                  ))}
                </details>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Queues({ queues, deadLetters }: { queues: readonly Queue[]; deadLetters: number }) {
  const { t } = useTranslation();
  const { number, duration } = useAmounts();
  const columns: Column<Queue>[] = [
    {
      key: 'queue',
      header: t('adminHealth.column.queue'),
      phone: 'title',
      cell: ({ name, due, running, later }) => (
        <TwoLines
          first={name}
          second={t('adminHealth.queueHas', { due: number(due), running: number(running), later: number(later) })}
        />
      ),
    },
    {
      key: 'oldest',
      header: t('adminHealth.column.oldest'),
      phone: 'aside',
      fit: true,
      cell: ({ oldestDueMs }) =>
        oldestDueMs === null ? null : (
          <>
            <span className={styles.header}>{t('adminHealth.column.oldest')} </span>
            {duration(Math.max(0, oldestDueMs))}
          </>
        ),
    },
  ];
  return (
    <Panel title={t('adminHealth.queues')} text={t('adminHealth.queuesText')} flush>
      {queues.length === 0 ? (
        <EmptyState art="building" title={t('adminHealth.noQueues')} text={t('adminHealth.noQueuesText')} />
      ) : (
        <DataTable caption={t('adminHealth.queues')} columns={columns} rows={queues} keyOf={({ name }) => name} />
      )}
      {deadLetters === 0 ? null : <p className={styles.note}>{t('adminHealth.deadLetters', { count: deadLetters })}</p>}
    </Panel>
  );
}
