import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { startTranslations } from '../i18n.ts';
import { ScreenFrame } from '../screen-frame.tsx';
import { useHelp } from './use-help.ts';

beforeAll(() => startTranslations('en'));
afterEach(cleanup);

function Found({ typed }: { typed: string }) {
  return (
    <ul aria-label={typed}>
      {useHelp(typed).map(({ id, title, detail }) => (
        <li key={id}>{[title, detail].join(' · ')}</li>
      ))}
    </ul>
  );
}

test.each([
  ['Why is a time not offered?', 'Why is this time not offered? · Booking links'],
  ['needs reconnect', 'A calendar says “Needs reconnect” · Troubleshooting'],
  ['holiday', 'Days off and holidays · Hours, days off and travel'],
])('the palette finds the help by its words: %s', async (typed, first) => {
  render(<ScreenFrame screen={() => <Found typed={typed} />} at="/calendar" />);
  const found = await screen.findAllByRole('listitem');
  expect(found[0]?.textContent).toBe(first);
  expect(found.length).toBeLessThanOrEqual(3);
});
