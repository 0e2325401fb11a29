import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#kernel/contract-client.ts';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { showToast } from '#ui/toasts.tsx';
import { ActionFields } from './editor/action-fields.tsx';
import { type Action, type Form, type Submission, useReroute, useTakers, useTargets } from './queries.ts';
import styles from './routing.module.css';

/** Decides otherwise than the rules did: where the guest is led, or who has what they have booked. */
export function RerouteDialog({
  submission,
  form,
  who,
  onClose,
}: {
  submission: Submission;
  form: Form;
  who: string;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const formId = useId();
  const choice = useId();
  const reroute = useReroute();
  const { booking } = submission;
  const [action, setAction] = useState<Action>(
    submission.action ?? { kind: 'message', text: t('routing.action.thanks') },
  );
  const [chosen, setChosen] = useState<string>();
  const targets = useTargets(form.team_id).data?.targets;
  const found = useTakers(booking?.booking_id);
  const takers = found.data?.takers ?? [];
  const to = takers.find(({ user_id }) => user_id === chosen) ?? takers.find(({ free }) => free);
  const fields = reroute.error instanceof ApiError ? reroute.error.fields : {};
  const isReady = booking === null || to !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || reroute.isPending) return;
    const { id, sequence } = submission;
    reroute.mutate(
      { id, body: { sequence, ...(booking === null ? { action } : { to_user_id: to?.user_id }) } },
      {
        onSuccess: (answer) => {
          showToast({
            subject: `submission ${id}`,
            state: 'ok',
            message:
              booking === null
                ? t('routing.reroute.done', { who, to: answer.submission.leads_to })
                : t('routing.reroute.given', { who, to: to?.name }),
          });
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('routing.reroute.title', { who })}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('routing.cancel')}
          </Button>
          <ActionButton
            form={formId}
            pending={reroute.isPending}
            pendingLabel={t('routing.reroute.pending')}
            disabled={!isReady}
          >
            {t('routing.reroute.open')}
          </ActionButton>
        </>
      }
    >
      <form onInput={forgetRefusal(reroute)} id={formId} className={styles.form} onSubmit={submit} noValidate>
        {booking === null ? (
          <>
            <p className={styles.hint}>{t('routing.reroute.text')}</p>
            <ActionFields
              action={action}
              type="conditional"
              targets={targets}
              wrong={(part) => fields[`action${part}`]}
              onChange={setAction}
            />
          </>
        ) : found.data === undefined ? (
          found.error ? (
            <ErrorState title={t('routing.reroute.failed')} error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <SkeletonRows rows={3} label={t('routing.loading')} />
          )
        ) : (
          <fieldset className={styles.group}>
            <legend className={styles.legend}>{t('routing.reroute.to')}</legend>
            {takers.map(({ user_id: id, name, free }) => (
              <label key={id} className={styles.choice}>
                <input
                  type="radio"
                  name={choice}
                  disabled={!free}
                  checked={to?.user_id === id}
                  onChange={() => setChosen(id)}
                />
                <span>
                  {name}
                  {free ? null : <span className={styles.dim}> · {t('routing.reroute.busy')}</span>}
                </span>
              </label>
            ))}
            {to === undefined ? <p className={styles.hint}>{t('routing.reroute.nobody')}</p> : null}
          </fieldset>
        )}
        {reroute.isError ? (
          <p className={styles.refused} role="alert">
            {errorText(reroute.error)}
          </p>
        ) : null}
      </form>
    </Dialog>
  );
}
