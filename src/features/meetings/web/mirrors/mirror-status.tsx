import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import type { State } from '#ui/state.ts';
import type { MirrorRow } from '../queries.ts';

const states: Record<MirrorRow['status'], State> = {
  created: 'ok',
  pending: 'pending',
  failed: 'bad',
  skipped: 'idle',
};

/** created green, pending amber, failed red, skipped grey; each with its word. */
export function MirrorStatus({ status }: { status: MirrorRow['status'] }) {
  const { t } = useTranslation();
  const words: Record<MirrorRow['status'], string> = {
    created: t('meetings.status.created'),
    pending: t('meetings.status.pending'),
    failed: t('meetings.status.failed'),
    skipped: t('meetings.status.skipped'),
  };
  return <StateBadge state={states[status]}>{words[status]}</StateBadge>;
}
