import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { presentName } from '#kernel/time/place-zones.ts';
import { numberOfDay } from '../rules/month-days.ts';
import { cityOf, findZones } from './find-zones.ts';
import { Glyph } from './glyph.tsx';
import { GoLink } from './go-link.tsx';
import { useReading } from './reading.tsx';
import type { Visit } from './use-visit.ts';

/** In which zone times are shown, and the way to another one. The list is long, so it comes when it is wanted. */
export function ZonePicker({ visit }: { visit: Visit }) {
  const { say, moments, reading } = useReading();
  const { place } = visit;
  const at = shownMinute(visit);
  const change = useRef<HTMLAnchorElement>(null);
  const wasOpen = useRef(place.zones);
  useEffect(() => {
    if (wasOpen.current && !place.zones) change.current?.focus();
    wasOpen.current = place.zones;
  }, [place.zones]);
  if (!place.zones) {
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
  return visit.isLive ? <ZoneSearch visit={visit} /> : <ZoneList visit={visit} at={at} />;
}

/**
 * Returns the minute whose offset is shown: the chosen time, else the first of the chosen day, else that day or month.
 */
function shownMinute({ place, free }: Visit): number {
  const { slot, day, month } = place;
  return slot ?? free.get(day ?? '')?.[0] ?? numberOfDay(day ?? `${month}-01`) * 1440 + 720;
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** Finds a zone by its city, with the time that it is there now. */
function ZoneSearch({ visit }: { visit: Visit }) {
  const { say, reading } = useReading();
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState(0);
  const [zones] = useState(() => Intl.supportedValuesOf('timeZone'));
  const found = typed.trim() === '' ? [{ zone: reading.zone, city: cityOf(reading.zone) }] : findZones(typed, zones);
  const active = found[Math.min(marked, found.length - 1)];
  const choose = (zone: string | undefined) => {
    if (zone !== undefined) visit.setZone(zone);
    visit.go({ zones: false });
  };
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step !== undefined) setMarked((marked + step + found.length) % Math.max(found.length, 1));
    else if (event.key === 'Enter') choose(active?.zone);
    else if (event.key === 'Escape') choose(undefined);
    else return;
    event.preventDefault();
  };
  return (
    <div className="zone searching">
      <label htmlFor="zone">{say('zone.search')}</label>
      <input
        id="zone"
        role="combobox"
        aria-expanded="true"
        aria-controls="zones"
        aria-autocomplete="list"
        aria-activedescendant={active === undefined ? undefined : optionId(active.zone)}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: it stands where the link was that opened it
        autoFocus
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setMarked(0);
        }}
        onKeyDown={press}
      />
      <div id="zones" role="listbox" aria-label={say('zone')}>
        {found.map(({ zone, city }) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the marked option
          <div
            key={zone}
            id={optionId(zone)}
            role="option"
            aria-selected={zone === active?.zone}
            onClick={() => choose(zone)}
          >
            <span>
              {city} <small>{zone.replaceAll('_', ' ')}</small>
            </span>
            <b>{timeIn(zone, reading)}</b>
          </div>
        ))}
      </div>
      {found.length === 0 ? (
        <p className="hint" role="status">
          {say('zone.none')}
        </p>
      ) : null}
      <button type="button" className="plain" onClick={() => choose(undefined)}>
        {say('zone.keep')}
      </button>
    </div>
  );
}

const optionId = (zone: string) => `zone-${zone}`;

/** The time that it is somewhere now, with its weekday: it may be another one there. */
function timeIn(zone: string, { locale, hour12 }: { locale: string; hour12: boolean }): string {
  const nowMs = performance.timeOrigin + performance.now();
  const cycle = hour12 ? { hour12 } : { hourCycle: 'h23' as const };
  const parts = { weekday: 'short', hour: 'numeric', minute: '2-digit', ...cycle, timeZone: zone } as const;
  return new Intl.DateTimeFormat(locale, parts).format(nowMs);
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
          {data.zones.map((zone) => (
            <option key={zone} value={zone} suppressHydrationWarning>
              {sayZone(zone)} {zone === reading.zone ? `(${moments.zoneName(zone, at).offset})` : ''}
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

/** `Asia: Tokyo`, so that typing a continent finds it and so does reading. */
const sayZone = (zone: string) => presentName(zone).replace('/', ': ').replaceAll('_', ' ');
