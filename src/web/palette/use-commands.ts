import {
  IconCalendar,
  IconCalendarPlus,
  IconCalendarTime,
  IconDeviceDesktop,
  IconHelpCircle,
  IconKeyboard,
  IconLink,
  IconLogout,
  IconMoon,
  IconPlugConnected,
  IconRoute,
  IconSettings,
  IconShieldLock,
  IconSun,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '#ui/error-state.tsx';
import { leaveApp } from '#ui/leave-app.ts';
import { useChangePreferences, usePreferences } from '#ui/preferences.tsx';
import { showToast } from '#ui/toasts.tsx';
import { sections } from '../sections.ts';
import { signOut } from '../session.ts';
import type { Entry } from './entries.ts';

const views = [
  { view: 'day', keys: 'd' },
  { view: 'week', keys: 'w' },
  { view: 'month', keys: 'm' },
  { view: 'agenda', keys: 'a' },
] as const;

/** Everything that can be done or gone to from anywhere. */
export function useCommands({ onKeyboardSheet }: { onKeyboardSheet: () => void }): Entry[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const { theme, density } = usePreferences();
  const change = useChangePreferences();
  const go = (to: string, search: Record<string, unknown> = {}) => void navigate({ to, search });

  const leave = () => {
    signOut(queryClient).then(
      () => leaveApp('/login'),
      (error: Error) => showToast({ subject: 'session', state: 'bad', message: errorText(error) }),
    );
  };
  const actions: Omit<Entry, 'group'>[] = [
    {
      id: 'create',
      title: t('search.createEvent'),
      mark: IconCalendarPlus,
      keys: 'c',
      also: t('search.also.create'),
      run: () => go('/calendar', { new: '1' }),
    },
    { id: 'today', title: t('search.today'), mark: IconCalendarTime, keys: 't', run: () => go('/calendar') },
    ...views.map(({ view, keys }) => ({
      id: `view-${view}`,
      title: t(`search.view.${view}`),
      mark: IconCalendar,
      keys,
      run: () => go('/calendar', { view }),
    })),
    {
      id: 'share-times',
      title: t('search.shareTimes'),
      mark: IconCalendarTime,
      keys: 's',
      run: () => go('/calendar', { share: '1' }),
    },
    {
      id: 'create-type',
      title: t('search.createType'),
      mark: IconLink,
      also: t('search.also.createType'),
      run: () => go('/booking-links', { new: '1' }),
    },
    {
      id: 'create-rule',
      title: t('search.createRule'),
      mark: IconRoute,
      also: t('search.also.createRule'),
      run: () => go('/routing', { new: '1' }),
    },
    {
      id: 'connect',
      title: t('search.connect'),
      mark: IconPlugConnected,
      also: t('search.also.connect'),
      run: () => go('/integrations'),
    },
    ...[
      { value: 'light', mark: IconSun } as const,
      { value: 'dark', mark: IconMoon } as const,
      { value: 'system', mark: IconDeviceDesktop } as const,
    ]
      .filter(({ value }) => value !== theme)
      .map(({ value, mark }) => ({
        id: `theme-${value}`,
        title: t(`search.theme.${value}`),
        mark,
        also: t('search.also.theme'),
        run: () => change({ theme: value }),
      })),
    {
      id: 'density',
      title: density === 'compact' ? t('search.density.comfortable') : t('search.density.compact'),
      mark: IconCalendar,
      also: t('search.also.density'),
      run: () => change({ density: density === 'compact' ? 'comfortable' : 'compact' }),
    },
    { id: 'sign-out', title: t('shell.signOut'), mark: IconLogout, also: t('search.also.signOut'), run: leave },
  ];
  const settings: Omit<Entry, 'group'>[] = [
    {
      id: 'profile',
      title: t('shell.profile'),
      mark: IconSettings,
      keys: 'g s',
      also: t('search.also.profile'),
      run: () => go('/profile'),
    },
    {
      id: 'security',
      title: t('shell.account.security'),
      mark: IconShieldLock,
      also: t('search.also.security'),
      run: () => go('/profile/security'),
    },
    { id: 'billing', title: t('shell.billing'), mark: IconSettings, run: () => go('/billing') },
    { id: 'team', title: t('shell.team'), mark: IconSettings, run: () => go('/team') },
  ];
  const help: Omit<Entry, 'group'>[] = [
    {
      id: 'keyboard',
      title: t('shell.keys.sheet'),
      mark: IconKeyboard,
      keys: '?',
      also: t('search.also.keyboard'),
      run: onKeyboardSheet,
    },
    {
      id: 'help',
      title: t('shell.section.help'),
      mark: IconHelpCircle,
      also: t('search.also.help'),
      run: () => go('/help'),
    },
  ];
  const places = sections
    .filter(({ path }) => path !== '/help')
    .map(({ path, label, icon, key }) => ({
      id: `place-${path}`,
      title: t(label),
      mark: icon,
      keys: `g ${key}`,
      run: () => go(path),
    }));
  return [
    ...actions.map((one) => ({ ...one, group: 'actions' as const })),
    ...places.map((one) => ({ ...one, group: 'places' as const })),
    ...settings.map((one) => ({ ...one, group: 'settings' as const })),
    ...help.map((one) => ({ ...one, group: 'help' as const })),
  ];
}
