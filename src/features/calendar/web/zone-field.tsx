import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { loadZone } from '#kernel/time/zones.ts';
import { useNowMs } from '#ui/clock.ts';
import { SelectField } from '#ui/text-field.tsx';
import styles from './calendar-panel.module.css';
import { offsetLabel, zoneLabel } from './time-labels.ts';

export interface ZoneFieldProps {
  /** The zone that the grid is read in. */
  zone: string;
  /** The person's own, by preference. */
  ownZone: string;
  onZone: (zone: string) => void;
}

/** The zone of the grid: the person's own, the machine's, or any other. */
export function ZoneField({ zone, ownZone, onZone }: ZoneFieldProps) {
  const { t } = useTranslation();
  const nowMs = useNowMs();
  const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // Offsets change twice a year: asked for again once an hour, not with every tick.
  const hour = Math.floor(nowMs / 3_600_000);
  const options = useMemo(() => {
    const label = (name: string) => {
      const known = loadZone(name);
      return known === null ? zoneLabel(name) : `${zoneLabel(name)} (${offsetLabel(known, hour * 3_600_000)})`;
    };
    const near = [...new Set([ownZone, deviceZone, zone])];
    const others = ['UTC', ...Intl.supportedValuesOf('timeZone')].filter((name) => !near.includes(name));
    const option = (name: string) => ({ value: name, label: label(name) });
    return [
      { group: t('calendar.nearZones'), items: near.map(option) },
      { group: t('calendar.otherZones'), items: [...new Set(others)].map(option) },
    ];
  }, [ownZone, deviceZone, zone, hour, t]);
  return (
    <SelectField
      className={styles.zone}
      label={t('calendar.zone')}
      value={zone}
      data={options}
      onChange={(event) => onZone(event.currentTarget.value)}
    />
  );
}
