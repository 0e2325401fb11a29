import { flushCompileCache } from 'node:module';

/**
 * Reads the server without starting it, so that Node keeps it compiled (`NODE_COMPILE_CACHE`). The start that follows needs no
 * compiler of types beside it, which would stay in memory as long as it runs (14 MB).
 */
await import('../src/main.ts');
flushCompileCache();
process.exit();
