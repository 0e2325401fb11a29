import { hydrateRoot } from 'react-dom/client';
import type { EntranceData } from '../rules/entrance.ts';
import { Entrance } from '../web/frame/entrance.tsx';
import '#ui/base.css';
import './page.css';

/** The browser's side of an entrance. */
const page = document.getElementById('page');
const told = document.getElementById('data');
if (page !== null && told !== null) {
  const data = JSON.parse(told.textContent) as EntranceData;
  hydrateRoot(page, <Entrance data={data} />);
  // Cached pages are deleted with the session that loaded them.
  if (!data.signedIn) navigator.serviceWorker?.controller?.postMessage('forget');
  addEventListener('load', () => setTimeout(() => void readAhead(data.language), 500));
}

/** The files of the app that somebody needs who has come in: they are there by then. */
async function readAhead(language: string): Promise<void> {
  const { saveData = false } = (navigator as { connection?: { saveData?: boolean } }).connection ?? {};
  if (saveData) return;
  const options = { priority: 'low' } as const;
  try {
    const ahead = (await (await fetch('/ahead.json', options)).json()) as Record<string, string[]>;
    for (const file of [...(ahead.always ?? []), ...(ahead[language] ?? [])]) {
      // read to its end, or it is not kept
      await (await fetch(file, options)).arrayBuffer();
    }
  } catch {
    // fetched later, when it is needed
  }
}
