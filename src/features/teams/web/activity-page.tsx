import { useTranslation } from 'react-i18next';
import { may } from '#features/teams/rules.ts';
import { ActionButton } from '#ui/button.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { type Team, type TrailEntry, useTeamTrail } from './queries.ts';
import { TeamFrame } from './team-frame.tsx';
import styles from './teams.module.css';

/** The audit log of a team, for its administrators. */
export function ActivityPage() {
  const { t } = useTranslation();
  return (
    <TeamFrame>
      {({ team }) =>
        may(team.role, 'see-trail') ? (
          <Trail team={team} />
        ) : (
          <Panel title={t('teams.activity.title')} text={t('teams.activity.notYours')} />
        )
      }
    </TeamFrame>
  );
}

function Trail({ team }: { team: Team }) {
  const { t } = useTranslation();
  const trail = useTeamTrail(team.id);
  const entries = trail.data?.pages.flatMap((page) => page.entries);
  return (
    <Panel flush={entries !== undefined} title={t('teams.activity.title')} text={t('teams.activity.text')}>
      {entries === undefined ? (
        trail.error ? (
          <ErrorState title={t('teams.loadFailed')} error={trail.error} onRetry={() => void trail.refetch()} />
        ) : (
          <SkeletonRows rows={4} label={t('shell.loading')} />
        )
      ) : (
        <>
          <ol className={styles.rows}>
            {entries.map((entry) => (
              <EntryRow key={entry.seq} entry={entry} />
            ))}
          </ol>
          {trail.hasNextPage ? (
            <div className={styles.more}>
              <ActionButton
                type="button"
                variant="subtle"
                pending={trail.isFetchingNextPage}
                pendingLabel={t('shell.loading')}
                onClick={() => void trail.fetchNextPage()}
              >
                {t('teams.activity.more')}
              </ActionButton>
            </div>
          ) : null}
        </>
      )}
    </Panel>
  );
}

function EntryRow({ entry: { kind, at, by, to, details } }: { entry: TrailEntry }) {
  const { t } = useTranslation();
  const facts = [
    to === null || to === by ? '' : to,
    details.email ?? '',
    details.from !== undefined && details.to !== undefined
      ? `${wordOf(details.from, t)} → ${wordOf(details.to, t)}`
      : (details.to ?? ''),
    details.role === undefined ? '' : wordOf(details.role, t),
    details.shares === 'details' || details.shares === 'busy' ? t(`teams.shares.${details.shares}`) : '',
  ].filter(Boolean);
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <span className={styles.first}>{t(`teams.deed.${kind}`)}</span>
        <span className={styles.second}>{[by ?? t('teams.activity.nobody'), ...facts].join(' · ')}</span>
      </span>
      <span className={styles.second}>
        <RelativeTime at={at} />
      </span>
    </li>
  );
}

const roles = ['owner', 'admin', 'editor', 'viewer'] as const;
function wordOf(text: string, t: (key: string) => string): string {
  const role = roles.find((one) => one === text);
  return role === undefined ? text : t(`teams.role.${role}`);
}
