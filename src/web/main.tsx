import { createRoot } from 'react-dom/client';
import { startTranslations, usualTag } from './i18n.ts';

async function start(): Promise<void> {
  // Safari before 26 and Chromium before 144 have no Temporal; the app's modules need it when they are evaluated.
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
  const [{ App }] = await Promise.all([import('./app.tsx'), startTranslations(usualTag())]);
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  createRoot(root).render(<App />);
}

void start();
