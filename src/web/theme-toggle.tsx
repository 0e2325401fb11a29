import { IconMoon, IconSun } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useIsDark } from '#ui/appearance.ts';
import { IconButton } from '#ui/button.tsx';
import { useChangePreferences, usePreferences } from '#ui/preferences.tsx';

/** Light or dark at one press; "system" is a choice in the profile. */
export function ThemeToggle() {
  const { t } = useTranslation();
  const { theme } = usePreferences();
  const change = useChangePreferences();
  const dark = useIsDark(theme);
  return (
    <IconButton
      label={dark ? t('shell.useLight') : t('shell.useDark')}
      onClick={() => change({ theme: dark ? 'light' : 'dark' })}
    >
      {dark ? <IconSun size={18} stroke={1.6} aria-hidden /> : <IconMoon size={18} stroke={1.6} aria-hidden />}
    </IconButton>
  );
}
