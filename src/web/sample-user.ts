import type { SessionUser } from './session.ts';

/** A signed-in person as the server returns them, for component tests. */
export const sampleUser: SessionUser = {
  user_id: '01a1ff0c-92b0-7f07-90fc-286b50671922',
  email: 'ada@example.org',
  name: 'Ada',
  company: null,
  role: 'user',
  adminAccess: 'none',
  impersonatedUntil: null,
  mfaEnabled: false,
  phone: null,
  avatarUrl: null,
  timezone: 'UTC',
  locale: 'en-US',
  timeFormat: '12h',
  dateFormat: 'YYYY-MM-DD',
  weekStart: 7,
  weekends: true,
  weekNumbers: false,
  moreZones: [],
  theme: 'system',
  density: 'comfortable',
  hideEmail: false,
  notifications: { bookingReminders: true, syncErrors: true, productUpdates: false },
};
