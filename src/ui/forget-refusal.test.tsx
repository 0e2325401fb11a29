import { expect, test } from 'vitest';
import { forgetRefusal } from './refusal.tsx';

test('what is typed while a form is sent does not let go of its answer', () => {
  const asked: boolean[] = [];
  const typeInto = (isError: boolean) => forgetRefusal({ isError, reset: () => void asked.push(isError) })();
  typeInto(false);
  expect(asked).toEqual([]);
  typeInto(true);
  expect(asked).toEqual([true]);
});
