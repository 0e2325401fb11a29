import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { ColorMark } from '#ui/provider-mark.tsx';
import styles from './other-calendars.module.css';
import type { NamedCalendar } from './queries.ts';

const mostAtFirst = 6;

/** Calendars whose events block nothing, each with the way to change that. */
export function OtherCalendars({
  calendars,
  onMirror,
}: {
  calendars: NamedCalendar[];
  onMirror: (calendarId: string) => void;
}) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const listed = all || calendars.length <= mostAtFirst + 2 ? calendars : calendars.slice(0, mostAtFirst);
  return (
    <>
      <ul>
        {listed.map(({ calendarId, name, fullName, color, account, writable, removed }) => (
          <li key={calendarId} className={styles.row}>
            <ColorMark color={color} />
            <span className={styles.texts}>
              <bdi className={styles.name}>{name}</bdi>
              <span className={styles.note}>
                {removed
                  ? t('sync.members.removed')
                  : writable
                    ? account
                    : t('sync.others.readOnly', { account: account || name })}
              </span>
            </span>
            {removed ? null : (
              <Button
                className={styles.mirror}
                variant="default"
                size="xs"
                leftSection={<IconPlus size={14} aria-hidden />}
                onClick={() => onMirror(calendarId)}
              >
                {t('sync.others.mirror')}
                <span className="hf-sr-only"> {fullName}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {listed.length < calendars.length ? (
        <div className={styles.all}>
          <Button variant="subtle" size="xs" onClick={() => setAll(true)}>
            {t('sync.others.all', { count: calendars.length })}
          </Button>
        </div>
      ) : null}
    </>
  );
}
