import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
// Before whatever of the library is a button, of which each brings its own styles later.
import '@mantine/core/styles/UnstyledButton.layer.css';
import './tokens.css';
import './fonts.css';
import './base.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { cssVariablesResolver, theme } from './theme.ts';

const colorSchemeManager = {
  // public/theme.js reads the same key before the first paint.
  ...localStorageColorSchemeManager({ key: 'holdfast-color-scheme' }),
  // Other windows hear of a change from the server; if they also took each other's copies, two could take turns for ever.
  subscribe: () => {},
  unsubscribe: () => {},
};

/** Theme and colour scheme for everything below; signed in, the scheme is the person's (`useAppearance`). */
export function UiProvider({
  env = 'default',
  children,
}: {
  /** In `test` nothing moves, and no menu hides because its button, which nobody lays out, is not in view. */
  env?: 'default' | 'test';
  children: ReactNode;
}) {
  return (
    <MantineProvider
      env={env}
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
