import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Marked } from 'marked';
import { escapeHtml } from '#kernel/html.ts';
import { listAreas, renderCalls } from '#platform/api-reference.ts';
import { settings } from '#platform/config.ts';
import { type OpenApi, toOpenApi } from '#platform/openapi.ts';
import { sessionCookieName } from '#platform/session-cookie.ts';
import { features } from '../src/features.ts';

/**
 * `npm run docs`: the Markdown of the repository as a site in dist/docs. It asks no other host for anything, reads without script,
 * and searches in the browser.
 */
const root = join(import.meta.dirname, '..');
/** Made of the contracts, and of .env.example with what is checked of each setting: there is no Markdown of them. */
const apiFile = 'docs/api.md';
const settingsFile = 'docs/settings.md';
export const sections: readonly { title: string; files: readonly string[] }[] = [
  {
    title: 'Start',
    files: [
      'README.md',
      'docs/self-hosting.md',
      settingsFile,
      'docs/providers.md',
      'docs/faq.md',
      'docs/comparison.md',
    ],
  },
  { title: 'Use', files: list('docs/help') },
  {
    title: 'Operate',
    files: [
      'docs/operating.md',
      'docs/reliability.md',
      'docs/scaling.md',
      'docs/performance.md',
      'SECURITY.md',
      'CHANGELOG.md',
    ],
  },
  { title: 'Build on it', files: [apiFile, 'docs/webhooks.md', 'docs/embedding.md'] },
  {
    title: 'Change',
    files: [
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'docs/release.md',
      'docs/style.md',
      'docs/glossary.md',
      'docs/security-tests.md',
    ],
  },
  { title: 'Decisions', files: list('docs/decisions') },
];

function list(dir: string): string[] {
  return readdirSync(join(root, dir))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${dir}/${name}`);
}

/** `docs/decisions/0001-x.md` is `decisions/0001-x.html`; the README is the first page. */
export function addressOf(file: string): string {
  const bare = file.replace(/^docs\//, '').replace(/\.md$/, '');
  return `${bare === 'README' ? 'index' : bare}.html`;
}

/** As the headings of the repository are linked to: `A provider fails` is `a-provider-fails`. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/<[^>]*>|&[a-z#0-9]+;|[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');
}

export interface Page {
  file: string;
  title: string;
  html: string;
  anchors: string[];
  /** Addresses of other pages, with what stands behind `#`. */
  links: string[];
  /** Other files of the repository that it names. */
  names: string[];
  text: string;
}

export function renderPage(file: string, markdown: string, known: ReadonlySet<string>): Page {
  const page: Page = { file, title: file, html: '', anchors: [], links: [], names: [], text: '' };
  const here = dirname(addressOf(file));
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        const anchor = anchorOf(inner);
        if (depth === 1) page.title = inner.replace(/<[^>]*>/g, '');
        page.anchors.push(anchor);
        return `<h${depth} id="${anchor}">${inner}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        // a screen of the product, as the help names them
        if (href.startsWith('/')) return `<strong>${inner}</strong>`;
        if (/^[a-z]+:/.test(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${inner}</a>`;
        const [path = '', anchor] = href.split('#');
        const target = path === '' ? file : join(dirname(file), path);
        // a link to a repository file that is not a page of the site
        if (!known.has(target)) {
          page.names.push(target);
          return `<code>${inner.replace(/<\/?code>/g, '')}</code>`;
        }
        const behind = anchor === undefined ? '' : `#${anchor}`;
        page.links.push(`${addressOf(target)}${behind}`);
        return `<a href="${relative(here, addressOf(target)) || addressOf(target)}${behind}">${inner}</a>`;
      },
      image({ href, text }) {
        page.names.push(join(dirname(file), href));
        const src = relative(here, addressOf(join(dirname(file), href)).replace(/\.html$/, ''));
        return `<img src="${escapeHtml(src)}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      table(token) {
        const row = (cells: typeof token.header, tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        return `<div class="wide" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${token.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>`;
      },
      // a block may be wider than a phone: keys have to get there
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      html: ({ text }) => escapeHtml(text),
    },
  });
  page.html = marked.parse(markdown, { async: false });
  page.text = page.html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return page;
}

/** Every call of the product, from the same contracts that check what comes in. */
export function readApi(): OpenApi {
  const publicUrl = 'https://calendar.example.org';
  return toOpenApi(features, publicUrl, sessionCookieName(true));
}

function renderApi(api: OpenApi): Page {
  const areas = listAreas(api);
  const list = areas.map(
    ({ name, calls }) =>
      `<details><summary>${escapeHtml(name)} <span>${calls.length}</span></summary><ul>${calls
        .map(
          ({ method, path, operation }) =>
            `<li><a href="#${operation.operationId}"><span class="method">${method.toUpperCase()}</span> ${escapeHtml(path)}</a></li>`,
        )
        .join('')}</ul></details>`,
  );
  const anchors = areas.flatMap(({ name, calls }) => [name, ...calls.map(({ operation }) => operation.operationId)]);
  return {
    file: apiFile,
    title: 'API',
    html: `<h1 id="api">API</h1><p>${escapeHtml(api.info.description).replace(/`([^`]+)`/g, '<code>$1</code>')}</p>
<p>Made of the contracts that check each request. A running Holdfast serves the same as <code>/api/docs</code> and <code>/api/openapi.json</code>;
it is here, too: <a href="openapi.json">openapi.json</a> (OpenAPI ${api.openapi}). A session token comes from <code>POST /auth/login</code>; administrators make keys
with scopes in the console.</p><div class="calls">${list.join('')}</div>${renderCalls(api)}`,
    anchors: ['api', 'errors', ...anchors],
    links: [],
    names: [],
    text: areas.map(({ calls }) => calls.map(({ operation }) => operation.summary).join(' ')).join(' '),
  };
}

/** Renders the settings of .env.example, each with a valid value. */
export function describeSettings(example: string): string {
  const [, ...blocks] = example.split(/\n\n+/);
  const parts = blocks.map((block) => {
    const lines = block.split('\n');
    const isSetting = (line: string) => /^#?[A-Z_]+=/.test(line);
    const rows = lines.filter(isSetting).map((line) => {
      const [name = ''] = line.replace(/^#/, '').split('=', 1);
      const { expected } = settings[name as keyof typeof settings];
      // an address in plain text would become a link
      return `- \`${line.replace(/^#/, '')}\`: ${expected.replace(/(?<!`)https?:\/\/[^\s,]+/g, '`$&`')}`;
    });
    const said = lines.filter((line) => line.startsWith('# ')).map((line) => line.slice(2));
    return `${said.join(' ')}\n\n${rows.join('\n')}`;
  });
  return `# Settings\n\nSet environment variables, or add lines to a file \`.env\` beside \`package.json\`. All settings are optional and read when Holdfast starts. An invalid value stops the start with a line that names the expected value. The value after = is the default, or an example.\n\n${parts.join('\n\n')}\n`;
}

const readText = (file: string) =>
  file === settingsFile
    ? describeSettings(readFileSync(join(root, '.env.example'), 'utf8'))
    : readFileSync(join(root, file), 'utf8');

/** Every page of the site. *Errors*: Error for a link to a heading or a file that is not there. */
export function renderPages(api = readApi()): Page[] {
  const files = sections.flatMap((section) => section.files);
  const known = new Set(files);
  const pages = files.map((file) => (file === apiFile ? renderApi(api) : renderPage(file, readText(file), known)));
  const places = new Set(pages.flatMap(({ file, anchors }) => anchors.map((anchor) => `${addressOf(file)}#${anchor}`)));
  for (const { file, links, names } of pages) {
    const lost =
      links.find((link) => link.includes('#') && !places.has(link)) ??
      names.find((name) => !existsSync(join(root, name)));
    if (lost !== undefined) throw new Error(`${file} links to ${lost}, which is not there`);
  }
  return pages;
}

const style = `:root{color-scheme:light dark;--line:light-dark(#dfe3ea,#2c313b);--soft:light-dark(#f5f6f8,#1b1e24);--dim:light-dark(#535b69,#a3abb8);--link:light-dark(#4b3fc4,#aaa4ff);--back:light-dark(#fff,#14161a);--mark:light-dark(#eceafc,#2b2750)}
:root[data-scheme=light]{color-scheme:light}:root[data-scheme=dark]{color-scheme:dark}
*{box-sizing:border-box}body{margin:0;display:grid;grid-template-columns:18rem minmax(0,1fr);font:16px/1.65 system-ui,sans-serif;background:var(--back);color:light-dark(#1b1f27,#e6e8ec)}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;z-index:2;background:var(--back);padding:.5rem}
header{grid-column:1/-1;position:sticky;top:0;z-index:1;display:flex;gap:1rem;align-items:center;height:3.5rem;padding:0 1.25rem;background:var(--back);border-bottom:1px solid var(--line)}
header a.home{font-weight:650;color:inherit;text-decoration:none}header .search{flex:1;max-width:26rem;margin-left:auto;position:relative}
header button{font:inherit;font-size:.875rem;color:inherit;background:none;border:1px solid var(--dim);border-radius:.4rem;padding:.25rem .6rem;min-height:2.25rem;cursor:pointer}
input{width:100%;font:inherit;min-height:2.25rem;padding:.3rem .7rem;border:1px solid var(--dim);border-radius:.4rem;background:transparent;color:inherit}
.out{position:absolute;left:0;right:0;top:100%;margin:.25rem 0 0;background:var(--back);border:1px solid var(--line);border-radius:.5rem;box-shadow:0 8px 24px rgb(0 0 0/.18);max-height:70vh;overflow:auto}.out:not(:has(li)):not(:has(p:not(:empty))){display:none}
.out p{margin:0;padding:.4rem .75rem;font-size:.8rem;color:var(--dim)}.out ul{list-style:none;margin:0;padding:0}.out a{display:block;padding:.4rem .75rem;text-decoration:none;border-top:1px solid var(--line)}.out a:hover,.out a:focus{background:var(--soft)}.out small{display:block;color:var(--dim);line-height:1.4}
nav{position:sticky;top:3.5rem;height:calc(100vh - 3.5rem);overflow:auto;padding:.5rem 1.25rem 2rem;border-right:1px solid var(--line);font-size:.9rem}nav ul{list-style:none;margin:0 0 1rem;padding:0}nav h2{font-size:.75rem;text-transform:uppercase;letter-spacing:.04em;color:var(--dim);margin:1.25rem 0 .25rem}
nav a{display:block;padding:.2rem .5rem;margin:0 -.5rem;border-radius:.35rem;text-decoration:none;color:inherit}nav a:hover{background:var(--soft)}nav a[aria-current]{font-weight:600;background:var(--mark)}nav>details>summary{display:none}
main{min-width:0;max-width:52rem;padding:1.5rem 2rem 4rem}a{color:var(--link)}a:focus-visible,button:focus-visible,input:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--link);outline-offset:2px}
h1,h2,h3,h4{line-height:1.25;scroll-margin-top:4.5rem}h1{font-size:2rem;margin:.5rem 0 1rem}h2{margin-top:2.25rem}code,pre{font:.875em/1.55 ui-monospace,monospace}p code,li code,td code{background:var(--soft);padding:.1em .3em;border-radius:.25rem;overflow-wrap:anywhere}pre{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;overflow:auto}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem}th,td{text-align:left;vertical-align:top;padding:.45rem 1rem .45rem 0;border-bottom:1px solid var(--line)}img{max-width:100%;height:auto;border:1px solid var(--line);border-radius:.5rem}
.next{display:flex;justify-content:space-between;gap:1rem;margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line)}.next a:last-child{margin-left:auto;text-align:right}
section{border-top:1px solid var(--line);padding:1rem 0;scroll-margin-top:4rem}.area{text-transform:capitalize}section h3{margin:0;font-size:1.05rem;overflow-wrap:anywhere}section h4{margin:1rem 0 .25rem;font-size:.85rem;color:var(--dim)}.method{display:inline-block;min-width:4rem;font:600 .78rem ui-monospace,monospace;color:var(--link)}.who,dd{color:var(--dim)}
.calls details{border-bottom:1px solid var(--line)}.calls summary{padding:.4rem 0;cursor:pointer;text-transform:capitalize}.calls summary span{color:var(--dim)}.calls ul{list-style:none;margin:0 0 .5rem;padding:0}.calls a{text-decoration:none;overflow-wrap:anywhere}
@media(max-width:56rem){body{display:block}header{gap:.6rem;padding:0 1rem}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line);padding:.25rem 1rem}nav>details>summary{display:block;padding:.6rem 0;font-weight:600;cursor:pointer}main{padding:1rem 1rem 3rem}h1{font-size:1.6rem}.out{position:fixed;top:3.5rem;left:1rem;right:1rem}}
@media(min-width:56.01rem){nav>details::details-content{content-visibility:visible}}`;

/** Pages and calls that hold every word, best first: words in the title count more. */
const script = `const root=document.documentElement,box=document.getElementById('q'),list=document.getElementById('found'),told=list.previousElementSibling;
const dark=()=>(root.dataset.scheme??(matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light'))==='dark';
try{const kept=localStorage.getItem('docs-scheme');if(kept)root.dataset.scheme=kept}catch{}
const button=document.getElementById('scheme');const name=()=>{button.textContent=dark()?'Light':'Dark'};name();
button.addEventListener('click',()=>{root.dataset.scheme=dark()?'light':'dark';name();try{localStorage.setItem('docs-scheme',root.dataset.scheme)}catch{}});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change',name);
document.querySelectorAll('[data-script]').forEach((one)=>{one.hidden=false});
const narrow=matchMedia('(max-width: 56rem)'),menu=document.querySelector('nav details');const fold=()=>{menu.open=!narrow.matches};fold();narrow.addEventListener('change',fold);
const count=(text,word)=>text.split(word).length-1;
const show=()=>{const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);
const hits=words.length?SEARCH.map((p)=>{const title=p[1].toLowerCase();return{p,n:words.every((w)=>title.includes(w)||p[2].toLowerCase().includes(w))?words.reduce((n,w)=>n+(title.includes(w)?20:0)+Math.min(10,count(p[2].toLowerCase(),w)),0):0}}).filter((h)=>h.n).sort((a,b)=>b.n-a.n):[];
list.replaceChildren(...hits.slice(0,12).map(({p})=>{const li=document.createElement('li'),a=document.createElement('a'),small=document.createElement('small');a.href=BASE+p[0];a.textContent=p[1];
const at=Math.max(0,p[2].toLowerCase().indexOf(words[0])-40);small.textContent=(at?'… ':'')+p[2].slice(at,at+120)+' …';a.append(small);li.append(a);return li}));
told.textContent=words.length?(hits.length||'Nothing')+' found':''};
box.addEventListener('input',show);addEventListener('keydown',(event)=>{if(event.key==='/'&&document.activeElement!==box&&!event.ctrlKey&&!event.metaKey){event.preventDefault();box.focus()}
if(event.key==='Escape'&&box.value){box.value='';show();box.focus()}});`;

function document(page: Page, pages: readonly Page[]): string {
  const address = addressOf(page.file);
  const base = address.includes('/') ? '../' : '';
  const link = (one: Page, more = '') => `<a href="${base}${addressOf(one.file)}"${more}>${one.title}</a>`;
  const menu = sections.map(({ title, files }) => {
    const items = files.map((file) => {
      const one = pages.find((other) => other.file === file) as Page;
      return `<li>${link(one, one === page ? ' aria-current="page"' : '')}</li>`;
    });
    return `<h2>${title}</h2><ul>${items.join('')}</ul>`;
  });
  const at = pages.indexOf(page);
  const [before, after] = [pages[at - 1], pages[at + 1]];
  const around = [before && link(before, ' rel="prev"'), after && link(after, ' rel="next"')].filter(Boolean).join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; script-src 'self' 'unsafe-inline'"><title>${page.title} – Holdfast</title><link rel="icon" href="${base}icon.svg" type="image/svg+xml"><style>${style}</style></head><body>
<a class="skip" href="#content">Skip to the page</a>
<header><a class="home" href="${base}index.html">Holdfast</a><div class="search" data-script hidden><input id="q" type="search" placeholder="Search ( / )" aria-label="Search the documentation" autocomplete="off"><div class="out"><p role="status"></p><ul id="found"></ul></div></div><button id="scheme" type="button" data-script hidden>Dark</button></header>
<nav aria-label="Pages"><details open><summary>Pages</summary>${menu.join('')}</details></nav>
<main id="content">${page.html}<div class="next">${around}</div></main><script>const BASE='${base}'</script><script src="${base}search.js" defer></script></body></html>
`;
}

/** Writes the site into a directory, whatever was there. */
export function buildSite(out: string): number {
  rmSync(out, { recursive: true, force: true });
  const api = readApi();
  const pages = renderPages(api);
  for (const page of pages) {
    const path = join(out, addressOf(page.file));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, document(page, pages));
  }
  const index = pages.map(({ file, title, text }) => [addressOf(file), title, text]);
  for (const { calls } of listAreas(api)) {
    for (const { method, path, operation } of calls)
      index.push([
        `${addressOf(apiFile)}#${operation.operationId}`,
        `${method.toUpperCase()} ${path}`,
        operation.summary,
      ]);
  }
  writeFileSync(join(out, 'search.js'), `const SEARCH=${JSON.stringify(index)};\n${script}\n`);
  cpSync(join(root, 'public/icon.svg'), join(out, 'icon.svg'));
  cpSync(join(root, 'docs/pictures'), join(out, 'pictures'), { recursive: true });
  writeFileSync(join(out, 'openapi.json'), `${JSON.stringify(api)}\n`);
  return pages.length;
}

if (import.meta.main) {
  const count = buildSite(join(root, 'dist/docs'));
  console.log(`dist/docs: ${count} pages. Open dist/docs/index.html, or serve the directory.`);
}
