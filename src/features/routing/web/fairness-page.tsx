import { IconArrowLeft } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { SelectField } from '#ui/text-field.tsx';
import { FairnessTable } from './fairness-table.tsx';
import { targetsQuery, useFairness, useForms } from './queries.ts';
import styles from './routing.module.css';
import { LinkButton } from './routing-link.tsx';

const spans = [30, 90, 365] as const;
const dayMs = 86_400_000;

/** How what was booked with a round robin was shared out. */
export function FairnessPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search: { type?: string; days?: (typeof spans)[number] } = useSearch({ strict: false });
  const days = search.days ?? 30;
  const forms = useForms();
  const teams = forms.data?.teams ?? [];
  const lists = useQueries({ queries: teams.map(({ team_id: teamId }) => targetsQuery(teamId)) });
  const types = teams.flatMap((team, at) =>
    (lists[at]?.data?.targets ?? [])
      .filter(({ kind }) => kind === 'round-robin')
      .map((target) => ({ ...target, label: teams.length > 1 ? `${team.name}: ${target.title}` : target.title })),
  );
  const type = types.find(({ event_type_id }) => event_type_id === search.type) ?? types[0];
  // to the end of the next minute: another moment would be another question, and this clock may be 20 s behind
  const to = (Math.floor(useNowMs() / 60_000) + 2) * 60_000;
  const found = useFairness(type?.event_type_id, to - days * dayMs, to);
  const error = forms.error ?? lists.find((list) => list.error)?.error ?? found.error;
  const isListed = forms.data !== undefined && lists.every((list) => list.data !== undefined);
  const go = (next: typeof search) => void navigate({ to: '/routing/fairness', search: next, replace: true });
  return (
    <Page
      title={t('routing.fairness.title')}
      subtitle={t('routing.fairness.subtitle')}
      actions={
        <LinkButton to="/routing" variant="subtle" color="gray" leftSection={<IconArrowLeft size={16} aria-hidden />}>
          {t('routing.title')}
        </LinkButton>
      }
    >
      {types.length === 0 ? null : (
        <div className={styles.line}>
          <SelectField
            className={styles.filter}
            aria-label={t('routing.field.type')}
            value={type?.event_type_id ?? ''}
            data={types.map(({ event_type_id: value, label }) => ({ value, label }))}
            onChange={(event) => go({ ...search, type: event.currentTarget.value })}
          />
          <Segmented
            aria-label={t('routing.fairness.span')}
            value={String(days)}
            data={spans.map((span) => ({ value: String(span), label: t('routing.fairness.days', { count: span }) }))}
            onChange={(value) => go({ ...search, days: Number(value) as typeof days })}
          />
        </div>
      )}
      <Panel flush={found.data !== undefined || !isListed}>
        {error && (found.data === undefined || !isListed) ? (
          <ErrorState
            title={t('routing.fairness.loadFailed')}
            error={error}
            onRetry={() => void Promise.all([forms.refetch(), found.refetch(), ...lists.map((list) => list.refetch())])}
          />
        ) : isListed && type === undefined ? (
          <EmptyState
            art="meetings"
            title={t('routing.fairness.emptyTitle')}
            text={t('routing.fairness.emptyText')}
            action={<LinkButton to="/booking-links">{t('routing.create.toTypes')}</LinkButton>}
          />
        ) : found.data === undefined ? (
          <SkeletonRows rows={4} label={t('routing.loading')} />
        ) : (
          <FairnessTable report={found.data} />
        )}
      </Panel>
    </Page>
  );
}
