/**
 * Before the first paint: where the times are in a zone that was only guessed and this browser is elsewhere, they stay
 * hidden until they are read anew, so that nobody ever sees a wrong one. After a while they are shown as they are, with
 * the name of their zone: the script that reads them anew may not arrive.
 */
const root = document.documentElement;
const guessed = root.dataset.guessedZone;
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (guessed !== undefined && own && own !== guessed) {
  root.classList.add('zoning');
  setTimeout(() => root.classList.remove('zoning'), 5_000);
}
