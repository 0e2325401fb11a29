const statuses = ['created', 'pending', 'failed', 'skipped'] as const;

/** What the address of the console says. */
export interface ConsoleSearch {
  status?: (typeof statuses)[number];
  search?: string;
  page?: number;
}

/** Reads the address; what does not fit is dropped, so that an old link still opens the console. */
export function readConsoleSearch(raw: Record<string, unknown>): ConsoleSearch & Record<string, unknown> {
  const status = statuses.find((one) => one === raw.status);
  // The router reads `?search=2026` as a number.
  const search =
    typeof raw.search === 'string' || typeof raw.search === 'number' ? String(raw.search).slice(0, 200) : '';
  const page = Number(raw.page);
  return {
    ...(status ? { status } : {}),
    ...(search ? { search } : {}),
    ...(Number.isInteger(page) && page > 1 && page <= 99_999 ? { page } : {}),
  };
}
