/** The program and the system that a browser says it is, as people call them; null for what is not known. */
export interface Device {
  program: string | null;
  system: string | null;
}

// In order: nearly all of them also claim to be Chrome or Safari.
const programs: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPX|Opera)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bDuckDuckGo\//, 'DuckDuckGo'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^(python-requests|Python-urllib|aiohttp|httpx|python-httpx)\b/i, 'Python'],
  [/^(node|undici)\b/, 'Node.js'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Browser and system of a User-Agent header, for a person to recognize. The header may say anything. */
export function deviceOf(userAgent: string | null): Device {
  const find = (table: typeof programs) => table.find(([sign]) => sign.test(userAgent ?? ''))?.[1] ?? null;
  return { program: find(programs), system: find(systems) };
}
