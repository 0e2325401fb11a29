import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
import './tokens.css';
import './base.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { cssVariablesResolver, theme } from './theme.ts';

// public/theme.js reads the same key before the first paint.
const colorSchemeManager = localStorageColorSchemeManager({ key: 'holdfast-color-scheme' });

/** Theme and colour scheme for everything below; the choice of light, dark or system is kept on this device. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      deduplicateCssVariables={false}
    >
      {children}
    </MantineProvider>
  );
}
