import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#ui/empty-state.tsx';

export function NotFound() {
  const { t } = useTranslation();
  return (
    <main>
      <EmptyState
        art="missing"
        title={t('shell.notFound.title')}
        text={t('shell.notFound.text')}
        link={<Link to="/">{t('shell.goToStart')}</Link>}
      />
    </main>
  );
}
