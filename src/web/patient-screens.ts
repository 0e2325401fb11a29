import { configure } from '@testing-library/react';

/** A screen of a test may take as long as a busy machine needs: by itself the library gives up after a second. */
configure({ asyncUtilTimeout: 30_000 });
