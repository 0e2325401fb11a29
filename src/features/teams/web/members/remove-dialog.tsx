import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { may } from '#features/teams/rules.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { SelectField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type Member, type Team, useRemoveMember, useTeam, useToCome } from '../queries.ts';

export interface RemoveDialogProps {
  team: Team;
  member: Member;
  /** Whether the person leaves on their own. */
  isSelf: boolean;
  opened: boolean;
  onClose: () => void;
}

/** Asks for the outcome of the member's bookings for the team, then removes the member. */
export function RemoveDialog({ team, member, isSelf, opened, onClose }: RemoveDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const remove = useRemoveMember(team.id);
  const found = useToCome(team.id, member.user_id, opened);
  const toCome = found.data?.to_come;
  const others = useTeam(team.id).data?.members.filter(({ user_id }) => user_id !== member.user_id) ?? [];
  const [heir, setHeir] = useState<Member['user_id'] | null>(null);
  const hasChoice = may(team.role, 'manage-bookings') && others.length > 0 && toCome !== undefined && toCome > 0;
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
        void remove.mutateAsync({ userId: member.user_id, heir: hasChoice ? heir : null }).then(
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
      {hasChoice ? (
        <SelectField
          label={t('teams.remove.heir')}
          description={t('teams.remove.heirHint')}
          value={heir ?? ''}
          data={[
            { value: '', label: t('teams.remove.whoeverIsFree') },
            ...others.map(({ user_id: value, name: label }) => ({ value, label })),
          ]}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setHeir(others.find(({ user_id }) => user_id === value)?.user_id ?? null);
          }}
        />
      ) : null}
    </ConfirmDialog>
  );
}
