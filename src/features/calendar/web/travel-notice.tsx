import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import styles from './calendar-page.module.css';
import { rememberStay } from './is-travelling.ts';
import { cityLabel, zoneLabel } from './time-labels.ts';

export interface TravelNoticeProps {
  /** The zone of this device. */
  device: string;
  /** The person's own. */
  own: string;
  onShow: (zone: string) => void;
  onMove: (zone: string) => void;
}

/** Notice that the device's zone differs from the person's: once for each place, without changing anything. */
export function TravelNotice({ device, own, onShow, onMove }: TravelNoticeProps) {
  const { t } = useTranslation();
  const [answered, setAnswered] = useState(false);
  if (answered) return null;
  const stay = () => {
    rememberStay(device);
    setAnswered(true);
  };
  const [here, home] = [zoneLabel(device), zoneLabel(own)];
  return (
    <div className={styles.notice}>
      <Banner
        state="info"
        role="status"
        title={t('zones.travel.title', { zone: here })}
        actions={
          <>
            <Button size="xs" onClick={() => onShow(device)}>
              {t('zones.travel.show', { city: cityLabel(device) })}
            </Button>
            <Button size="xs" variant="default" onClick={() => onMove(device)}>
              {t('zones.travel.move')}
            </Button>
            <Button size="xs" variant="subtle" onClick={stay}>
              {t('zones.travel.stay', { city: cityLabel(own) })}
            </Button>
          </>
        }
      >
        {t('zones.travel.text', { zone: home })}
      </Banner>
    </div>
  );
}
