import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useShortcuts } from '#ui/shortcuts.ts';

const places = [
  { keys: 'g d', to: '/dashboard', label: 'shell.section.dashboard' },
  { keys: 'g c', to: '/calendar', label: 'shell.section.calendar' },
  { keys: 'g m', to: '/meetings', label: 'shell.section.meetings' },
  { keys: 'g s', to: '/profile', label: 'shell.profile' },
] as const;

/** The keys that act on every screen. */
export function useShellShortcuts({ onKeyboardSheet }: { onKeyboardSheet: () => void }): void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const group = t('shell.keys.everywhere');
  useShortcuts([
    { keys: '?', group, label: t('shell.keys.sheet'), run: onKeyboardSheet },
    ...places.map(({ keys, to, label }) => ({
      keys,
      group,
      label: t('shell.keys.goTo', { place: t(label) }),
      run: () => void navigate({ to }),
    })),
  ]);
}
