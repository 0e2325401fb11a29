import { useEffect, useState } from 'react';
import { Glyph } from './glyph.tsx';
import { GoLink } from './go-link.tsx';
import { useReading } from './reading.tsx';
import type { Visit } from './use-visit.ts';

/** In which zone times are shown, and the way to another one. The list is long, so it comes when it is wanted. */
export function ZonePicker({ visit }: { visit: Visit }) {
  const { say, moments, reading } = useReading();
  const { place, data } = visit;
  const at = place.slot ?? data.starts[0] ?? data.nowMinute;
  if (!place.zones) {
    return (
      <p className="zone">
        <Glyph name="globe" />
        <span suppressHydrationWarning>
          <span className="only-read">{say('zone')}: </span>
          {say('zone.name', moments.zoneName(reading.zone, at))}
        </span>
        <GoLink to={visit.linkTo({ zones: true })} rel="nofollow">
          {say('zone.change')}
          <span className="only-read"> {say('zone')}</span>
        </GoLink>
      </p>
    );
  }
  return <ZoneList visit={visit} at={at} />;
}

function ZoneList({ visit, at }: { visit: Visit; at: number }) {
  const { say, moments, reading } = useReading();
  const { data, place } = visit;
  const [zones, setZones] = useState(data.zones);
  useEffect(() => {
    // A browser's own names of zones; the server's are there where the page was loaded with the list open.
    if (zones.length === 0) setZones(Intl.supportedValuesOf('timeZone'));
  }, [zones]);
  const all = zones.includes(reading.zone) ? zones : [reading.zone, ...zones];
  const { tz: _, ...carried } = data.carried;
  return (
    <form className="zone" method="get" action={data.path}>
      <label htmlFor="zone">{say('zone.choose')}</label>
      {Object.entries({ ...carried, month: place.month, ...(place.day === null ? {} : { day: place.day }) }).map(
        ([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ),
      )}
      <div>
        <select
          id="zone"
          name="tz"
          value={reading.zone}
          // biome-ignore lint/a11y/noAutofocus: it stands where the link was that opened it
          autoFocus
          onChange={(event) => visit.setZone(event.target.value)}
        >
          {all.map((zone) => (
            <option key={zone} value={zone} suppressHydrationWarning>
              {sayZone(zone)} {place.zones && zone === reading.zone ? `(${moments.zoneName(zone, at).offset})` : ''}
            </option>
          ))}
        </select>
        <button
          type="submit"
          className="button"
          onClick={(event) => {
            event.preventDefault();
            visit.go({ zones: false });
          }}
        >
          {say('zone.use')}
        </button>
      </div>
    </form>
  );
}

/** `Asia: Tokyo`, so that typing a continent finds it and so does reading. */
const sayZone = (zone: string) => zone.replace('/', ': ').replaceAll('_', ' ');
