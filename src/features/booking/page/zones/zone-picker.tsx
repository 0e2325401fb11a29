import { useEffect, useRef, useState } from 'react';
import { numberOfDay } from '../../rules/month-days.ts';
import { Glyph } from '../glyph.tsx';
import { GoLink } from '../go-link.tsx';
import { useReading } from '../reading.tsx';
import type { Visit } from '../use-visit.ts';
import type { ZoneSearch } from './zone-search.tsx';

/** In which zone times are shown, and the way to another one. The search is loaded once it is wanted. */
export function ZonePicker({ visit }: { visit: Visit }) {
  const { say, moments, reading } = useReading();
  const { place } = visit;
  const at = shownMinute(visit);
  const change = useRef<HTMLAnchorElement>(null);
  const wasOpen = useRef(place.zones);
  const hasList = visit.data.zones.length > 0;
  const [Search, setSearch] = useState<typeof ZoneSearch | null>(null);
  useEffect(() => {
    if (wasOpen.current && !place.zones) change.current?.focus();
    wasOpen.current = place.zones;
  }, [place.zones]);
  useEffect(() => {
    if (!place.zones || Search !== null) return;
    void import('./zone-search.tsx').then(
      (loaded) => setSearch(() => loaded.ZoneSearch),
      // the page at this address has a list that needs no more script
      () => hasList || location.reload(),
    );
  }, [place.zones, Search, hasList]);
  if (!place.zones || (Search === null && !hasList)) {
    return (
      <p className="zone">
        <Glyph name="globe" />
        <span suppressHydrationWarning>
          <span className="only-read">{say('zone')}: </span>
          {say('zone.name', moments.zoneName(reading.zone, at))}
        </span>
        <noscript>{say('zone.of-host', { host: visit.data.host.name })}</noscript>
        <GoLink to={visit.linkTo({ zones: true })} rel="nofollow" ref={change}>
          {say('zone.change')}
          <span className="only-read"> {say('zone')}</span>
        </GoLink>
      </p>
    );
  }
  return Search === null ? <ZoneList visit={visit} at={at} /> : <Search visit={visit} />;
}

/**
 * Returns the minute whose offset is shown: the chosen time, else the first of the chosen day, else that day or month.
 */
function shownMinute({ place, free }: Visit): number {
  const { slot, day, month } = place;
  return slot ?? free.get(day ?? '')?.[0] ?? numberOfDay(day ?? `${month}-01`) * 1440 + 720;
}

/** The same for visitors without script. */
function ZoneList({ visit, at }: { visit: Visit; at: number }) {
  const { say, moments, reading } = useReading();
  const { data, place } = visit;
  const { tz: _, ...carried } = data.carried;
  return (
    <form className="zone" method="get" action={data.path}>
      <label htmlFor="zone">{say('zone.choose')}</label>
      {Object.entries({
        ...carried,
        month: place.month,
        ...(place.day === null ? {} : { day: place.day }),
        ...(place.all ? { all: '1' } : {}),
      }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div>
        <select id="zone" name="tz" defaultValue={reading.zone}>
          {data.zones.map(({ zone, name }) => (
            <option key={zone} value={zone} suppressHydrationWarning>
              {name} {zone === reading.zone ? `(${moments.zoneName(zone, at).offset})` : ''}
            </option>
          ))}
        </select>
        <button type="submit" className="button">
          {say('zone.use')}
        </button>
      </div>
    </form>
  );
}
