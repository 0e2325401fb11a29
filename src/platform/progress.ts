/** Tells the person at the terminal what a step that takes more than a second is doing, and how long it took. */
export async function withProgress<T>(
  label: string,
  work: () => Promise<T>,
  say: (line: string) => unknown,
  quietMs = 1000,
): Promise<T> {
  const startedMs = performance.now();
  let told = false;
  const timer = setTimeout(() => {
    told = true;
    say(`${label} …`);
  }, quietMs);
  try {
    const result = await work();
    if (told) say(`${label}: done in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
    return result;
  } finally {
    clearTimeout(timer);
  }
}
