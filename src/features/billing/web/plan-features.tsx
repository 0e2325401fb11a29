import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { countedThings } from '#features/billing/rules.ts';
import { Panel } from '#ui/page.tsx';
import { ProgressBar } from '#ui/progress-bar.tsx';
import styles from './billing.module.css';
import { type Billing, useUsage } from './queries.ts';

/** The features of the plan, and their use. */
export function PlanFeatures({ billing }: { billing: Billing }) {
  const { t } = useTranslation();
  const usage = useUsage();
  const { plan, limits } = billing;
  return (
    <Panel title={t('billing.features')}>
      {plan === null ? null : (
        <ul className={styles.features}>
          {plan.features.map((feature) => (
            <li key={feature}>
              <IconCheck size={16} aria-hidden />
              {feature}
            </li>
          ))}
        </ul>
      )}
      <dl className={styles.usage}>
        {countedThings.map((thing) => {
          const limit = limits[thing];
          const used = usage.data?.[thing];
          return (
            <div key={thing}>
              <dt>{t(`billing.thing.${thing}`)}</dt>
              <dd>
                {used === undefined
                  ? '…'
                  : limit === null
                    ? t('billing.used', { used })
                    : limit === 0
                      ? t('billing.notInPlan')
                      : t('billing.usedOf', { used, limit })}
                {limit === null || limit === 0 || used === undefined ? null : (
                  <ProgressBar label={t(`billing.thing.${thing}`)} value={Math.min(used, limit)} max={limit} />
                )}
                {limit !== null && used !== undefined && used > limit ? (
                  <span className={styles.dim}>{t('billing.overLimit')}</span>
                ) : null}
              </dd>
            </div>
          );
        })}
        <div>
          <dt>{t('billing.thing.history')}</dt>
          <dd>
            {limits.historyDays === null
              ? t('billing.wholeHistory')
              : t('billing.historyDays', { count: limits.historyDays })}
          </dd>
        </div>
      </dl>
    </Panel>
  );
}
