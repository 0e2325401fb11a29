import {
  IconBolt,
  IconCalendar,
  IconClock,
  IconHelpCircle,
  IconLayoutDashboard,
  IconPlugConnected,
  type IconProps,
  IconRoute,
  IconUsers,
  IconVideo,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

export interface Section {
  path: string;
  /** Translation key. */
  label: string;
  icon: ComponentType<IconProps>;
}

/** The sections of the sidebar. One without a screen yet shows 'Coming Soon'. */
export const sections: readonly Section[] = [
  { path: '/calendar', label: 'shell.section.calendar', icon: IconCalendar },
  { path: '/dashboard', label: 'shell.section.dashboard', icon: IconLayoutDashboard },
  { path: '/meetings', label: 'shell.section.meetings', icon: IconVideo },
  { path: '/availability', label: 'shell.section.availability', icon: IconClock },
  { path: '/contacts', label: 'shell.section.contacts', icon: IconUsers },
  { path: '/workflows', label: 'shell.section.workflows', icon: IconBolt },
  { path: '/routing', label: 'shell.section.routing', icon: IconRoute },
  { path: '/integrations', label: 'shell.section.integrations', icon: IconPlugConnected },
  { path: '/help', label: 'shell.section.help', icon: IconHelpCircle },
];

/** Sections that fit on a phone, two on either side of the button for a new event. The rest is behind More. */
export const bottomSections = ['/calendar', '/meetings', '/dashboard'];
