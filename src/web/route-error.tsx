import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '#ui/error-state.tsx';

/** The error boundary of every route: one broken screen leaves the frame standing. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  return (
    <ErrorState
      title={t('shell.error.title')}
      error={error}
      onRetry={() => {
        reset();
        void router.invalidate();
      }}
    />
  );
}
