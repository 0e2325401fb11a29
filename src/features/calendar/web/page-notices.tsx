import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { usePreferences } from '#ui/preferences.tsx';
import type { CalendarNoticesProps } from './calendar-notices.tsx';
import { travelledTo } from './is-travelling.ts';
import type { CalendarData } from './use-calendar-data.ts';
import type { CalendarPlace } from './use-calendar-place.ts';
import type { MissingEvent } from './use-opened-event.ts';

const CalendarNotices = lazy(async () => ({ default: (await import('./calendar-notices.tsx')).CalendarNotices }));
const TravelNotice = lazy(async () => ({ default: (await import('./travel-notice.tsx')).TravelNotice }));

export interface PageNoticesProps {
  place: CalendarPlace;
  data: CalendarData;
  nowMs: number;
  visibilityFailed: boolean;
  preferencesFailed: boolean;
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
