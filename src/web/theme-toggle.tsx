import { IconMoon, IconSun } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '#ui/button.tsx';
import { useColorScheme } from '#ui/color-scheme.ts';

/** Light or dark at one press; "system" is a choice in the profile. */
export function ThemeToggle() {
  const { t } = useTranslation();
  const { scheme, setScheme } = useColorScheme();
  const dark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  return (
    <IconButton
      label={dark ? t('shell.useLight') : t('shell.useDark')}
      onClick={() => setScheme(dark ? 'light' : 'dark')}
    >
      {dark ? <IconSun size={18} stroke={1.6} aria-hidden /> : <IconMoon size={18} stroke={1.6} aria-hidden />}
    </IconButton>
  );
}
