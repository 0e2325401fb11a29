import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { formatDay, formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { showToast } from '#ui/toasts.tsx';
import { calendarName } from './calendar-label.tsx';
import type { GroupDraft } from './group-draft.ts';
import { type Diff, type Group, type NamedCalendar, usePreviewGroup, useSaveGroup } from './queries.ts';
import styles from './review-dialog.module.css';

export interface ReviewDialogProps {
  group: Group | null;
  draft: GroupDraft;
  calendars: NamedCalendar[];
  onSaved: () => void;
  onClose: () => void;
}

/** The dry run: what saving would write and remove, before it is saved. */
export function ReviewDialog({ group, draft, calendars, onSaved, onClose }: ReviewDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { mutate: ask, ...preview } = usePreviewGroup();
  const save = useSaveGroup();
  const groupId = group?.groupId ?? null;

  useEffect(() => ask({ groupId, input: draft }), [ask, groupId, draft]);

  const diff = preview.data?.diff;
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('sync.review.title')}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('sync.review.back')}
          </Button>
          {diff ? (
            <ActionButton
              type="button"
              pending={save.isPending}
              pendingLabel={t('sync.review.saving')}
              onClick={() =>
                save.mutate(
                  { group, input: draft },
                  {
                    onSuccess: () => {
                      showToast({ subject: 'mirror group', state: 'ok', message: t('sync.review.saved') });
                      onSaved();
                    },
                  },
                )
              }
            >
              {t('sync.review.save')}
            </ActionButton>
          ) : null}
        </>
      }
    >
      {save.error ? (
        <Banner state="bad" role="alert" title={t('sync.review.failed')}>
          {errorText(save.error)}
        </Banner>
      ) : null}
      {preview.error ? (
        <ErrorState
          title={t('sync.review.previewFailed')}
          error={preview.error}
          onRetry={() => ask({ groupId, input: draft })}
        />
      ) : null}
      {diff ? <DiffView diff={diff} calendars={calendars} /> : null}
      {!diff && !preview.error ? <SkeletonRows rows={3} label={t('sync.review.counting')} /> : null}
    </Dialog>
  );
}

function DiffView({ diff, calendars }: { diff: Diff; calendars: NamedCalendar[] }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const currentMs = useNowMs();
  const words: Record<Diff['examples'][number]['action'], string> = {
    create: t('sync.review.create'),
    update: t('sync.review.update'),
    delete: t('sync.review.delete'),
  };
  const changes = diff.create + diff.update + diff.delete;
  const quiet = changes === 0;
  const more = changes - diff.examples.length;
  return (
    <>
      <p className={styles.sum} role="status">
        {quiet
          ? t('sync.review.nothing', { count: diff.unchanged })
          : t('sync.review.sum', { create: diff.create, update: diff.update, delete: diff.delete })}
      </p>
      {diff.examples.length > 0 ? (
        <ul className={styles.examples} aria-label={t('sync.review.examples')}>
          {diff.examples.map((example) => (
            <li key={`${example.action} ${example.targetCalendarId} ${example.startsAt} ${example.title}`}>
              <span className={styles.action} data-action={example.action}>
                {words[example.action]}
              </span>
              <span className={styles.what}>{example.title.trim() || t('sync.review.untitled')}</span>
              <span className={styles.where}>
                {calendarName(calendars, example.targetCalendarId, t('sync.unknownCalendar'))}
                {example.startsAt
                  ? ` · ${formatDay(msOfInstant(example.startsAt), preferences, currentMs)}, ${formatTime(msOfInstant(example.startsAt), preferences)}`
                  : ''}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {more > 0 ? <p className={styles.more}>{t('sync.review.more', { count: more })}</p> : null}
    </>
  );
}
