/**
 * Owns: the operator's console: what its sections show, and what administrators do there.
 * Announces: nothing; open browsers of administrators hear the topics audit and console.
 * Never: lets an act go without its reason in the audit; shows a figure that it did not measure.
 */
import { auditEndpoints } from './rules/audit-endpoints.ts';
import { brandingEndpoints } from './rules/branding-endpoints.ts';
import { integrationEndpoints } from './rules/integration-endpoints.ts';
import { overviewEndpoints } from './rules/overview-endpoints.ts';
import { settingsEndpoints } from './rules/settings-endpoints.ts';
import { systemEndpoints } from './rules/system-endpoints.ts';
import { userEndpoints } from './rules/user-endpoints.ts';

export const adminContract = {
  ...userEndpoints,
  ...auditEndpoints,
  ...integrationEndpoints,
  ...overviewEndpoints,
  ...settingsEndpoints,
  ...brandingEndpoints,
  ...systemEndpoints,
};
