import { configure } from '@testing-library/react';

/** Timeout for screens of tests on a busy machine: the library's default is one second. */
configure({ asyncUtilTimeout: 30_000 });
