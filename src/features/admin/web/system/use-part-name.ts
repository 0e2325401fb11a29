import { useTranslation } from 'react-i18next';
import type { ServiceName } from '../../health/rules.ts';

/** The name of a part of the system: its provider's name, or ours. */
export function usePartName() {
  const { t } = useTranslation();
  return ({ name, label }: { name: ServiceName; label: string | null }) => label ?? t(`adminHealth.service.${name}`);
}
