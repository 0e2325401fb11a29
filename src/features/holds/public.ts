export { exportHolds } from './holds.ts';
