import { useTranslation } from 'react-i18next';
import type { Fairness } from './queries.ts';
import styles from './routing.module.css';
import { roundToSum } from './share-out.ts';

/** The share of each host. Rounded figures still add up to the last row. */
export function FairnessTable({ report }: { report: Fairness }) {
  const { t } = useTranslation();
  const { hosts, total } = report;
  const shares = roundToSum(
    hosts.map(({ got }) => (total === 0 ? 0 : (got / total) * 100)),
    0.1,
  );
  const expected = roundToSum(
    hosts.map((host) => host.expected),
    0.1,
  );
  const signed = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(1)}`;
  return (
    <table className={styles.table}>
      <caption className="hf-sr-only">{t('routing.fairness.caption', { title: report.title })}</caption>
      <thead>
        <tr>
          <th scope="col">{t('routing.fairness.host')}</th>
          <th scope="col" data-number data-wide>
            {t('routing.fairness.weight')}
          </th>
          <th scope="col" data-number>
            {t('routing.fairness.got')}
          </th>
          <th scope="col" data-share>
            {t('routing.fairness.share')}
          </th>
          <th scope="col" data-number data-wide>
            {t('routing.fairness.expected')}
          </th>
          <th scope="col" data-number>
            {t('routing.fairness.difference')}
          </th>
        </tr>
      </thead>
      <tbody>
        {hosts.map((host, at) => (
          <tr key={host.user_id}>
            <th scope="row">
              {host.name}
              {host.here ? null : <span className={styles.hint}> {t('routing.fairness.gone')}</span>}
              {host.skips.length === 0 ? null : (
                <span className={styles.skips}>
                  {t('routing.fairness.passed', {
                    whys: [...countWhys(host.skips)]
                      .map(([why, count]) => t('routing.fairness.times', { why: t(`routing.skip.${why}`), count }))
                      .join(', '),
                  })}
                </span>
              )}
            </th>
            <td data-number data-wide>
              {host.weight}
            </td>
            <td data-number>{host.got}</td>
            <td data-share>
              <span className={styles.share}>
                <span className={styles.bar} style={{ transform: `scaleX(${(shares[at] ?? 0) / 100})` }} />
              </span>
              <span className={styles.figure}>{(shares[at] ?? 0).toFixed(1)} %</span>
            </td>
            <td data-number data-wide>
              {(expected[at] ?? 0).toFixed(1)}
            </td>
            <td data-number>{signed(host.got - (expected[at] ?? 0))}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('routing.fairness.sum')}</th>
          <td data-wide />
          <td data-number>{total}</td>
          <td data-share>
            <span className={styles.figure}>{total === 0 ? '0.0 %' : '100.0 %'}</span>
          </td>
          <td data-number data-wide>
            {total.toFixed(1)}
          </td>
          <td data-number>{signed(0)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

const whys = ['later', 'owner', 'outside-hours', 'busy', 'booked', 'held', 'stale-calendar', 'not-asked'] as const;

/** How often by each of the reasons that people tell apart. */
function countWhys(skips: Fairness['hosts'][number]['skips']) {
  const counts = new Map<(typeof whys)[number] | 'limit' | 'other', number>();
  for (const { reason, times } of skips) {
    const why = whys.find((one) => one === reason) ?? (reason.startsWith('limit-') ? 'limit' : 'other');
    counts.set(why, (counts.get(why) ?? 0) + times);
  }
  return counts;
}
