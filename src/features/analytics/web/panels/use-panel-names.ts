import { useTranslation } from 'react-i18next';
import { funnelStages, meetingSources, type Panel, trendSeries } from '../../rules/measures.ts';
import { useFigureText } from './use-figure-text.ts';

export function usePanelNames(): Record<Panel, string> {
  const { t } = useTranslation();
  return {
    'booking-trends': t('analytics.trends.title'),
    'popular-time-slots': t('analytics.slots.title'),
    'total-meetings': t('analytics.kpi.total'),
    'no-show-rate': t('analytics.kpi.noShow'),
    'avg-booking-time': t('analytics.kpi.lead'),
    'conversion-rate': t('analytics.kpi.conversion'),
    funnel: t('analytics.funnel.title'),
    'calendar-health': t('analytics.health.title'),
    'conflict-prevention': t('analytics.conflicts.title'),
    'meeting-sources': t('analytics.sources.title'),
    'capacity-utilization': t('analytics.capacity.title'),
    'participant-insights': t('analytics.people.title'),
    'meeting-forecast': t('analytics.forecast.title'),
  };
}

/** The name of a part of a figure; a domain is its own name. */
export function usePartText(panel: Panel): (part: string) => string {
  const { t } = useTranslation();
  const { hour, weekdays, wholeDay } = useFigureText();
  return (part) => {
    if (panel === 'popular-time-slots') {
      const [first = '', second] = part.split(' ');
      return second === undefined ? hour(Number(first)) : `${weekdays[Number(first)] ?? ''} ${hour(Number(second))}`;
    }
    if (panel === 'meeting-forecast') return /^\d{4}-\d\d-\d\d$/.test(part) ? wholeDay(part) : part;
    const series = trendSeries.find((one) => one === part);
    if (panel === 'booking-trends' && series) return t(`analytics.series.${series}`);
    const source = meetingSources.find((one) => one === part);
    if (panel === 'meeting-sources' && source) return t(`analytics.source.${source}`);
    const stage = funnelStages.find((one) => one === part);
    if ((panel === 'funnel' || panel === 'conversion-rate') && stage) return t(`analytics.stage.${stage}`);
    const words: Record<string, string> = {
      created: t('analytics.part.created'),
      held: t('analytics.stage.held'),
      'no-show': t('analytics.part.noShow'),
      cancelled: t('analytics.part.cancelled'),
      'lead time in days': t('analytics.part.leadTime'),
      hours: t('analytics.part.hours'),
      ok: t('analytics.health.synced'),
      syncing: t('analytics.health.synced'),
      error: t('analytics.health.reconnect'),
      rejected: t('analytics.conflicts.rejected'),
      masked: t('analytics.conflicts.masked'),
      new: t('analytics.people.new'),
      repeat: t('analytics.people.repeat'),
    };
    return words[part] ?? part;
  };
}
