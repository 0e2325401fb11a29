import { useMantineColorScheme } from '@mantine/core';
import { useLayoutEffect, useSyncExternalStore } from 'react';
import type { Preferences, Theme } from './preferences.tsx';

/**
 * Makes the page look as its person wants it. The browser keeps a copy, which public/theme.js puts on the page before
 * the first paint of the next visit.
 */
export function useAppearance({ theme, density }: Pick<Preferences, 'theme' | 'density'>): void {
  const { setColorScheme } = useMantineColorScheme();
  useLayoutEffect(() => {
    setColorScheme(theme === 'system' ? 'auto' : theme);
  }, [theme, setColorScheme]);
  useLayoutEffect(() => {
    document.documentElement.dataset.density = density;
    try {
      localStorage.setItem('holdfast-density', density);
    } catch {
      // Storage may be forbidden or full; the next visit begins with what is usual.
    }
  }, [density]);
}

const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)');

function followSystem(listener: () => void): () => void {
  const system = systemIsDark();
  system.addEventListener('change', listener);
  return () => system.removeEventListener('change', listener);
}

/** Whether the page is dark now; "system" may change by the hour. */
export function useIsDark(theme: Theme): boolean {
  const system = useSyncExternalStore(followSystem, () => systemIsDark().matches);
  return theme === 'system' ? system : theme === 'dark';
}
