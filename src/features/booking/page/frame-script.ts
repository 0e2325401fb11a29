import { tellHeight } from './tell-height.ts';

/**
 * Script of a page that is complete without script, in the frame of another site: the frame gets the height of the
 * page.
 */
const origin = document.documentElement.dataset.framedBy;
if (origin !== undefined) addEventListener('DOMContentLoaded', () => void tellHeight({ origin }));
