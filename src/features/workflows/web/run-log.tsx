import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { ActionButton } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { formatMoment } from '#ui/format.ts';
import { Panel } from '#ui/page.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import type { State } from '#ui/state.ts';
import { showToast } from '#ui/toasts.tsx';
import { camel, keyOf } from './describe-workflow.ts';
import { type Run, type RunState, useRetryRun, useRuns, type Workflow } from './queries.ts';
import styles from './workflow-editor.module.css';

const choices = ['all', 'waiting', 'done', 'skipped', 'dead'] as const;

const looks: Record<Run['state'], { state: State; word: 'waiting' | 'working' | 'done' | 'skipped' | 'dead' }> = {
  planned: { state: 'pending', word: 'waiting' },
  claimed: { state: 'working', word: 'working' },
  handed: { state: 'working', word: 'working' },
  done: { state: 'ok', word: 'done' },
  skipped: { state: 'idle', word: 'skipped' },
  dead: { state: 'bad', word: 'dead' },
};

/** The log of a workflow: runs that are done, planned or skipped, with reasons. */
export function RunLog({ workflow }: { workflow: Workflow }) {
  const { t } = useTranslation();
  const [choice, setChoice] = useState<(typeof choices)[number]>('all');
  const state: RunState | undefined = choice === 'all' ? undefined : choice;
  const found = useRuns(workflow.id, state);
  const runs = found.data?.pages.flatMap((page) => page.runs);
  return (
    <>
      <Segmented
        aria-label={t('workflows.log.filter')}
        size="xs"
        value={choice}
        data={choices.map((one) => ({ value: one, label: t(`workflows.log.${one}`) }))}
        onChange={(next) => setChoice(next as typeof choice)}
      />
      <Panel flush={(runs?.length ?? 0) > 0 || (runs === undefined && !found.error)}>
        {runs === undefined ? (
          found.error ? (
            <ErrorState
              title={t('workflows.log.loadFailed')}
              error={found.error}
              onRetry={() => void found.refetch()}
            />
          ) : (
            <SkeletonRows rows={4} label={t('workflows.loading')} />
          )
        ) : runs.length === 0 ? (
          <EmptyState art="meetings" title={t('workflows.log.emptyTitle')} text={t('workflows.log.emptyText')} />
        ) : (
          <>
            <h2 className="hf-sr-only">{t('workflows.log.title')}</h2>
            <ul className={styles.runs}>
              {runs.map((run) => (
                <RunRow key={run.id} run={run} />
              ))}
            </ul>
            {found.hasNextPage ? (
              <div className={styles.foot}>
                <ActionButton
                  type="button"
                  variant="default"
                  size="xs"
                  pending={found.isFetchingNextPage}
                  pendingLabel={t('workflows.loading')}
                  onClick={() => void found.fetchNextPage()}
                >
                  {t('workflows.log.more')}
                </ActionButton>
              </div>
            ) : null}
          </>
        )}
      </Panel>
    </>
  );
}

function RunRow({ run }: { run: Run }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const preferences = usePreferences();
  const retry = useRetryRun();
  const at = (ms: number) => formatMoment(ms, preferences);
  const { state, word } = looks[run.state];
  const reason = (code: string) => t(`workflows.reason.${camel(code)}`, { defaultValue: code });
  return (
    <li className={styles.run}>
      <p className={styles.runHead}>
        <StateBadge state={state}>{t(`workflows.log.${word}`)}</StateBadge>
        <span>{run.guest === null ? run.about : t('workflows.log.with', { title: run.about, guest: run.guest })}</span>
      </p>
      <p className={styles.hint}>
        {t('workflows.log.step', {
          n: run.step,
          action: t(`workflows.action.${keyOf(run.kind)}`),
          version: run.version,
        })}
        {' · '}
        {t('workflows.log.due', { at: at(run.due_at) })}
        {run.next_at === null ? '' : ` · ${t('workflows.log.next', { at: at(run.next_at) })}`}
      </p>
      {run.reason === null ? null : <p>{reason(run.reason)}</p>}
      {run.attempts.length === 0 && run.mails.length === 0 && run.delivery === null ? null : (
        <ul className={styles.attempts}>
          {run.attempts.map((attempt) => (
            <li key={attempt.at}>
              {at(attempt.at)}: {t(`workflows.outcome.${attempt.outcome}`)}
              {attempt.reason === null ? '' : ` (${reason(attempt.reason)})`}
            </li>
          ))}
          {run.delivery === null ? null : (
            <li>
              {t('workflows.log.delivery', {
                status: t(`workflows.delivery.${run.delivery.status}`, { defaultValue: run.delivery.status }),
              })}
              {run.delivery.error_code === null
                ? ''
                : ` (${t('workflows.log.errorCode', { code: run.delivery.error_code })})`}
            </li>
          )}
          {run.mails.map((mail) => (
            <li key={mail.to}>
              {t('workflows.log.mail', { to: mail.to, state: t(`workflows.mail.${mail.state}`), count: mail.attempts })}
              {mail.error === null ? '' : ` (${mail.error})`}
            </li>
          ))}
        </ul>
      )}
      {run.state === 'dead' ? (
        <span>
          <ActionButton
            type="button"
            variant="default"
            size="xs"
            pending={retry.isPending}
            pendingLabel={t('workflows.log.retrying')}
            onClick={() =>
              retry.mutate(run.id, {
                onError: (error) => showToast({ subject: `run ${run.id}`, state: 'bad', message: errorText(error) }),
              })
            }
          >
            {t('workflows.log.retry')}
          </ActionButton>
        </span>
      ) : null}
    </li>
  );
}
