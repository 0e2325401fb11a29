export { exportFirstSteps } from './help.ts';
