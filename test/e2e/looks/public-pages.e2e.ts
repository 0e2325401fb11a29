import { test } from '@playwright/test';
import { takeLooks } from './take-looks.ts';

/** Every page that the server draws, of what it was drawn from once: `record.ts`. */
test.use({ trace: 'off' });
takeLooks('stranger');
