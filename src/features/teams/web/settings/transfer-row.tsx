import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { SelectField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type Member, useOfferTeam, type WholeTeam } from '../queries.ts';
import styles from '../teams.module.css';

/** Asks one of the others to own the team. */
export function TransferRow({ whole: { team, members, transfer } }: { whole: WholeTeam }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offer = useOfferTeam(team.id);
  const others = members.filter(({ role }) => role !== 'owner');
  const [chosen, setChosen] = useState<Member['user_id']>();
  const to = others.find(({ user_id }) => user_id === chosen) ?? others[0];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (to === undefined) return;
    offer.mutate(to.user_id, {
      onSuccess: () =>
        showToast({ subject: 'transfer', state: 'ok', message: t('teams.transfer.sent', { name: to.name }) }),
      onError: (error) => showToast({ subject: 'transfer', state: 'bad', message: errorText(error) }),
    });
  };
  return (
    <form className={styles.line} onSubmit={submit}>
      <div className={styles.lineWords}>
        <h3>{t('teams.transfer.title')}</h3>
        <p>{others.length === 0 ? t('teams.transfer.nobody') : t('teams.transfer.text')}</p>
      </div>
      {to === undefined ? null : (
        <span className={styles.rowActions}>
          <SelectField
            aria-label={t('teams.transfer.to')}
            value={to.user_id}
            data={others.map(({ user_id, name }) => ({ value: user_id, label: name }))}
            onChange={(event) => setChosen(event.currentTarget.value as Member['user_id'])}
          />
          <ActionButton
            variant="default"
            pending={offer.isPending}
            pendingLabel={t('teams.transfer.sending')}
            disabled={transfer?.to.user_id === to.user_id}
          >
            {t('teams.transfer.ask')}
          </ActionButton>
        </span>
      )}
    </form>
  );
}
