/** Tells open browsers that workflows have changed. */
export const workflowsTopic = 'workflows';

/** Tells open browsers that runs were planned, done or given up. */
export const runsTopic = 'workflow-runs';
