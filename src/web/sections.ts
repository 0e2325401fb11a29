import {
  IconBolt,
  IconCalendar,
  IconClock,
  IconHelpCircle,
  IconLayoutDashboard,
  IconLink,
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
  /** Pressed after `g`, it goes there. */
  key: string;
  /** A line parts it from those before. */
  startsGroup?: true;
}

/** The sections of the sidebar. One without a screen yet shows 'Coming Soon'. */
export const sections: readonly Section[] = [
  { path: '/calendar', label: 'shell.section.calendar', icon: IconCalendar, key: 'c' },
  { path: '/dashboard', label: 'shell.section.dashboard', icon: IconLayoutDashboard, key: 'd' },
  { path: '/meetings', label: 'shell.section.meetings', icon: IconVideo, key: 'm' },
  { path: '/booking-links', label: 'shell.links', icon: IconLink, key: 'l' },
  { path: '/availability', label: 'shell.section.availability', icon: IconClock, key: 'a', startsGroup: true },
  { path: '/contacts', label: 'shell.section.contacts', icon: IconUsers, key: 'p' },
  { path: '/workflows', label: 'shell.section.workflows', icon: IconBolt, key: 'w' },
  { path: '/routing', label: 'shell.section.routing', icon: IconRoute, key: 'r' },
  { path: '/integrations', label: 'shell.section.integrations', icon: IconPlugConnected, key: 'i', startsGroup: true },
  { path: '/help', label: 'shell.section.help', icon: IconHelpCircle, key: 'h' },
];

/** Sections that fit on a phone, two on either side of the button for a new event. The rest is behind More. */
export const bottomSections = ['/calendar', '/meetings', '/dashboard'];
