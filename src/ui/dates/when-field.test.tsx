import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { Dialog } from '../dialog.tsx';
import { type Preferences, PreferencesProvider } from '../preferences.tsx';
import { UiProvider } from '../ui-provider.tsx';
import { type Words, WordsProvider } from '../words.tsx';
import { focusFlawedDate } from './flawed-date.ts';
import { DateField, MomentField, TimeField, type WhenFieldProps } from './when-field.tsx';

afterEach(cleanup);

const picker = () => screen.findByRole('dialog', { name: 'Open picker', hidden: true });

const words = {
  earlierMonth: 'Earlier month',
  laterMonth: 'Later month',
  openPicker: 'Open picker',
  unreadable: (example: string) => `Type it like ${example}`,
  earliest: (when: string) => `${when} is the earliest`,
  latest: (when: string) => `${when} is the latest`,
} as Words;

const german: Preferences = {
  zone: 'Europe/Berlin',
  locale: 'de-DE',
  timeFormat: '24h',
  dateFormat: 'DD.MM.YYYY',
  weekStart: 1,
  weekends: true,
  weekNumbers: false,
  moreZones: [],
  theme: 'light',
  density: 'comfortable',
};

/** `keeps`: what a screen makes of a value. */
function show(
  Field: typeof DateField,
  first: string,
  more: Partial<WhenFieldProps> = {},
  preferences = german,
  keeps = (next: string, _before: string) => next,
) {
  const onValue = vi.fn();
  const onInput = vi.fn();
  const onSubmit = vi.fn();
  function Kept() {
    const [value, setValue] = useState(first);
    return (
      <Field
        label="When"
        {...more}
        value={value}
        onValue={(next) => {
          onValue(next);
          setValue((before) => keeps(next, before));
        }}
      />
    );
  }
  render(
    <UiProvider>
      <WordsProvider value={words}>
        <PreferencesProvider value={preferences} change={() => {}}>
          <form
            aria-label="Form"
            noValidate
            onInput={onInput}
            onSubmit={(event) => {
              event.preventDefault();
              if (!focusFlawedDate(event.currentTarget)) onSubmit();
            }}
          >
            <Kept />
            <button type="submit">Send</button>
          </form>
        </PreferencesProvider>
      </WordsProvider>
    </UiProvider>,
  );
  const field = screen.getByLabelText<HTMLInputElement>('When');
  return { onValue, onInput, onSubmit, user: userEvent.setup(), field };
}

it('a date is typed and shown in the format of the person, and counts once the field is left', async () => {
  const { onValue, user, field } = show(DateField, '2026-12-01');
  expect(field.value).toBe('01.12.2026');
  await user.tripleClick(field);
  await user.keyboard('21.3.2027');
  expect(onValue).not.toHaveBeenCalled();
  await user.tab();
  expect(onValue.mock.calls).toEqual([['2027-03-21']]);
  expect(field.value).toBe('21.03.2027');
});

it('a time follows the clock of the person', async () => {
  const { onValue, user, field } = show(TimeField, '21:30', {}, { ...german, locale: 'en-US', timeFormat: '12h' });
  expect(field.value).toBe('9:30 PM');
  await user.tripleClick(field);
  await user.keyboard('8p{Enter}');
  expect(onValue).toHaveBeenLastCalledWith('20:00');
  expect(field.value).toBe('8:00 PM');
  await user.keyboard('{ArrowUp}');
  expect(onValue).toHaveBeenLastCalledWith('20:15');
});

it('text that cannot be read stays, is refused with an example, and keeps the form from being sent', async () => {
  const { onValue, user, field } = show(MomentField, '2026-12-01T10:00');
  await user.tripleClick(field);
  await user.keyboard('after lunch');
  await user.tab();
  expect(onValue).toHaveBeenLastCalledWith('');
  expect(field.value).toBe('after lunch');
  expect(screen.getByText(/^Type it like \d\d\.\d\d\.\d{4}, 14:30$/)).toBeDefined();
  expect(field.checkValidity()).toBe(false);
  await user.tripleClick(field);
  await user.keyboard('2.12. 11');
  await user.tab();
  expect(field.value).toMatch(/^02\.12\.\d{4}, 11:00$/);
  expect(field.checkValidity()).toBe(true);
});

it('a day that no calendar has is shown as none', () => {
  expect(show(DateField, '2027-02-31').field.value).toBe('');
});

it('a date before the earliest is refused in the format of the person', () => {
  const { field } = show(DateField, '2026-11-30', { min: '2026-12-01' });
  expect(screen.getByText('01.12.2026 is the earliest')).toBeDefined();
  expect(field.checkValidity()).toBe(false);
});

it('Alt with the down arrow opens the month, which begins on the first day of the week of the person', async () => {
  const { onValue, user, field } = show(DateField, '2026-12-01');
  await user.click(field);
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  const month = await picker();
  expect(month.querySelector('[aria-hidden] ~ button')?.getAttribute('aria-label')).toBe('30. November 2026');
  await user.keyboard('{ArrowRight}{Enter}');
  expect(onValue).toHaveBeenLastCalledWith('2026-12-02');
  expect(screen.queryByRole('dialog', { hidden: true })).toBeNull();
});

it('a time is picked from a list by keys', async () => {
  const { onValue, user } = show(TimeField, '09:00');
  await user.click(screen.getByRole('button', { name: 'Open picker' }));
  await picker();
  await user.keyboard('{ArrowDown}{Enter}');
  expect(onValue).toHaveBeenLastCalledWith('09:30');
});

it('Escape closes the list of times, and the dialog around it stays open', async () => {
  const onClose = vi.fn();
  render(
    <UiProvider>
      <WordsProvider value={words}>
        <PreferencesProvider value={german} change={() => {}}>
          <Dialog opened onClose={onClose} title="Hours">
            <MomentField label="When" value="2026-12-01T10:00" onValue={() => {}} />
          </Dialog>
        </PreferencesProvider>
      </WordsProvider>
    </UiProvider>,
  );
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Open picker' }));
  await picker();
  await user.keyboard('{ArrowRight}{Escape}');
  expect(screen.queryByRole('dialog', { name: 'Open picker', hidden: true })).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
});

it('days before the earliest cannot be picked', async () => {
  const { onValue, user } = show(DateField, '2026-12-05', { min: '2026-12-03' });
  await user.click(screen.getByRole('button', { name: 'Open picker' }));
  await picker();
  const before = screen.getByRole('button', { name: '2. Dezember 2026', hidden: true });
  expect(before.getAttribute('aria-disabled')).toBe('true');
  await user.click(before);
  expect(onValue).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: '3. Dezember 2026', hidden: true }));
  expect(onValue).toHaveBeenCalledWith('2026-12-03');
});

it('the form hears of a picked value and of an arrow as of typed text', async () => {
  const { onInput, user, field } = show(TimeField, '09:00');
  await user.click(screen.getByRole('button', { name: 'Open picker' }));
  await picker();
  await user.click(screen.getByRole('button', { name: '09:30', hidden: true }));
  expect(onInput).toHaveBeenCalledTimes(1);
  await user.click(field);
  await user.keyboard('{ArrowUp}');
  expect(onInput).toHaveBeenCalledTimes(2);
  expect(field.value).toBe('09:45');
});

it('an emptied field counts when it is left, and a screen that needs a date keeps the one before', async () => {
  const { onValue, user, field } = show(DateField, '2026-12-01', {}, german, (next, before) => next || before);
  await user.clear(field);
  expect(field.value).toBe('');
  expect(onValue).not.toHaveBeenCalled();
  await user.keyboard('05.12.2026');
  expect(onValue).toHaveBeenLastCalledWith('2026-12-05');
  await user.clear(field);
  await user.tab();
  expect(field.value).toBe('05.12.2026');
});

it('text that a screen refuses stays while it is typed', async () => {
  const { user, field } = show(DateField, '2026-12-01', {}, german, (_next, before) => before);
  await user.tripleClick(field);
  await user.keyboard('05.12.2020');
  expect(field.value).toBe('05.12.2020');
});

it('after text that cannot be read, a time takes the day from before', async () => {
  const { onValue, user, field } = show(MomentField, '2026-12-01T10:00');
  await user.tripleClick(field);
  await user.keyboard('lunch{Enter}');
  await user.tripleClick(field);
  await user.keyboard('11:30{Enter}');
  expect(onValue).toHaveBeenLastCalledWith('2026-12-01T11:30');
});

it('a form without checks of the browser is not sent while a date cannot be read', async () => {
  const { onSubmit, user, field } = show(DateField, '2026-12-01', { error: 'Wrong' });
  await user.tripleClick(field);
  await user.keyboard('soon');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(onSubmit).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(field);
  expect(screen.getByText(/^Type it like/)).toBeDefined();
  await user.tripleClick(field);
  await user.keyboard('2.12.');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(onSubmit).toHaveBeenCalledTimes(1);
});
