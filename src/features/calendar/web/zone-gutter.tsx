import { useTranslation } from 'react-i18next';
import { dayMs } from '#kernel/time/civil.ts';
import type { Zone } from '#kernel/time/zones.ts';
import type { ShownDays } from './shown-range.ts';
import { cityLabel, offsetLabel, type TimeLabels, zoneLabel } from './time-labels.ts';
import styles from './week-grid.module.css';
import { otherMinute, zoneHours } from './zone-hours.ts';

export interface ZoneGutterProps {
  /** The grid's own. */
  zone: Zone;
  /** Zones whose hours are drawn to the left, the nearest last. */
  moreZones: readonly Zone[];
  days: ShownDays;
  labels: TimeLabels;
  /** The minute of today that is now, where today is in view. */
  nowMinute?: number | undefined;
}

/** Over the hours: which zones they are in; a way to choose others. */
export function ZoneCorner({ zone, moreZones, days, labels, onZones }: ZoneGutterProps & { onZones?: () => void }) {
  const { t } = useTranslation();
  const noonMs = zone.toInstant(days.firstDay * dayMs + dayMs / 2);
  const names = moreZones.length > 0;
  const inside = (
    <>
      <span className="hf-sr-only">{t('calendar.zoneIs', { zone: zoneLabel(zone.id) })} </span>
      {moreZones.map((other) => {
        const { changesOn } = zoneHours(zone, other, days);
        const change =
          changesOn &&
          t('calendar.zoneChanges', { zone: zoneLabel(other.id), day: labels.longDay(changesOn.dayNumber) });
        return (
          <span key={other.id} className={styles.zone} title={[zoneLabel(other.id), change].filter(Boolean).join('. ')}>
            <span>{cityLabel(other.id)}</span> {offsetLabel(other, noonMs)}
            {change === undefined ? null : (
              <>
                <span aria-hidden="true">*</span>
                <span className="hf-sr-only">{change}</span>
              </>
            )}
          </span>
        );
      })}
      <span className={styles.zone} title={zoneLabel(zone.id)}>
        {names ? <span>{cityLabel(zone.id)}</span> : null} {offsetLabel(zone, noonMs)}
      </span>
    </>
  );
  return onZones === undefined ? (
    <div className={styles.corner} data-corner>
      {inside}
    </div>
  ) : (
    <button type="button" className={styles.corner} data-corner onClick={onZones}>
      {inside}
      <span className="hf-sr-only"> {t('calendar.zonesAction')}</span>
    </button>
  );
}

const hours = Array.from({ length: 23 }, (_, hour) => hour + 1);

/** Nearer than this, 13 px of 56, an hour gives way to now. */
const nearMinutes = 14;

/** Beside the rows: the hours, in every zone that was asked for. */
export function HourGutter({ zone, moreZones, days, labels, nowMinute }: ZoneGutterProps) {
  return (
    <div className={styles.gutter} aria-hidden="true">
      {moreZones.map((other) => {
        const { shiftMinutes } = zoneHours(zone, other, days);
        return (
          <div key={other.id} className={styles.hours} data-other>
            {hours.map((hour) => {
              const { minute, dayShift } = otherMinute(hour, shiftMinutes);
              return (
                <span key={hour} style={{ top: `calc(${hour} * var(--hf-hour-row))` }}>
                  {labels.short(minute)}
                  {dayShift === 0 ? null : <sup>{dayShift > 0 ? '+1' : '−1'}</sup>}
                </span>
              );
            })}
          </div>
        );
      })}
      <div className={styles.hours}>
        {hours.map((hour) =>
          // Now stands in its place.
          nowMinute !== undefined && Math.abs(hour * 60 - nowMinute) < nearMinutes ? null : (
            <span key={hour} style={{ top: `calc(${hour} * var(--hf-hour-row))` }}>
              {labels.hour(hour)}
            </span>
          ),
        )}
        {nowMinute === undefined ? null : (
          <span data-now style={{ top: `calc(${nowMinute / 60} * var(--hf-hour-row))` }}>
            {labels.clock(nowMinute)}
          </span>
        )}
      </div>
    </div>
  );
}
