import { useTranslation } from 'react-i18next';
import { useErrorText } from '#ui/error-state.tsx';
import { ActionMenu, MenuItem } from '#ui/menu.tsx';
import { saveFile } from '#ui/save-file.ts';
import { showToast } from '#ui/toasts.tsx';
import { useBoard } from '../board.ts';
import { csvAddress } from '../queries.ts';
import { MoreButton, type MoreProps } from './more-button.tsx';

/** How a panel is counted, and the files that can be kept of it. Opens as soon as it is there: fetched by the press on its button. */
export function PanelMenu({ panel, title, figures, frame }: MoreProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { asked, view, rangeText, open } = useBoard();
  const savePicture = async () => {
    const drawings = [...(frame.current?.querySelectorAll<SVGSVGElement>('svg[data-picture]') ?? [])];
    const legend = [...(frame.current?.querySelectorAll<HTMLElement>('[data-legend]') ?? [])];
    try {
      const { drawPicture } = await import('#ui/draw-picture.ts');
      saveFile(
        await drawPicture({ title, subtitle: rangeText, drawings, legend, figures }),
        `${panel}-${asked.from}-${asked.to}.png`,
      );
    } catch (error) {
      showToast({ subject: `picture ${panel}`, state: 'bad', message: errorText(error) });
    }
  };
  return (
    <ActionMenu defaultOpened trigger={<MoreButton title={title} />}>
      <MenuItem onClick={() => open(panel)}>{t('analytics.panel.counted')}</MenuItem>
      <MenuItem component="a" href={csvAddress(panel, asked, view, false)} download>
        {t('analytics.panel.csv')}
      </MenuItem>
      <MenuItem component="a" href={csvAddress(panel, asked, view, true)} download>
        {t('analytics.panel.csvRows')}
      </MenuItem>
      <MenuItem onClick={() => void savePicture()}>{t('analytics.panel.picture')}</MenuItem>
    </ActionMenu>
  );
}
