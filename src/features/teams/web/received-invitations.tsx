import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type Received, useAccept, useDecline } from './queries.ts';

/** Invitations to the signed-in user, with accept and decline. */
export function ReceivedInvitations({
  list,
  onJoined,
}: {
  list: readonly Received[];
  onJoined: (teamId: string) => void;
}) {
  return list.map((one) => <OneInvitation key={one.id} invitation={one} onJoined={onJoined} />);
}

function OneInvitation({ invitation, onJoined }: { invitation: Received; onJoined: (teamId: string) => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const accept = useAccept();
  const decline = useDecline();
  const { id, team, invited_by: inviter } = invitation;
  const refused = (error: unknown) =>
    showToast({ subject: `invitation ${id}`, state: 'bad', message: errorText(error) });
  return (
    <Banner
      state="info"
      actions={
        <>
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              void decline.mutateAsync(id).then(
                () =>
                  showToast({
                    subject: `invitation ${id}`,
                    state: 'idle',
                    message: t('teams.join.declined', { team }),
                  }),
                refused,
              )
            }
          >
            {t('teams.join.decline')}
            <span className="hf-sr-only"> {team}</span>
          </Button>
          <ActionButton
            type="button"
            size="xs"
            pending={accept.isPending}
            pendingLabel={t('teams.join.pending')}
            onClick={() => void accept.mutateAsync(id).then(({ team_id }) => onJoined(team_id), refused)}
          >
            {t('teams.join.accept')}
            <span className="hf-sr-only"> {team}</span>
          </ActionButton>
        </>
      }
    >
      {inviter === null
        ? t('teams.join.askedByNobody', { team, role: t(`teams.role.${invitation.role}`) })
        : t('teams.join.asked', { inviter, team, role: t(`teams.role.${invitation.role}`) })}
    </Banner>
  );
}
