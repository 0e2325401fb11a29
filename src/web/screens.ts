import { accessScreens } from '#features/access/web/screens.ts';
import { accountsScreens } from '#features/accounts/web/screens.ts';
import { adminScreens } from '#features/admin/web/screens.ts';
import { analyticsScreens } from '#features/analytics/web/screens.ts';
import { availabilityScreens } from '#features/availability/web/screens.ts';
import { billingScreens } from '#features/billing/web/screens.ts';
import { bookingScreens } from '#features/booking/web/screens.ts';
import { calendarScreens } from '#features/calendar/web/screens.ts';
import { connectionsScreens } from '#features/connections/web/screens.ts';
import { contactsScreens } from '#features/contacts/web/screens.ts';
import { helpScreens } from '#features/help/web/screens.ts';
import { meetingsScreens } from '#features/meetings/web/screens.ts';
import { routingScreens } from '#features/routing/web/screens.ts';
import { syncScreens } from '#features/sync/web/screens.ts';
import { teamsScreens } from '#features/teams/web/screens.ts';
import { workflowsScreens } from '#features/workflows/web/screens.ts';
import type { Screen } from '#ui/screen.ts';

/** Every screen of the product, in the order of the features. */
export const screens: readonly Screen[] = [
  ...accountsScreens,
  ...accessScreens,
  ...billingScreens,
  ...teamsScreens,
  ...connectionsScreens,
  ...availabilityScreens,
  ...calendarScreens,
  ...syncScreens,
  ...bookingScreens,
  ...contactsScreens,
  ...routingScreens,
  ...workflowsScreens,
  ...meetingsScreens,
  ...analyticsScreens,
  ...helpScreens,
  ...adminScreens,
];
