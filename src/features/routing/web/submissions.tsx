import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { submissionFilters } from '#features/routing/rules/submission-endpoints.ts';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { type Form, type Submission, useSubmissions } from './queries.ts';
import styles from './routing.module.css';
import { SubmissionRow } from './submission-row.tsx';

const filters = ['all', ...submissionFilters] as const;

/** Submissions of a form, with their decisions and reasons. */
export function Submissions({ form }: { form: Form }) {
  const { t } = useTranslation();
  const [filter, setFilter] = useState<(typeof filters)[number]>('all');
  const [pages, setPages] = useState<readonly (Submission['id'] | undefined)[]>([undefined]);
  const found = useSubmissions(form.id, filter === 'all' ? undefined : filter, pages.at(-1));
  const rows = found.data?.submissions;
  return (
    <>
      <Segmented
        aria-label={t('routing.submissions.filter')}
        size="xs"
        value={filter}
        data={filters.map((value) => ({ value, label: t(`routing.filtered.${value}`) }))}
        onChange={(next) => {
          setFilter(next as typeof filter);
          setPages([undefined]);
        }}
      />
      <Panel flush={(rows?.length ?? 0) > 0 || (rows === undefined && !found.error)}>
        {rows === undefined ? (
          found.error ? (
            <ErrorState
              title={t('routing.submissions.loadFailed')}
              error={found.error}
              onRetry={() => void found.refetch()}
            />
          ) : (
            <SkeletonRows rows={4} label={t('routing.loading')} />
          )
        ) : rows.length === 0 ? (
          <EmptyState
            art="mail"
            title={t('routing.submissions.emptyTitle')}
            text={filter === 'all' ? t('routing.submissions.emptyText') : t('routing.submissions.emptyFiltered')}
          />
        ) : (
          <>
            <h2 className="hf-sr-only">{t('routing.submissions.title')}</h2>
            <ul className={styles.list}>
              {rows.map((submission) => (
                <SubmissionRow key={submission.id} submission={submission} form={form} />
              ))}
            </ul>
          </>
        )}
      </Panel>
      {pages.length > 1 || found.data?.more ? (
        <div className={styles.line}>
          {pages.length > 1 ? (
            <Button variant="default" onClick={() => setPages(pages.slice(0, -1))}>
              {t('routing.submissions.before')}
            </Button>
          ) : null}
          {found.data?.more ? (
            <Button variant="default" onClick={() => setPages([...pages, rows?.at(-1)?.id])}>
              {t('routing.submissions.after')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </>
  );
}
