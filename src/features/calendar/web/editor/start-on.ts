/** "Now" on a day that is looked at is nine o'clock on it; on today, which the address does not name, the next half hour. */
export function startOn(start: string, day: string | undefined): string {
  return start === '1' && day !== undefined ? `${day}T09:00` : start;
}
