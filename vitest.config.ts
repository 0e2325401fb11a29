import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,scripts,test}/**/*.test.{ts,tsx}'],
    // A stylesheet is an empty module in tests, except the one whose numbers are tested.
    css: { include: [/tokens\.css/] },
  },
});
