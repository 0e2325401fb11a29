import { IconTrash } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { type Availability, useRemoveDaysOff, useRemoveTravel } from './queries.ts';
import styles from './row-list.module.css';
import { useDayText } from './use-day-text.ts';

// Opened by a press: the page does not wait for it.
const AwayDialog = lazy(async () => ({ default: (await import('./away-dialog.tsx')).AwayDialog }));

/** Days out of office, and days in another zone. */
export function AwayPanel({ kind, availability }: { kind: 'off' | 'travel'; availability: Availability }) {
  const { t } = useTranslation();
  const dayText = useDayText();
  const [adding, setAdding] = useState(false);
  const removeDays = useRemoveDaysOff();
  const removeTravel = useRemoveTravel();
  const remove = kind === 'off' ? removeDays : removeTravel;
  const words = {
    off: {
      title: t('availability.off.title'),
      text: t('availability.off.text'),
      empty: t('availability.off.empty'),
      add: t('availability.off.add'),
    },
    travel: {
      title: t('availability.travel.title'),
      text: t('availability.travel.text'),
      empty: t('availability.travel.empty'),
      add: t('availability.travel.add'),
    },
  }[kind];
  const rows =
    kind === 'off'
      ? availability.days_off.map((one) => ({ ...one, about: one.reason }))
      : availability.travels.map((one) => ({ ...one, about: one.zone.replaceAll('_', ' ') }));
  return (
    <Panel
      title={words.title}
      text={words.text}
      actions={
        <Button variant="default" size="xs" onClick={() => setAdding(true)}>
          {words.add}
        </Button>
      }
      flush
    >
      {rows.length === 0 ? (
        <p className={styles.empty}>{words.empty}</p>
      ) : (
        <ul className={styles.rows}>
          {rows.map(({ id, first_day, last_day, about }) => {
            const days = first_day === last_day ? dayText(first_day) : `${dayText(first_day)} – ${dayText(last_day)}`;
            return (
              <li key={id} className={styles.row}>
                <div className={styles.words}>
                  <span className={styles.first}>{days}</span>
                  {about === '' ? null : <span className={styles.second}>{about}</span>}
                </div>
                <IconButton
                  label={t('availability.away.remove', { days })}
                  disabled={remove.isPending}
                  onClick={() => remove.mutate(id)}
                >
                  <IconTrash size={16} aria-hidden />
                </IconButton>
              </li>
            );
          })}
        </ul>
      )}
      <Suspense>
        {adding ? <AwayDialog kind={kind} title={words.title} onClose={() => setAdding(false)} /> : null}
      </Suspense>
    </Panel>
  );
}
