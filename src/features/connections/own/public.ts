/** The calendar that Holdfast keeps, for features that need one for a person. */

export { connectOwn } from '../connections.ts';
