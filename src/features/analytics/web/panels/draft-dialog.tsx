import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Hours, weekdays } from '#features/availability/rules/hours.ts';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { formatTime } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { showToast } from '#ui/toasts.tsx';
import { useBoard } from '../board.ts';
import { useDraft, useSaveDraft } from '../queries.ts';
import styles from './draft-dialog.module.css';
import { useFigureText } from './use-figure-text.ts';

/** Hours that are asked for a lot and closed, as a draft of the next version: what would change, and nothing until it is saved. */
export function DraftDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const { asked, view } = useBoard();
  const { hour, weekdays: names } = useFigureText();
  const found = useDraft(asked, view);
  const save = useSaveDraft();
  const hoursText = useDayHours();
  const draft = found.data;
  const submit = () => {
    if (draft === undefined) return;
    save.mutate(
      { draft, name: t('analytics.draft.name'), note: t('analytics.draft.note') },
      {
        onSuccess: () => {
          showToast({
            subject: 'draft',
            state: 'ok',
            message: t('analytics.draft.saved', { version: draft.version + 1 }),
            action: { label: t('analytics.draft.look'), run: () => void navigate({ to: '/availability' }) },
          });
          onClose();
        },
        onError: () => void found.refetch(),
      },
    );
  };
  const nothing = draft?.added.length === 0;
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('analytics.draft.title')}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {nothing ? t('analytics.close') : t('analytics.cancel')}
          </Button>
          {draft === undefined || nothing ? null : (
            <ActionButton type="button" pending={save.isPending} pendingLabel={t('analytics.saving')} onClick={submit}>
              {t('analytics.draft.save', { version: draft.version + 1 })}
            </ActionButton>
          )}
        </>
      }
    >
      {draft === undefined ? (
        found.error ? (
          <ErrorState title={t('analytics.draft.failed')} error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <SkeletonRows rows={6} label={t('analytics.draft.loading')} />
        )
      ) : nothing ? (
        <p className={styles.text}>{t('analytics.draft.nothing')}</p>
      ) : (
        <div className={styles.draft}>
          <p className={styles.text}>
            {t('analytics.draft.text', { zone: draft.after.timezone.replaceAll('_', ' ') })}
          </p>
          <table className={styles.table}>
            <caption className="hf-sr-only">{t('analytics.draft.title')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('analytics.draft.day')}</th>
                <th scope="col">{t('analytics.draft.before')}</th>
                <th scope="col">{t('analytics.draft.after')}</th>
              </tr>
            </thead>
            <tbody>
              {weekdays.map((weekday, n) => {
                const [before, after] = [hoursText(draft.before, weekday), hoursText(draft.after, weekday)];
                const added = draft.added.filter((one) => one.weekday === weekday);
                return (
                  <tr key={weekday} data-changed={before !== after || undefined}>
                    <th scope="row">{names[n]}</th>
                    <td>{before}</td>
                    <td>
                      {after}
                      {added.map((one) => (
                        <span key={one.hour} className={styles.added}>
                          {t('analytics.draft.added', { hour: hour(one.hour), count: one.count })}
                        </span>
                      ))}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
          {save.error ? (
            <p className={styles.error} role="alert">
              {errorText(save.error)}
            </p>
          ) : null}
        </div>
      )}
    </Dialog>
  );
}

function useDayHours(): (hours: Hours, weekday: (typeof weekdays)[number]) => string {
  const { t } = useTranslation();
  const reading = { ...usePreferences(), zone: 'UTC' };
  const time = (wall: string) => {
    const [hours = 0, minutes = 0] = wall.split(':').map(Number);
    return formatTime((hours * 60 + minutes) * 60_000, reading);
  };
  return (hours, weekday) => {
    const { enabled, intervals } = hours.weekly[weekday];
    return enabled && intervals.length > 0
      ? intervals.map(({ start, end }) => `${time(start)} – ${time(end)}`).join(', ')
      : t('analytics.draft.closed');
  };
}
