import { useTranslation } from 'react-i18next';
import { Button, type ButtonProps } from '#ui/button.tsx';
import { useTypeDesk } from '#ui/type-desk.ts';

/** Makes something that can be booked, over the dashboard. */
export function CreateType({ variant }: Pick<ButtonProps, 'variant'>) {
  const { t } = useTranslation();
  const openType = useTypeDesk();
  if (openType === null) return null;
  return (
    <Button variant={variant} size="xs" onClick={() => openType('new')}>
      {t('analytics.createType')}
    </Button>
  );
}
