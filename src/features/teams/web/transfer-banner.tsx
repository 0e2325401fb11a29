import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { useRefusal } from '#ui/refusal.tsx';
import { showToast } from '#ui/toasts.tsx';
import { useAcceptTransfer, useWithdrawTransfer, type WholeTeam } from './queries.ts';

/** The offered transfer of a team: shown to the new owner, who decides, and to the owner, who can withdraw it. */
export function TransferBanner({ whole, ownId }: { whole: WholeTeam; ownId: string | undefined }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { team, transfer } = whole;
  const accept = useAcceptTransfer(team.id);
  const withdraw = useWithdrawTransfer(team.id);
  if (transfer === null) return null;
  const refused = (error: unknown) => showToast({ subject: 'transfer', state: 'bad', ...refusal(error) });
  const isAsked = transfer.to.user_id === ownId;
  return (
    <Banner
      state="pending"
      actions={
        <>
          <Button size="xs" variant="default" onClick={() => withdraw.mutate(undefined, { onError: refused })}>
            {isAsked ? t('teams.transfer.decline') : t('teams.transfer.withdraw')}
          </Button>
          {isAsked ? (
            <ActionButton
              type="button"
              size="xs"
              pending={accept.isPending}
              pendingLabel={t('teams.transfer.accepting')}
              onClick={() =>
                void accept.mutateAsync(undefined).then(
                  () =>
                    showToast({
                      subject: 'transfer',
                      state: 'ok',
                      message: t('teams.transfer.done', { team: team.name }),
                    }),
                  refused,
                )
              }
            >
              {t('teams.transfer.accept')}
            </ActionButton>
          ) : null}
        </>
      }
    >
      {isAsked
        ? t('teams.transfer.asked', { team: team.name })
        : t('teams.transfer.waiting', { name: transfer.to.name })}
    </Banner>
  );
}
