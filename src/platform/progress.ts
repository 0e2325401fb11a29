const everyMs = 5000;

/** Tells the person at the terminal what a step that takes more than a second is doing, and how long it takes. */
export async function withProgress<T>(
  label: string,
  work: () => Promise<T>,
  say: (line: string) => unknown,
  quietMs = 1000,
): Promise<T> {
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1000;
  let told = false;
  let ticker: NodeJS.Timeout | undefined;
  const timer = setTimeout(() => {
    told = true;
    say(`${label} …`);
    ticker = setInterval(() => say(`${label} … ${Math.round(seconds())} s`), everyMs);
  }, quietMs);
  try {
    const result = await work();
    if (told) say(`${label}: done in ${seconds().toFixed(1)} s`);
    return result;
  } finally {
    clearTimeout(timer);
    clearInterval(ticker);
  }
}
