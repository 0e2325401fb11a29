import {
  IconAlertTriangle,
  IconCheck,
  IconCircleDashed,
  IconClock,
  type IconProps,
  IconRefresh,
  IconX,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

/** How something is doing. Shown as icon and word together, never as a hue alone. */
export type State = 'ok' | 'pending' | 'working' | 'warn' | 'bad' | 'idle';

export const iconOfState: Record<State, ComponentType<IconProps>> = {
  ok: IconCheck,
  pending: IconClock,
  working: IconRefresh,
  warn: IconAlertTriangle,
  bad: IconX,
  idle: IconCircleDashed,
};

/** The token family of a state: `--hf-<tone>-text` and so on. */
export const toneOfState: Record<State, 'ok' | 'warn' | 'bad' | 'idle'> = {
  ok: 'ok',
  pending: 'warn',
  working: 'idle',
  warn: 'warn',
  bad: 'bad',
  idle: 'idle',
};
