import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#ui/empty-state.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { useInvitation, useTeams } from './queries.ts';
import { ReceivedInvitations } from './received-invitations.tsx';

/** Where the link of an invitation leads: its effect is the button’s alone, as programs open links too. */
export function JoinPage() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const { token = '' }: { token?: string } = useSearch({ strict: false });
  const invitation = useInvitation(token);
  const teams = useTeams();
  const mine = teams.data?.invitations.find(({ id }) => id === invitation.data?.id);
  const away = <Link to="/team">{t('teams.join.toTeams')}</Link>;
  if (invitation.isLoading || teams.isLoading) {
    return (
      <Page title={t('teams.join.title')} width="narrow">
        <Panel>
          <SkeletonRows rows={2} label={t('shell.loading')} />
        </Panel>
      </Page>
    );
  }
  return (
    <Page title={invitation.data?.team ?? t('teams.join.title')} width="narrow">
      {mine ? (
        <ReceivedInvitations
          list={[mine]}
          onJoined={(team) => void navigate({ to: '/team', search: { team } as never, replace: true })}
        />
      ) : invitation.data ? (
        <Panel>
          <EmptyState
            art="mail"
            title={t('teams.join.otherTitle')}
            text={t('teams.join.otherText', { email: invitation.data.email })}
            link={away}
          />
        </Panel>
      ) : (
        <Panel>
          <EmptyState
            art="missing"
            title={t(token === '' ? 'teams.join.brokenTitle' : 'teams.join.goneTitle')}
            text={invitation.error ? errorText(invitation.error) : t('teams.join.brokenText')}
            link={away}
          />
        </Panel>
      )}
    </Page>
  );
}
