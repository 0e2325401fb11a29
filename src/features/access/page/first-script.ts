/**
 * Before the first paint: the colours that this browser had last, and no button for what it cannot do. A form that is sent
 * before the script is there that knows how waits for it.
 */
const root = document.documentElement;
const scheme = storedScheme();
const device = matchMedia('(prefers-color-scheme: dark)');
const follow = () => {
  const isDark = scheme === 'dark' || (scheme !== 'light' && device.matches);
  root.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
};
follow();
device.addEventListener('change', follow);
root.toggleAttribute(
  'data-no-passkeys',
  typeof PublicKeyCredential !== 'function' || !('parseRequestOptionsFromJSON' in PublicKeyCredential),
);
addEventListener('submit', (event) => {
  if ('live' in root.dataset) return;
  event.preventDefault();
  root.dataset.waiting = '';
});

function storedScheme(): string | null {
  try {
    return localStorage.getItem('holdfast-color-scheme');
  } catch {
    // Storage may be forbidden; the device's colours serve.
    return null;
  }
}
