import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import type { State } from '#ui/state.ts';
import type { Health } from '../../health/rules.ts';

export const stateOfHealth: Record<Health, State> = {
  healthy: 'ok',
  degraded: 'pending',
  warning: 'warn',
  critical: 'bad',
};

export function HealthBadge({ status }: { status: Health }) {
  const { t } = useTranslation();
  return <StateBadge state={stateOfHealth[status]}>{t(`adminHealth.status.${status}`)}</StateBadge>;
}
