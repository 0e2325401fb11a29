/**
 * Owns: routing forms, what came in by them, and what was decided about it and why.
 * Announces: routing.form-submitted; open browsers hear the topic routing.
 * Never: books; keeps answers of who was told that they were refused.
 */
import { formEndpoints } from './rules/form-endpoints.ts';
import { submissionEndpoints } from './rules/submission-endpoints.ts';

export const routingContract = { ...formEndpoints, ...submissionEndpoints };
