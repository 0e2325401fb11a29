import { expect, test } from 'vitest';
import { gridBudgetKb, measureGrid } from './measure-grid.ts';

test('the week grid bundle stays within its budget', async () => {
  const { js } = await measureGrid();
  expect(js / 1024).toBeLessThanOrEqual(gridBudgetKb);
  // A bundle that lost its parts would keep any budget.
  expect(js / 1024).toBeGreaterThan(6);
});
