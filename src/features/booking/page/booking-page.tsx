import { useEffect, useRef } from 'react';
import { sayDuration } from '../rules/fill-words.ts';
import type { BookingData } from '../rules/visit-data.ts';
import { BookingForm } from './booking-form.tsx';
import { DayStrip } from './day-strip.tsx';
import { GoLink } from './go-link.tsx';
import { About, HostCard } from './host-card.tsx';
import { MonthGrid } from './month-grid.tsx';
import { Overlay } from './overlay.tsx';
import { ReadingProvider, useReading } from './reading.tsx';
import { SlotList } from './slot-list.tsx';
import { tellHeight } from './tell-height.ts';
import { useFilling } from './use-filling.ts';
import { useVisit, type Visit } from './use-visit.ts';
import { ZonePicker } from './zones/zone-picker.tsx';

/** A time of somebody's: choose one, say who comes, done. */
export function BookingPage({ data }: { data: BookingData }) {
  const visit = useVisit(data);
  const { embedded } = data;
  // the site around it is told how tall the page is
  useEffect(() => (embedded === null ? undefined : tellHeight(embedded)), [embedded]);
  return (
    <ReadingProvider words={data.words} reading={visit.reading}>
      <Parts data={data} visit={visit} />
    </ReadingProvider>
  );
}

function Parts({ data, visit }: { data: BookingData; visit: Visit }) {
  const { say, moments } = useReading();
  const { place } = visit;
  const { moving } = data;
  const booked = moving ?? data.own;
  const filling = useFilling(data, visit);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
  }, []);
  const choosing = place.slot === null;
  // on a phone, where days with times replace the month
  const hasNoDays = visit.free.size === 0 && !visit.isLoading;
  return (
    <main
      className={choosing ? 'card choosing' : 'card filling'}
      data-embedded={data.embedded === null ? undefined : ''}
    >
      <HostCard host={data.host} type={data.type} duration={place.duration} isMoving={moving !== null} />
      {choosing ? (
        <>
          <div className="when">
            {booked === null ? null : (
              <p className="banner" suppressHydrationWarning>
                {say(
                  moving === null
                    ? data.own?.isWaiting
                      ? 'move.own-waiting'
                      : 'move.own'
                    : moving.asks === 'pending'
                      ? 'move.requested'
                      : 'move.now',
                  {
                    time: moments.moment(booked.startMinute),
                  },
                )}{' '}
                {moving?.effect} <a href={booked.backTo}>{say(moving === null ? 'move.view' : 'move.keep')}</a>
              </p>
            )}
            {data.type.durations.length > 1 && moving === null ? <Durations visit={visit} /> : null}
            <DayStrip visit={visit} />
            <div className={place.all || hasNoDays ? 'dates wide' : 'dates'}>
              {hasNoDays ? null : (
                <GoLink to={visit.linkTo({ all: !place.all })} className="more" rel="nofollow">
                  {say(place.all ? 'month.fewer' : 'month.all')}
                </GoLink>
              )}
              <MonthGrid visit={visit} />
            </div>
            <ZonePicker visit={visit} />
          </div>
          <SlotList visit={visit} />
          <Overlay visit={visit} />
        </>
      ) : (
        <BookingForm visit={visit} filling={filling} slot={place.slot ?? 0} isOpened={isShown.current} />
      )}
      <About type={data.type} isChoosing={choosing} />
    </main>
  );
}

function Durations({ visit }: { visit: Visit }) {
  const { say } = useReading();
  return (
    <nav className="durations" aria-label={say('duration')}>
      {visit.data.type.durations.map((minutes) => (
        <GoLink
          key={minutes}
          to={visit.linkTo({ duration: minutes, slot: null })}
          aria-current={visit.place.duration === minutes}
          rel="nofollow"
        >
          {sayDuration(say, minutes)}
        </GoLink>
      ))}
    </nav>
  );
}
