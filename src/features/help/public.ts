export { exportFirstSteps } from './export-first-steps.ts';
