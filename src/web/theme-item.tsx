import { IconMoon, IconSun } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useIsDark } from '#ui/appearance.ts';
import { MenuItem } from '#ui/menu.tsx';
import { useChangePreferences, usePreferences } from '#ui/preferences.tsx';

/** Light or dark at one press, in the menu of the account; "system" is a choice in the profile. */
export function ThemeItem() {
  const { t } = useTranslation();
  const { theme } = usePreferences();
  const change = useChangePreferences();
  const dark = useIsDark(theme);
  const Icon = dark ? IconSun : IconMoon;
  return (
    <MenuItem
      closeMenuOnClick={false}
      leftSection={<Icon size={16} aria-hidden />}
      onClick={() => change({ theme: dark ? 'light' : 'dark' })}
    >
      {dark ? t('shell.useLight') : t('shell.useDark')}
    </MenuItem>
  );
}
