import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '#ui/add-button.tsx';
import { Button } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { Dialog } from '#ui/dialog.tsx';
import { SearchSelect } from '#ui/search-select.tsx';
import { isZoneFor, listZones } from './find-zones.ts';
import styles from './zones-dialog.module.css';

export interface ZonesDialogProps {
  /** The zone that the calendar is read in. */
  zone: string;
  /** The person's own, by preference. */
  ownZone: string;
  moreZones: readonly string[];
  onZone: (zone: string) => void;
  onMoreZones: (zones: readonly string[]) => void;
  onClose: () => void;
}

const mostZones = 2;

/** Which zone the calendar is read in, and whose hours stand beside it. */
export function ZonesDialog(props: ZonesDialogProps) {
  const { zone, ownZone, moreZones, onZone, onMoreZones, onClose } = props;
  const { t } = useTranslation();
  const [openedMs] = useState(useNowMs());
  const device = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [zones] = useState(() => listZones([ownZone, device, zone, ...moreZones], openedMs));
  const field = (label: string, value: string, onChange: (zone: string) => void) => (
    <SearchSelect
      label={label}
      value={value}
      data={zones}
      matches={isZoneFor}
      nothingFound={t('zones.none')}
      onChange={onChange}
    />
  );
  const next = zones.find(({ value }) => ![zone, ...moreZones].includes(value));
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('zones.title')}
      size="sm"
      actions={<Button onClick={onClose}>{t('zones.done')}</Button>}
    >
      <div className={styles.zones}>
        {field(t('calendar.zone'), zone, onZone)}
        {zone === ownZone ? null : (
          <p className={styles.note}>
            {t('zones.onlyHere')}{' '}
            <button type="button" className={styles.link} onClick={() => onZone(ownZone)}>
              {t('zones.back', { zone: ownZone.replaceAll('_', ' ') })}
            </button>
          </p>
        )}
        {moreZones.map((name, index) => (
          <div key={name} className={styles.more}>
            {field(t(index === 0 ? 'zones.second' : 'zones.third'), name, (chosen) =>
              onMoreZones(moreZones.with(index, chosen)),
            )}
            <Button
              variant="default"
              onClick={() => onMoreZones(moreZones.toSpliced(index, 1))}
              aria-label={t('zones.removeOne', { zone: name.replaceAll('_', ' ') })}
            >
              {t('zones.remove')}
            </Button>
          </div>
        ))}
        {moreZones.length >= mostZones || next === undefined ? null : (
          <AddButton variant="subtle" onClick={() => onMoreZones([...moreZones, next.value])}>
            {t('zones.add')}
          </AddButton>
        )}
        <p className={styles.note}>{t('zones.search')}</p>
      </div>
    </Dialog>
  );
}
