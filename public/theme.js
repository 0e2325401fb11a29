// Before the first paint: colours, density and language as this browser had them last, so that nothing flashes.
(() => {
  const root = document.documentElement;
  let scheme = 'auto';
  try {
    scheme = localStorage.getItem('holdfast-color-scheme') ?? 'auto';
    root.dataset.density = localStorage.getItem('holdfast-density') ?? 'comfortable';
  } catch {
    // Storage may be forbidden; the defaults serve.
  }
  const dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  const [, lang] = /(?:^|; )hf-lang=([\w-]+)/.exec(document.cookie) ?? [];
  if (lang) {
    root.lang = lang;
    root.dir = new Intl.Locale(lang).getTextInfo?.().direction ?? 'ltr';
  }
  root.dataset.mantineColorScheme = dark ? 'dark' : 'light';
})();
