import { useTranslation } from 'react-i18next';
import type { ServiceName } from '../rules/health.ts';

/** What a part of the system is called: its provider's name, or ours. */
export function usePartName() {
  const { t } = useTranslation();
  return ({ name, label }: { name: ServiceName; label: string | null }) => label ?? t(`adminHealth.service.${name}`);
}
