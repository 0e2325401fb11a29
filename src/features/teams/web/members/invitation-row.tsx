import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { useErrorText } from '#ui/error-state.tsx';
import { formatDay } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type Invitation, type TeamId, useInvite, useResend, useWithdraw } from '../queries.ts';
import styles from '../teams.module.css';

/** A person who was invited to join, and has not answered. */
export function InvitationRow({ teamId, invitation }: { teamId: TeamId; invitation: Invitation }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const preferences = usePreferences();
  const nowMs = useNowMs();
  const resend = useResend(teamId);
  const withdraw = useWithdraw(teamId);
  const invite = useInvite(teamId);
  const { id, email, role, expires_at: expiresMs } = invitation;
  const isOver = expiresMs <= nowMs;
  const subject = `invitation ${id}`;
  const refused = (error: unknown) => showToast({ subject, state: 'bad', message: errorText(error) });
  const sent = () => showToast({ subject, state: 'ok', message: t('teams.invite.sent', { email }) });
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <span className={styles.first}>{email}</span>
        <span className={styles.second}>
          {t(`teams.role.${role}`)}
          {isOver ? null : ` · ${t('teams.invitations.until', { day: formatDay(expiresMs, preferences, nowMs) })}`}
        </span>
      </span>
      {isOver ? <StateBadge state="warn">{t('teams.invitations.over')}</StateBadge> : null}
      <span className={styles.rowActions}>
        <ActionButton
          type="button"
          variant="subtle"
          color="gray"
          size="xs"
          pending={resend.isPending}
          pendingLabel={t('teams.invite.pending')}
          onClick={() => resend.mutate(id, { onSuccess: sent, onError: refused })}
        >
          {t('teams.invitations.resend')}
          <span className="hf-sr-only"> {email}</span>
        </ActionButton>
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          onClick={() =>
            // the row is gone by then, and what it would do then with it
            void withdraw.mutateAsync(id).then(
              () =>
                showToast({
                  subject,
                  state: 'idle',
                  message: t('teams.invitations.withdrawn', { email }),
                  staysMs: 10_000,
                  action: {
                    label: t('teams.invitations.again'),
                    run: () => void invite.mutateAsync({ email, role }).then(sent, refused),
                  },
                }),
              refused,
            )
          }
        >
          {t('teams.invitations.withdraw')}
          <span className="hf-sr-only"> {email}</span>
        </Button>
      </span>
    </li>
  );
}
