import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '#kernel/time/zones.ts';
import { Button } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { Segmented } from '#ui/segmented.tsx';
import { type MirrorView, mirrorViews } from '../calendar-search.ts';
import { usePublishedFeeds } from '../feed-queries.ts';
import { offsetLabel, zoneLabel } from '../time-labels.ts';
import styles from './calendar-panel.module.css';

export interface PanelOptionsProps {
  mirrors: MirrorView;
  onMirrors: (view: MirrorView) => void;
  weekends: boolean;
  onWeekends: (shown: boolean) => void;
  weekNumbers: boolean;
  onWeekNumbers: (shown: boolean) => void;
  /** The grid's own, then those beside it. */
  zones: readonly Zone[];
  onZones: () => void;
  /** To the addresses at which other programs read along. */
  onFeeds: () => void;
  /** Picks times for somebody to choose from. */
  onShare: () => void;
}

/** How the calendar is drawn. */
export function PanelOptions(props: PanelOptionsProps) {
  const { t } = useTranslation();
  const id = useId();
  const nowMs = useNowMs();
  const published = usePublishedFeeds().data;
  const canOpenFeeds = published === undefined || published.available || published.feeds.length > 0;
  return (
    <div className={styles.options}>
      <div>
        <p className={styles.optionLabel} id={`${id}mirrors`}>
          {t('calendar.mirrors')}
        </p>
        <Segmented
          aria-labelledby={`${id}mirrors`}
          fullWidth
          value={props.mirrors}
          onChange={(value) => props.onMirrors(value as MirrorView)}
          data={mirrorViews.map((value) => ({ value, label: t(`calendar.mirrorView.${value}`) }))}
        />
      </div>
      <div>
        <Tick label={t('calendar.weekends')} checked={props.weekends} onChange={props.onWeekends} />
        <Tick label={t('calendar.weekNumbers')} checked={props.weekNumbers} onChange={props.onWeekNumbers} />
      </div>
      <div>
        <p className={styles.optionLabel} id={`${id}zones`}>
          {t('calendar.zone')}
        </p>
        <button
          type="button"
          className={styles.zones}
          aria-labelledby={`${id}zones ${id}names`}
          onClick={props.onZones}
        >
          <span id={`${id}names`}>
            {props.zones.map((zone) => (
              <span key={zone.id} className={styles.zone}>
                {zoneLabel(zone.id)} ({offsetLabel(zone, nowMs)})
              </span>
            ))}
          </span>
        </button>
      </div>
      <div>
        <Button variant="subtle" size="xs" onClick={props.onShare}>
          {t('calendar.share')}
        </Button>
      </div>
      {canOpenFeeds ? (
        <div>
          <Button variant="subtle" size="xs" onClick={props.onFeeds}>
            {t('calendar.feedsAction')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function Tick(props: { label: string; checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <label className={styles.tick}>
      <input
        type="checkbox"
        className={styles.box}
        checked={props.checked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  );
}
