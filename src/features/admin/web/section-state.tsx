import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#kernel/contract-client.ts';
import { Banner } from '#ui/banner.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';

/** A section of the console before its answer is there, or without one. */
export function SectionState<Data>({
  query,
  failed,
  asks,
  children,
}: {
  query: UseQueryResult<Data>;
  /** The text for a failed query. */
  failed: string;
  /** The filters. Absent while there is nothing to filter. */
  asks?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const { t } = useTranslation();
  if (query.data === undefined && query.error instanceof ApiError && query.error.code === 'MFA_NEEDED')
    return <Banner state="info">{t('admin.mfaNeeded')}</Banner>;
  return (
    <>
      {asks}
      {query.data !== undefined ? (
        children(query.data)
      ) : (
        <Panel>
          {query.error ? (
            <ErrorState title={failed} error={query.error} onRetry={() => void query.refetch()} />
          ) : (
            <SkeletonRows rows={6} label={t('shell.loading')} />
          )}
        </Panel>
      )}
    </>
  );
}
