import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { loadWords } from '#ui/load-words.ts';
import { usePreferences } from '#ui/preferences.tsx';
import type { CalendarNoticesProps } from './calendar-notices.tsx';
import { travelledTo } from './is-travelling.ts';
import type { CalendarData } from './use-calendar-data.ts';
import type { CalendarPlace } from './use-calendar-place.ts';
import type { MissingEvent } from './use-opened-event.ts';

const CalendarNotices = lazy(async () => {
  const [part] = await Promise.all([import('./calendar-notices.tsx'), loadWords('notices')]);
  return { default: part.CalendarNotices };
});
const TravelNotice = lazy(async () => {
  const [part] = await Promise.all([import('./travel-notice.tsx'), loadWords('zones')]);
  return { default: part.TravelNotice };
});

export interface PageNoticesProps {
  place: CalendarPlace;
  data: CalendarData;
  nowMs: number;
  visibilityFailed: boolean;
  missing: MissingEvent | undefined;
  /** The person lives in another zone from now on. */
  onMove: (zone: string) => void;
}

/** Whatever has to be said over the events; mostly nothing, and then nothing of it is fetched. */
export function PageNotices({ place, data, nowMs, onMove, ...failed }: PageNoticesProps) {
  const { t } = useTranslation();
  const { zone: own } = usePreferences();
  const { search, change } = place;
  const { shown, isLoading, isThinned, events } = data;
  const device = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const travelled = search.zone === undefined ? travelledTo(own, device, nowMs) : undefined;
  const isEmpty = isThinned && events.length === 0 && !isLoading && !shown.hasFailed;
  const notices: CalendarNoticesProps = {
    ...failed,
    eventsFailed: shown.hasFailed,
    onRetry: shown.refetch,
    truncated: shown.truncated,
    nothingLeft: isEmpty ? (search.q === undefined ? 'filter' : 'search') : undefined,
    onShowAll: () => change({ q: undefined, filter: undefined }, true),
  };
  const hasNotices = Object.values(notices).some((one) => one === true || typeof one === 'string');
  return (
    <>
      <Suspense>
        {travelled === undefined ? null : (
          <TravelNotice
            key={travelled}
            device={travelled}
            own={own}
            onShow={(zone) => change({ zone })}
            onMove={onMove}
          />
        )}
        {hasNotices ? <CalendarNotices {...notices} /> : null}
      </Suspense>
      <p role="status" className="hf-sr-only">
        {isLoading ? t('calendar.loading') : ''}
      </p>
    </>
  );
}
