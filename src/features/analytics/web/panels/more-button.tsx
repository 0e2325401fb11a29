import { IconDots } from '@tabler/icons-react';
import type { ComponentPropsWithRef, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '#ui/button.tsx';
import type { ChartFigures } from '#ui/chart-table.tsx';
import type { Panel } from '../../rules/measures.ts';

export interface MoreProps {
  panel: Panel;
  title: string;
  figures: ChartFigures;
  /** The element that the picture is drawn from. */
  frame: RefObject<HTMLElement | null>;
}

/** The button that opens the menu of a panel. */
export function MoreButton({ title, ...rest }: { title: string } & ComponentPropsWithRef<'button'>) {
  const { t } = useTranslation();
  return (
    <IconButton {...rest} size={30} label={t('analytics.panel.more', { title })} aria-haspopup="menu">
      <IconDots size={17} aria-hidden />
    </IconButton>
  );
}
