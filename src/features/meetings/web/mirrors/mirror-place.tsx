import { TwoLines } from '#ui/data-table.tsx';
import { ColorMark, providerName } from '#ui/provider-mark.tsx';
import oneLine from '../one-line.module.css';
import type { MirrorRow } from '../queries.ts';
import styles from './mirror-place.module.css';

type Place = MirrorRow['target'];

/** A calendar with its colour, and the account it belongs to. */
export function MirrorPlace({ place }: { place: Place }) {
  return (
    <span className={styles.place}>
      <ColorMark color={place.color} />
      <span className={oneLine.names} title={`${place.subcalendar}\n${place.account}`}>
        <TwoLines
          first={place.subcalendar}
          second={
            // the main calendar of a Google account has its name
            place.subcalendar === place.account
              ? providerName(place.provider)
              : `${providerName(place.provider)} · ${place.account}`
          }
        />
      </span>
    </span>
  );
}

/** The same within another line. */
export function MirrorPlaceName({ place }: { place: Place }) {
  return (
    <span className={styles.name} title={place.account}>
      <ColorMark color={place.color} />
      {place.subcalendar}
    </span>
  );
}
