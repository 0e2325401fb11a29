import { IconArrowsExchange, IconCalendarEvent } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { LinkButton } from './link-button.ts';
import type { TeamTypes } from './queries.ts';
import styles from './team-panel.module.css';

const StandInDialog = lazy(async () => ({ default: (await import('./stand-in-dialog.tsx')).StandInDialog }));

/** Event types of a team, and the tasks of its members. */
export function TeamPanel({ team, children }: { team: TeamTypes; children: ReactNode }) {
  const { t } = useTranslation();
  const [isAway, setAway] = useState(false);
  const { name, url, may_change: mayChange, event_types: types } = team;
  return (
    <Panel
      flush
      title={name}
      text={url === null ? t('booking.team.noAddress') : url.replace(/^https?:\/\//, '')}
      actions={
        <span className={styles.actions}>
          {mayChange ? (
            <LinkButton
              to="/meetings/team/$teamId"
              params={{ teamId: team.team_id }}
              variant="default"
              size="xs"
              leftSection={<IconCalendarEvent size={15} aria-hidden />}
            >
              {t('booking.team.bookings')}
              <span className="hf-sr-only"> {name}</span>
            </LinkButton>
          ) : null}
          <Button
            variant="default"
            size="xs"
            leftSection={<IconArrowsExchange size={15} aria-hidden />}
            onClick={() => setAway(true)}
          >
            {t('booking.team.standIns')}
            <span className="hf-sr-only"> {name}</span>
          </Button>
        </span>
      }
    >
      {types.length === 0 ? <p className={styles.empty}>{t('booking.team.empty')}</p> : children}
      <Suspense>{isAway ? <StandInDialog team={team} onClose={() => setAway(false)} /> : null}</Suspense>
    </Panel>
  );
}
