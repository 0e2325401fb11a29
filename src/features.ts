import { access } from '#features/access/feature.ts';
import { accounts } from '#features/accounts/feature.ts';
import { admin } from '#features/admin/feature.ts';
import { analytics } from '#features/analytics/feature.ts';
import { availability } from '#features/availability/feature.ts';
import { billing } from '#features/billing/feature.ts';
import { booking } from '#features/booking/feature.ts';
import { calendar } from '#features/calendar/feature.ts';
import { connections } from '#features/connections/feature.ts';
import { contacts } from '#features/contacts/feature.ts';
import { edits } from '#features/edits/feature.ts';
import { help } from '#features/help/feature.ts';
import { holds } from '#features/holds/feature.ts';
import { inbox } from '#features/inbox/feature.ts';
import { meetings } from '#features/meetings/feature.ts';
import { routing } from '#features/routing/feature.ts';
import { search } from '#features/search/feature.ts';
import { simulation } from '#features/simulation/feature.ts';
import { site } from '#features/site/feature.ts';
import { sync } from '#features/sync/feature.ts';
import { takeout } from '#features/takeout/feature.ts';
import { teams } from '#features/teams/feature.ts';
import { workflows } from '#features/workflows/feature.ts';
import type { Feature } from '#platform/feature.ts';

/** The map of the product, in dependency order: a feature may use the doors of those above it. */
export const features: readonly Feature[] = [
  accounts,
  simulation,
  access,
  billing,
  teams,
  connections,
  availability,
  calendar,
  sync,
  edits,
  booking,
  holds,
  contacts,
  routing,
  workflows,
  meetings,
  analytics,
  search,
  inbox,
  help,
  takeout,
  site,
  admin,
];
