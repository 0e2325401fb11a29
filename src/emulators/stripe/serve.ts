import { serveAlone } from '#emulators/kit/serve-alone.ts';
import { createStripe } from './stripe.ts';

await serveAlone(createStripe());
