import { IconChartBar, IconTable } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '#ui/button.tsx';
import { type ChartFigures, ChartTable } from '#ui/chart-table.tsx';
import { type ArtName, EmptyArt } from '#ui/empty-art.tsx';
import type { Panel } from '../../rules/measures.ts';
import styles from './figure-panel.module.css';
import { PanelMore } from './panel-more.tsx';

export interface FigurePanelProps {
  panel: Panel;
  title: string;
  /** Beside the title. */
  text?: ReactNode;
  actions?: ReactNode;
  /** The figures as a table; empty without data. */
  figures: ChartFigures;
  children: ReactNode;
}

/** A card of the dashboard: its figures as a chart or as a table, what they mean, their rows, and files of both. */
export function FigurePanel({ panel, title, text, actions, figures, children }: FigurePanelProps) {
  const { t } = useTranslation();
  const titleId = useId();
  const frame = useRef<HTMLElement>(null);
  const [asTable, setAsTable] = useState(false);
  const hasFigures = figures.rows.length > 0;
  return (
    <section ref={frame} className={styles.panel} data-panel={panel} aria-labelledby={titleId}>
      <div className={styles.header}>
        <div className={styles.titles}>
          <h2 id={titleId}>{title}</h2>
          {text ? <p className={styles.text}>{text}</p> : null}
        </div>
        {actions}
        <div className={styles.buttons}>
          {hasFigures ? (
            <IconButton
              size={30}
              label={asTable ? t('analytics.panel.chart', { title }) : t('analytics.panel.table', { title })}
              onClick={() => setAsTable(!asTable)}
            >
              {asTable ? <IconChartBar size={17} aria-hidden /> : <IconTable size={17} aria-hidden />}
            </IconButton>
          ) : null}
          <PanelMore panel={panel} title={title} figures={figures} frame={frame} />
        </div>
      </div>
      <div className={styles.body}>
        {asTable && hasFigures ? <ChartTable caption={title} {...figures} /> : children}
      </div>
    </section>
  );
}

/** Instead of figures there are none of: one line of what this is, and what to do. */
export function PanelEmpty({
  art,
  title,
  text,
  action,
}: {
  art?: ArtName;
  title: string;
  text?: string;
  action?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      {art === undefined ? null : (
        <span data-art>
          <EmptyArt name={art} />
        </span>
      )}
      <p className={styles.emptyTitle}>{title}</p>
      {text ? <p className={styles.text}>{text}</p> : null}
      {action}
    </div>
  );
}
