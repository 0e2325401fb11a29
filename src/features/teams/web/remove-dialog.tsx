import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type Member, type Team, useRemoveMember, useToCome } from './queries.ts';

export interface RemoveDialogProps {
  team: Team;
  member: Member;
  /** They leave by themselves. */
  isSelf: boolean;
  opened: boolean;
  onClose: () => void;
}

/** What becomes of what somebody was to do for a team, before they are in it no more. */
export function RemoveDialog({ team, member, isSelf, opened, onClose }: RemoveDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const remove = useRemoveMember(team.id);
  const found = useToCome(team.id, member.user_id, opened);
  const toCome = found.data?.to_come;
  const names = { name: member.name, team: team.name };
  const subject = `member ${member.user_id}`;
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      destructive
      title={isSelf ? t('teams.leave.question', names) : t('teams.remove.question', names)}
      confirmLabel={isSelf ? t('teams.leave.confirm') : t('teams.remove.confirm')}
      pendingLabel={isSelf ? t('teams.leave.pending') : t('teams.remove.pending')}
      pending={remove.isPending}
      onConfirm={() =>
        void remove.mutateAsync(member.user_id).then(
          () => {
            onClose();
            showToast({
              subject,
              state: 'ok',
              message: isSelf ? t('teams.leave.done', names) : t('teams.remove.done', names),
            });
          },
          (error: unknown) => {
            onClose();
            showToast({ subject, state: 'bad', message: errorText(error) });
          },
        )
      }
    >
      <p>{isSelf ? t('teams.leave.what', names) : t('teams.remove.what', names)}</p>
      <p role="status">
        {toCome === undefined
          ? null
          : toCome === 0
            ? t('teams.remove.nothing')
            : t('teams.remove.toCome', { count: toCome })}
      </p>
    </ConfirmDialog>
  );
}
