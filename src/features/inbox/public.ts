/** The door of inbox: what of it somebody takes with them. */

export { exportDevices } from './devices.ts';
