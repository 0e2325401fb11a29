/** The first date or time that cannot be used gets the focus. For forms that leave their other checks to the server. */
export function focusFlawedDate(form: HTMLFormElement): boolean {
  const flawed = [...form.querySelectorAll('input')].find(({ validity }) => validity.customError);
  flawed?.focus();
  return flawed !== undefined;
}
