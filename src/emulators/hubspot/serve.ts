import { serveAlone } from '#emulators/kit/serve-alone.ts';
import { createHubspot } from './hubspot.ts';

await serveAlone(createHubspot());
