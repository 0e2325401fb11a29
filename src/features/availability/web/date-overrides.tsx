import { IconPencil, IconTrash } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Hours } from '#features/availability/rules/hours.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import styles from './row-list.module.css';
import { useDayText, useHoursText } from './use-day-text.ts';

// Opened by a press: the page does not wait for it.
const OverrideDialog = lazy(async () => ({ default: (await import('./override-dialog.tsx')).OverrideDialog }));

export type Override = Hours['overrides'][number];

export interface DateOverridesProps {
  overrides: readonly Override[];
  onChange: (overrides: Override[]) => void;
}

/** Single dates with hours of their own. */
export function DateOverrides({ overrides, onChange }: DateOverridesProps) {
  const { t } = useTranslation();
  const dayText = useDayText();
  const hoursText = useHoursText();
  const [opened, setOpened] = useState<Override | 'new' | null>(null);
  const sorted = overrides.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  const without = (date: string) => overrides.filter((one) => one.date !== date);
  return (
    <Panel
      title={t('availability.overrides.title')}
      text={t('availability.overrides.text')}
      actions={
        <Button variant="default" size="xs" onClick={() => setOpened('new')}>
          {t('availability.overrides.add')}
        </Button>
      }
      flush
    >
      {sorted.length === 0 ? (
        <p className={styles.empty}>{t('availability.overrides.empty')}</p>
      ) : (
        <ul className={styles.rows}>
          {sorted.map((one) => (
            <li key={one.date} className={styles.row}>
              <div className={styles.words}>
                <span className={styles.first}>{dayText(one.date)}</span>
                <span className={styles.second}>
                  {one.intervals.length === 0 ? t('availability.overrides.closed') : hoursText(one.intervals)}
                </span>
              </div>
              <IconButton
                label={t('availability.overrides.edit', { day: dayText(one.date) })}
                onClick={() => setOpened(one)}
              >
                <IconPencil size={16} aria-hidden />
              </IconButton>
              <IconButton
                label={t('availability.overrides.remove', { day: dayText(one.date) })}
                onClick={() => onChange(without(one.date))}
              >
                <IconTrash size={16} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <Suspense>
        {opened === null ? null : (
          <OverrideDialog
            override={opened === 'new' ? null : opened}
            taken={overrides.map(({ date }) => date)}
            onClose={() => setOpened(null)}
            onSave={(saved) => {
              const kept = opened === 'new' ? overrides : without(opened.date);
              onChange([...kept.filter((one) => one.date !== saved.date), saved]);
              setOpened(null);
            }}
          />
        )}
      </Suspense>
    </Panel>
  );
}
