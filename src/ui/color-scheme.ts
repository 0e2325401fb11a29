import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';

export type ColorScheme = MantineColorScheme;

/** The chosen scheme (`auto` follows the system) and how to change it. */
export function useColorScheme(): { scheme: ColorScheme; setScheme: (scheme: ColorScheme) => void } {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return { scheme: colorScheme, setScheme: setColorScheme };
}
