/**
 * Owns: workflows in versions, and every run of their steps with its outcome.
 * Announces: nothing; open browsers hear the topics workflows and workflow-runs.
 * Never: tells anybody of a meeting that does not take place; writes to an address that did not agree to it.
 */
import { workflowEndpoints } from './rules/workflow-endpoints.ts';

export const workflowsContract = { ...workflowEndpoints };
