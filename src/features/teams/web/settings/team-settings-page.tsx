import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { may, restorableDays } from '#features/teams/rules.ts';
import { Button } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { useOwnId, type WholeTeam } from '../queries.ts';
import { TeamFrame } from '../team-frame.tsx';
import styles from '../teams.module.css';
import { TransferBanner } from '../transfer-banner.tsx';
import { AddressPanel } from './address-panel.tsx';
import { LogoField } from './logo-field.tsx';
import { NameForm } from './name-form.tsx';
import { TransferRow } from './transfer-row.tsx';

// Opened by a press.
const DeleteTeamDialog = lazy(async () => ({ default: (await import('./delete-team-dialog.tsx')).DeleteTeamDialog }));
const RemoveDialog = lazy(async () => ({ default: (await import('../members/remove-dialog.tsx')).RemoveDialog }));

/** Name and address of a team, and leaving or deleting it. */
export function TeamSettingsPage() {
  return <TeamFrame>{(whole) => <Settings whole={whole} />}</TeamFrame>;
}

function Settings({ whole }: { whole: WholeTeam }) {
  const { t } = useTranslation();
  const ownId = useOwnId();
  const [leaving, setLeaving] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const { team, members } = whole;
  const self = members.find(({ user_id }) => user_id === ownId);
  const isOwner = team.role === 'owner';
  return (
    <>
      <TransferBanner whole={whole} ownId={ownId} />
      {may(team.role, 'change-team') ? (
        <Panel title={t('teams.settings.public')} text={t('teams.settings.publicText')}>
          <div className={styles.form}>
            <LogoField team={team} />
            <NameForm key={`${team.name} ${team.about}`} team={team} />
          </div>
        </Panel>
      ) : null}
      <AddressPanel team={team} />
      <Panel title={t('teams.settings.danger')}>
        <div className={styles.form}>
          {isOwner ? (
            <>
              <TransferRow whole={whole} />
              <div className={styles.line}>
                <div className={styles.lineWords}>
                  <h3>{t('teams.delete.title')}</h3>
                  <p>{t('teams.delete.text', { days: restorableDays })}</p>
                </div>
                <Button color="bad" onClick={() => setDeleting(true)}>
                  {t('teams.delete.open')}
                </Button>
              </div>
              <p className={styles.second}>{t('teams.settings.ownerLeaves')}</p>
            </>
          ) : (
            <div className={styles.line}>
              <div className={styles.lineWords}>
                <h3>{t('teams.leave.title')}</h3>
                <p>{t('teams.leave.text')}</p>
              </div>
              <Button color="bad" onClick={() => setLeaving(true)}>
                {t('teams.leave.open')}
              </Button>
            </div>
          )}
        </div>
      </Panel>
      <Suspense>
        {self !== undefined && leaving ? (
          <RemoveDialog team={team} member={self} isSelf opened onClose={() => setLeaving(false)} />
        ) : null}
        {deleting ? <DeleteTeamDialog team={team} opened onClose={() => setDeleting(false)} /> : null}
      </Suspense>
    </>
  );
}
