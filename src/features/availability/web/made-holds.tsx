import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { holdsContract } from '#features/holds/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { Tag } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { useHoldDesk } from '#ui/hold-desk.ts';
import { Panel } from '#ui/page.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { formatSpan } from '#ui/spans/format-span.ts';
import styles from './row-list.module.css';
import { useHoldWords } from './use-hold-words.ts';

const api = createClient(holdsContract);

/** The holds that a person made, by time, each opened to be changed. */
export function MadeHolds() {
  const { t } = useTranslation();
  const words = useHoldWords();
  const open = useHoldDesk();
  const reading = usePreferences();
  const nowMs = useNowMs();
  const { data } = useQuery({
    queryKey: ['holds', 'list'],
    queryFn: ({ signal }) => api.listHolds(undefined, { signal }),
    enabled: open !== null,
  });
  if (open === null) return null;
  const when = (startMs: number, endMs: number) =>
    formatSpan({ startMs, endMs }, reading, { currentMs: nowMs, allDay: t('availability.made.allDay') });
  return (
    <Panel
      title={t('availability.made.title')}
      text={t('availability.made.text')}
      actions={
        <Button variant="default" size="xs" onClick={() => open({ kind: 'new' })}>
          {t('availability.made.add')}
        </Button>
      }
      flush
    >
      {data === undefined || data.holds.length === 0 ? (
        <p className={styles.empty}>{data === undefined ? '…' : t('availability.made.empty')}</p>
      ) : (
        <ul className={`${styles.rows} ${styles.scroll}`}>
          {data.holds.map((hold) => (
            <li key={hold.hold_id} className={styles.row}>
              <div className={styles.words}>
                <span className={styles.first}>{hold.title}</span>
                <span className={styles.second}>
                  {hold.start_time === null || hold.end_time === null
                    ? t('availability.made.gaveWay')
                    : when(hold.start_time, hold.end_time)}
                </span>
              </div>
              <Tag>{words.ranks[hold.rank_now]}</Tag>
              <Button
                variant="subtle"
                size="xs"
                aria-label={t('availability.made.edit', { name: hold.title })}
                onClick={() => open({ kind: 'edit', holdId: hold.hold_id })}
              >
                {t('availability.made.open')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
