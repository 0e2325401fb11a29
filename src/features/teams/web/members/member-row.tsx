import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type GivenRole, givenRoles, may } from '#features/teams/rules.ts';
import { Avatar, initialsOf } from '#ui/avatar.tsx';
import { Tag } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { SelectField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type Member, type Team, useChangeRole } from '../queries.ts';
import styles from '../teams.module.css';
import { RemoveDialog } from './remove-dialog.tsx';

/** A member of a team, with the possible actions. */
export function MemberRow({ team, member, isSelf }: { team: Team; member: Member; isSelf: boolean }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const change = useChangeRole(team.id);
  const [removing, setRemoving] = useState(false);
  const { user_id: userId, name, email, role } = member;
  const manages = may(team.role, 'manage-members') && role !== 'owner';
  const say = (state: 'ok' | 'bad', message: string) => showToast({ subject: `member ${userId}`, state, message });
  return (
    <li className={styles.row}>
      <Avatar initials={initialsOf(name, email)} picture={member.avatar_url} />
      <span className={styles.words}>
        <span className={styles.first}>
          {name} {isSelf ? <Tag>{t('teams.members.you')}</Tag> : null}
        </span>
        <span className={styles.second}>{email}</span>
      </span>
      <span className={styles.rowActions}>
        {manages ? (
          <>
            <SelectField
              size="xs"
              className={styles.roleField}
              aria-label={t('teams.members.roleOf', { name })}
              value={change.isPending ? change.variables.role : role}
              data={givenRoles.map((one) => ({ value: one, label: t(`teams.role.${one}`) }))}
              onChange={(event) =>
                change.mutate(
                  { userId, role: event.currentTarget.value as GivenRole },
                  {
                    onSuccess: (_whole, { role: given }) =>
                      say('ok', t('teams.members.roleChanged', { name, role: t(`teams.role.${given}`) })),
                    onError: (error) => say('bad', errorText(error)),
                  },
                )
              }
            />
            {isSelf ? null : (
              <Button variant="subtle" color="gray" size="xs" onClick={() => setRemoving(true)}>
                {t('teams.members.remove')}
                <span className="hf-sr-only"> {name}</span>
              </Button>
            )}
          </>
        ) : (
          <Tag>{t(`teams.role.${role}`)}</Tag>
        )}
      </span>
      <RemoveDialog team={team} member={member} isSelf={false} opened={removing} onClose={() => setRemoving(false)} />
    </li>
  );
}
