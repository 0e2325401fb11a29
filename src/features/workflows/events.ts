/** What open browsers are told when workflows have changed. */
export const workflowsTopic = 'workflows';

/** What they are told when runs were planned, done or given up. */
export const runsTopic = 'workflow-runs';
