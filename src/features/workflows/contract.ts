/**
 * Owns: workflows in versions, every run of their steps with its outcome, the accounts that they send through, and who
 *   agreed to text messages.
 * Announces: nothing; open browsers hear the topics workflows, workflow-runs and channels.
 * Never: tells anybody of a meeting that does not take place; writes to an address that did not agree to it.
 */
import { channelEndpoints } from './rules/channel-endpoints.ts';
import { workflowEndpoints } from './rules/workflow-endpoints.ts';

export const workflowsContract = { ...workflowEndpoints, ...channelEndpoints };
