import { type KeyboardEvent, useMemo, useState } from 'react';
import { cityOf } from '../moments.ts';
import { useReading } from '../reading.tsx';
import type { Visit } from '../use-visit.ts';
import { findZones, listCountries } from './find-zones.ts';

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** Finds a zone by its city, with the time that it is there now. */
export function ZoneSearch({ visit }: { visit: Visit }) {
  const { say, reading } = useReading();
  const { locale } = reading;
  const countries = useMemo(() => listCountries([locale, 'en']), [locale]);
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState(0);
  const [zones] = useState(() => Intl.supportedValuesOf('timeZone'));
  const found =
    typed.trim() === '' ? [{ zone: reading.zone, city: cityOf(reading.zone) }] : findZones(typed, zones, countries);
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
