import { IconTrash } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge, Tag } from '#ui/badge.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { type Hold, useCalendars, useRemoveHold } from './queries.ts';
import styles from './row-list.module.css';
import { useHoldWords } from './use-hold-words.ts';

// Opened by a press: the page does not wait for it.
const HoldDialog = lazy(async () => ({ default: (await import('./hold-dialog.tsx')).HoldDialog }));

/** Which events may be booked over by what is more important. */
export function HoldsPanel({ holds }: { holds: readonly Hold[] }) {
  const { t } = useTranslation();
  const words = useHoldWords();
  const calendars = useCalendars();
  const remove = useRemoveHold();
  const [adding, setAdding] = useState(false);
  const calendarName = (id: string) => calendars.data?.calendars.find((one) => one.id === id)?.name;
  return (
    <Panel
      title={t('availability.holds.title')}
      text={t('availability.holds.text')}
      actions={
        <Button variant="default" size="xs" onClick={() => setAdding(true)}>
          {t('availability.holds.add')}
        </Button>
      }
      flush
    >
      {holds.length === 0 ? (
        <p className={styles.empty}>{t('availability.holds.empty')}</p>
      ) : (
        <ul className={styles.rows}>
          {holds.map((hold) => {
            const isGone = hold.kind === 'calendar' && calendars.data && calendarName(hold.value) === undefined;
            const about =
              hold.kind !== 'calendar'
                ? hold.value
                : (calendarName(hold.value) ?? (isGone ? t('availability.holds.gone') : '…'));
            const name = about === '' ? words.kinds[hold.kind] : `${words.kinds[hold.kind]}: ${about}`;
            return (
              <li key={hold.id} className={styles.row}>
                <div className={styles.words}>
                  <span className={styles.first}>{name}</span>
                </div>
                {isGone ? <StateBadge state="warn">{t('availability.holds.noEffect')}</StateBadge> : null}
                <Tag>{words.ranks[hold.rank]}</Tag>
                <IconButton
                  label={t('availability.holds.remove', { name })}
                  disabled={remove.isPending}
                  onClick={() => remove.mutate(hold.id)}
                >
                  <IconTrash size={16} aria-hidden />
                </IconButton>
              </li>
            );
          })}
        </ul>
      )}
      <Suspense>
        {adding ? <HoldDialog calendars={calendars.data?.calendars ?? []} onClose={() => setAdding(false)} /> : null}
      </Suspense>
    </Panel>
  );
}
