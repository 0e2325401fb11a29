import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { aheadList, serviceWorker } from './scripts/build-service-worker.ts';

const server = process.env.HOLDFAST_SERVER ?? 'http://127.0.0.1:3000';

/** Fields, dialogs and lists come with the first screen that opens one, and a first visit opens none. */
const openedLater =
  'ActionIcon|Checkbox|CloseButton|Combobox|FloatingArrow|FocusTrap|IconSelector|Input|InlineInput|InputBase|InputsGroupFieldset|Loader|Modal|' +
  'ModalBase|NativeSelect|Overlay|Paper|Popover|Portal|ScrollArea|TextInput|UnstyledButton|VisuallyHidden|choice|dialog|' +
  'get-auto-contrast-value|refusal|text-field|use-debounced-callback|use-focus-return|use-focus-trap|use-returned-focus';

/** Packages that every screen needs, in chunks that stay the same while the app changes. */
const vendorChunks = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  // without what only some screens have: lists that go on, questions before one leaves
  { name: 'router', test: /node_modules\/@tanstack\/(?!.*\/(?:infiniteQuery|useInfiniteQuery|useBlocker))/ },
  { name: 'i18n', test: /node_modules\/(i18next|react-i18next)\// },
  // Contracts repeat each other's words: together they weigh 1.5 KB less.
  {
    name: 'contracts',
    test: /src\/(?:kernel\/(?!recurrence|time)|features\/(?:accounts\/rules\/session|calendar\/(?:contract|rules\/)))|node_modules\/zod\//,
    minShareCount: 3,
    includeDependenciesRecursively: false,
  },
  // As four chunks what every calendar needs of time weighs 0.6 KB more.
  {
    name: 'time',
    test: /src\/kernel\/time\/(?:civil|intervals|local|zones)\.ts/,
    includeDependenciesRecursively: false,
  },
  // What most screens have of the design system, as one chunk: as a dozen small ones it weighs 4 KB more.
  {
    name: 'ui',
    test: new RegExp(`^(?!.*/(?:${openedLater})\\b).*(?:node_modules/(?:@mantine|@tabler|clsx)/|src/ui/)`),
    minShareCount: 18,
    includeDependenciesRecursively: false,
  },
];

/** Chunks and styles of the first picture. */
const alwaysThere =
  /^assets\/(?:app|contracts|i18n|index|react|rolldown-runtime|router|session|ui)-[\w-]{8}\.(?:js|css)$/;

/** What a call is for is told by the server's reference; browsers do not download it. */
const withoutSummaries: Plugin = {
  name: 'contracts-without-summaries',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/(?:contract|rules\/[\w-]+-endpoints)\.ts$/ },
    handler: (code) => ({ code: code.replace(/^ +summary:\s*(?:'(?:[^'\\]|\\.)*'|"[^"]*"),$/gm, ''), map: null }),
  },
};

export default defineConfig({
  root: 'src/web',
  publicDir: '../../public',
  plugins: [withoutSummaries, react(), serviceWorker, aheadList],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // Older targets make lightningcss rewrite light-dark() into variables that nobody sets: colours vanish.
    target: ['chrome125', 'safari17.5', 'firefox125'],
    manifest: true,
    sourcemap: true,
    modulePreload: {
      // What the entry brings need not be named again by each part that comes later; and what the calendar opens later is
      // named by its styles alone, its modules name each other: 1.7 KB of the first visit.
      resolveDependencies: (_file, files, { hostId }) => {
        if (/\/index-[^/]+$/.test(hostId) || hostId.endsWith('.html')) return files;
        const isCalendar = hostId.includes('/calendar-page-');
        return files.filter((file) => !alwaysThere.test(file) && !(isCalendar && file.endsWith('.js')));
      },
    },
    rolldownOptions: { output: { codeSplitting: { groups: vendorChunks } } },
  },
  server: {
    port: 5173,
    // Pages and calls share paths (/meetings, /integrations): a request for HTML is a page and stays here.
    proxy: {
      // the pages at which people come in are the server's
      '^/((login|signup|verify-email|admin/login|password/(forgot|reset)|mfa/verify|assets/pages/.*)(\\?|$)|\\?token=)':
        { target: server },
      '^/(api|analytics|auth|integrations|meetings|events|mirrors|calendars|meeting-links|provider|dev)(/|$|\\?)': {
        target: server,
        bypass: ({ url = '', headers }) =>
          headers.accept?.includes('text/html') && !/^\/(provider|dev)\//.test(url) ? '/index.html' : undefined,
      },
    },
  },
});
