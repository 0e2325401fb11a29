import { tellHeight } from './tell-height.ts';

/** Of a page that is complete without script and stands in the frame of another site: the frame is as tall as it is. */
const origin = document.documentElement.dataset.framedBy;
if (origin !== undefined) addEventListener('DOMContentLoaded', () => void tellHeight({ origin }));
