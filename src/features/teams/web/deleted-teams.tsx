import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ActionButton } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { formatDay } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { useRefusal } from '#ui/refusal.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type TeamList, useRestoreTeam } from './queries.ts';

/** Deleted teams that the user can restore. */
export function DeletedTeams({
  list,
  onRestored,
}: {
  list: TeamList['deleted'];
  onRestored: (teamId: string) => void;
}) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const preferences = usePreferences();
  const nowMs = useNowMs();
  const restore = useRestoreTeam();
  return list.map(({ id, name, until }) => (
    <Banner
      key={id}
      state="idle"
      actions={
        <ActionButton
          type="button"
          size="xs"
          variant="default"
          pending={restore.isPending && restore.variables === id}
          pendingLabel={t('teams.deleted.pending')}
          onClick={() =>
            restore.mutate(id, {
              onSuccess: () => {
                showToast({ subject: `team ${id}`, state: 'ok', message: t('teams.deleted.restored', { name }) });
                onRestored(id);
              },
              onError: (error) => showToast({ subject: `team ${id}`, state: 'bad', ...refusal(error) }),
            })
          }
        >
          {t('teams.deleted.restore')}
          <span className="hf-sr-only"> {name}</span>
        </ActionButton>
      }
    >
      {t('teams.deleted.text', { name, day: formatDay(until, preferences, nowMs) })}
    </Banner>
  ));
}
