import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { may } from '#features/teams/rules.ts';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { PageTabs } from '#ui/page-tabs.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { SelectField } from '#ui/text-field.tsx';
import { DeletedTeams } from './deleted-teams.tsx';
import { LinkButton } from './link-button.ts';
import { type TeamId, type TeamList, useFreshTeam, useTeam, useTeams, type WholeTeam } from './queries.ts';
import { ReceivedInvitations } from './received-invitations.tsx';
import { TabLink } from './tab-link.ts';
import styles from './teams.module.css';

const CreateTeamDialog = lazy(async () => ({ default: (await import('./create-team-dialog.tsx')).CreateTeamDialog }));

/** The frame of the team pages: team chooser, tabs, and the screen without a team. */
export function TeamFrame({ children }: { children: (whole: WholeTeam) => ReactNode }) {
  const { t } = useTranslation();
  const teams = useTeams();
  if (teams.data)
    return (
      <Teams list={teams.data} listedAtMs={teams.dataUpdatedAt}>
        {children}
      </Teams>
    );
  return (
    <Page title={t('teams.title')}>
      <Panel>
        {teams.error ? (
          <ErrorState title={t('teams.loadFailed')} error={teams.error} onRetry={() => void teams.refetch()} />
        ) : (
          <SkeletonRows rows={4} label={t('shell.loading')} />
        )}
      </Panel>
    </Page>
  );
}

function Teams({
  list,
  listedAtMs,
  children,
}: {
  list: TeamList;
  listedAtMs: number;
  children: (whole: WholeTeam) => ReactNode;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search: { team?: string } = useSearch({ strict: false });
  const [creating, setCreating] = useState(false);
  const team = list.teams.find(({ id }) => id === search.team) ?? list.teams[0];
  const goTo = (teamId: string) => void navigate({ to: '.', search: { team: teamId } as never });
  const create = list.may_create ? (
    <Button variant={team === undefined ? 'filled' : 'default'} onClick={() => setCreating(true)}>
      {t('teams.create.open')}
    </Button>
  ) : null;
  return (
    <Page
      title={team?.name ?? t('teams.title')}
      subtitle={team === undefined ? t('teams.subtitle') : t(`teams.youAre.${team.role}`)}
      actions={
        team === undefined ? null : (
          <>
            {list.teams.length > 1 ? (
              <SelectField
                aria-label={t('teams.switch')}
                className={styles.switch}
                value={team.id}
                data={list.teams.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={(event) => goTo(event.currentTarget.value)}
              />
            ) : null}
            {create}
          </>
        )
      }
    >
      <ReceivedInvitations list={list.invitations} onJoined={goTo} />
      {team === undefined ? (
        <Panel>
          <EmptyState
            art="building"
            title={list.may_create ? t('teams.empty.title') : t('teams.locked.title')}
            text={list.may_create ? t('teams.empty.text') : t('teams.locked.text')}
            action={
              create ?? (
                <LinkButton to="/billing" variant="filled">
                  {t('teams.locked.upgrade')}
                </LinkButton>
              )
            }
          />
        </Panel>
      ) : (
        <>
          <PageTabs label={t('teams.pages')}>
            <TabLink
              to="/team"
              search={{ team: team.id } as never}
              activeOptions={{ exact: true, includeSearch: false }}
            >
              {t('teams.members.title')}
            </TabLink>
            <TabLink to="/team/calendar" search={{ team: team.id } as never} activeOptions={{ includeSearch: false }}>
              {t('teams.calendar.title')}
            </TabLink>
            <TabLink to="/team/settings" search={{ team: team.id } as never} activeOptions={{ includeSearch: false }}>
              {t('teams.settings.title')}
            </TabLink>
            {may(team.role, 'see-trail') ? (
              <TabLink to="/team/activity" search={{ team: team.id } as never} activeOptions={{ includeSearch: false }}>
                {t('teams.activity.title')}
              </TabLink>
            ) : null}
          </PageTabs>
          <OneTeam key={team.id} teamId={team.id} listedAtMs={listedAtMs}>
            {children}
          </OneTeam>
        </>
      )}
      <DeletedTeams list={list.deleted} onRestored={goTo} />
      <Suspense>{creating ? <CreateTeamDialog onClose={() => setCreating(false)} onCreated={goTo} /> : null}</Suspense>
    </Page>
  );
}

function OneTeam({
  teamId,
  listedAtMs,
  children,
}: {
  teamId: TeamId;
  listedAtMs: number;
  children: (whole: WholeTeam) => ReactNode;
}) {
  const { t } = useTranslation();
  useFreshTeam(teamId, listedAtMs);
  const whole = useTeam(teamId);
  if (whole.data) return children(whole.data);
  return (
    <Panel>
      {whole.error ? (
        <ErrorState title={t('teams.loadFailed')} error={whole.error} onRetry={() => void whole.refetch()} />
      ) : (
        <SkeletonRows rows={4} label={t('shell.loading')} />
      )}
    </Panel>
  );
}
