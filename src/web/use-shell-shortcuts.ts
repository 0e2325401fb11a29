import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useShortcuts } from '#ui/shortcuts.ts';
import { sections } from './sections.ts';

const places = [...sections, { path: '/profile', label: 'shell.profile', key: 's' }];

/** The keys that act on every screen; a screen that knows better what one means takes it. */
export function useShellShortcuts(act: {
  palette: () => void;
  keyboardSheet: () => void;
  navigation: () => void;
}): void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const group = t('shell.keys.everywhere');
  useShortcuts([
    { keys: ['mod+k', '/'], group, label: t('shell.openSearch'), run: act.palette, opensField: true },
    { keys: '?', group, label: t('shell.keys.sheet'), run: act.keyboardSheet },
    { keys: '[', group, label: t('shell.keys.navigation'), run: act.navigation },
    {
      keys: 'c',
      group,
      label: t('shell.createEvent'),
      run: () => void navigate({ to: '/calendar', search: { new: '1' } }),
    },
    ...places.map(({ key, path, label }) => ({
      keys: `g ${key}`,
      group,
      label: t('shell.keys.goTo', { place: t(label) }),
      run: () => void navigate({ to: path }),
    })),
  ]);
}
