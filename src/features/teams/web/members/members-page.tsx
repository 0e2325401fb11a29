import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { may } from '#features/teams/rules.ts';
import { Button } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { useOwnId, type WholeTeam } from '../queries.ts';
import { TeamFrame } from '../team-frame.tsx';
import styles from '../teams.module.css';
import { TransferBanner } from '../transfer-banner.tsx';
import { InvitationRow } from './invitation-row.tsx';
import { MemberRow } from './member-row.tsx';
import { RolesPanel } from './roles-panel.tsx';

const InviteDialog = lazy(async () => ({ default: (await import('./invite-dialog.tsx')).InviteDialog }));

/** Members of a team with their roles, and open invitations. */
export function MembersPage() {
  return <TeamFrame>{(whole) => <Members whole={whole} />}</TeamFrame>;
}

function Members({ whole }: { whole: WholeTeam }) {
  const { t } = useTranslation();
  const ownId = useOwnId();
  const [inviting, setInviting] = useState(false);
  const { team, members, invitations } = whole;
  const manages = may(team.role, 'manage-members');
  return (
    <>
      <TransferBanner whole={whole} ownId={ownId} />
      <Panel
        flush
        title={t('teams.members.count', { count: members.length })}
        actions={manages ? <Button onClick={() => setInviting(true)}>{t('teams.invite.open')}</Button> : null}
      >
        <ul className={styles.rows}>
          {members.map((member) => (
            <MemberRow key={member.user_id} team={team} member={member} isSelf={member.user_id === ownId} />
          ))}
        </ul>
      </Panel>
      {invitations.length > 0 ? (
        <Panel flush title={t('teams.invitations.title')} text={t('teams.invitations.text')}>
          <ul className={styles.rows}>
            {invitations.map((invitation) => (
              <InvitationRow key={invitation.id} teamId={team.id} invitation={invitation} />
            ))}
          </ul>
        </Panel>
      ) : null}
      <RolesPanel own={team.role} />
      <Suspense>{inviting ? <InviteDialog teamId={team.id} onClose={() => setInviting(false)} /> : null}</Suspense>
    </>
  );
}
