/**
 * Owns: the operator's console: what its sections show, and what administrators do there.
 * Announces: nothing; open browsers of administrators hear the topics audit and console.
 * Never: lets an act go without its reason in the audit; shows a figure that it did not measure.
 */
import { auditEndpoints } from './audit/contract.ts';
import { brandingEndpoints } from './branding/contract.ts';
import { systemEndpoints } from './health/contract.ts';
import { integrationEndpoints } from './integrations/contract.ts';
import { overviewEndpoints } from './overview/contract.ts';
import { settingsEndpoints } from './settings/contract.ts';
import { userEndpoints } from './users/contract.ts';

export const adminContract = {
  ...userEndpoints,
  ...auditEndpoints,
  ...integrationEndpoints,
  ...overviewEndpoints,
  ...settingsEndpoints,
  ...brandingEndpoints,
  ...systemEndpoints,
};
