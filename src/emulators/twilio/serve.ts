import { serveAlone } from '#emulators/kit/serve-alone.ts';
import { createTwilio } from './twilio.ts';

await serveAlone(createTwilio());
