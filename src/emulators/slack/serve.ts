import { serveAlone } from '#emulators/kit/serve-alone.ts';
import { createSlack } from './slack.ts';

await serveAlone(createSlack());
