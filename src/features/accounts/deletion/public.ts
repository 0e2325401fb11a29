/** The deletion of an account, and the export of its data. */
export { insertRemains } from '../store/deletion.ts';
export { exportAccount, finishDeletion, startDeletion } from './deletion.ts';
