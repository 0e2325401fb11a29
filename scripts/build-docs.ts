import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Marked } from 'marked';
import { escapeHtml } from '#kernel/html.ts';

/**
 * `npm run docs`: the Markdown of the repository as a site in dist/docs. It asks no other host for anything, reads without script,
 * and searches in the browser.
 */
const root = join(import.meta.dirname, '..');
const sections: readonly { title: string; files: readonly string[] }[] = [
  { title: 'Start', files: ['README.md', 'docs/self-hosting.md', 'docs/providers.md', 'docs/webhooks.md'] },
  { title: 'Operate', files: ['docs/operating.md', 'SECURITY.md', 'docs/performance.md', 'CHANGELOG.md'] },
  { title: 'Change', files: ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/glossary.md', 'docs/security-tests.md'] },
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
  text: string;
}

export function renderPage(file: string, markdown: string, known: ReadonlySet<string>): Page {
  const page: Page = { file, title: file, html: '', anchors: [], links: [], text: '' };
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
        if (/^[a-z]+:/.test(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${inner}</a>`;
        const [path = '', anchor] = href.split('#');
        const target = path === '' ? file : join(dirname(file), path);
        // what is no page is a file of the repository, which the site does not have
        if (!known.has(target)) return `<code>${inner.replace(/<\/?code>/g, '')}</code>`;
        const behind = anchor === undefined ? '' : `#${anchor}`;
        page.links.push(`${addressOf(target)}${behind}`);
        return `<a href="${relative(here, addressOf(target)) || addressOf(target)}${behind}">${inner}</a>`;
      },
      // pictures would be most of the site's weight; the repository has them
      image: ({ text }) => `<em>${escapeHtml(text)}</em>`,
      table(token) {
        const row = (cells: typeof token.header, tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        return `<div class="wide" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${token.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>`;
      },
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

/** Every page of the site. *Errors*: Error for a link whose page has no such heading. */
export function renderPages(): Page[] {
  const files = sections.flatMap((section) => section.files);
  const known = new Set(files);
  const pages = files.map((file) => renderPage(file, readFileSync(join(root, file), 'utf8'), known));
  const places = new Set(pages.flatMap(({ file, anchors }) => anchors.map((anchor) => `${addressOf(file)}#${anchor}`)));
  for (const { file, links } of pages) {
    const lost = links.find((link) => link.includes('#') && !places.has(link));
    if (lost !== undefined) throw new Error(`${file} links to ${lost}, which is not there`);
  }
  return pages;
}

const style = `:root{color-scheme:light dark;--line:light-dark(#dfe3ea,#2c313b);--soft:light-dark(#f5f6f8,#1b1e24);--dim:light-dark(#535b69,#a3abb8);--link:light-dark(#1d5fb4,#7fb4f5)}
*{box-sizing:border-box}body{margin:0;display:grid;grid-template-columns:17rem minmax(0,1fr);font:16px/1.65 system-ui,sans-serif;background:light-dark(#fff,#14161a);color:light-dark(#1b1f27,#e6e8ec)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.25rem;border-right:1px solid var(--line);font-size:.9rem}nav ul{list-style:none;margin:0 0 1rem;padding:0}nav h2{font-size:.75rem;text-transform:uppercase;color:var(--dim);margin:1rem 0 .25rem}nav li{margin:.2rem 0}
main{max-width:48rem;padding:2rem 1.5rem 5rem}a{color:var(--link)}nav a{text-decoration:none}a[aria-current]{font-weight:600}h1,h2,h3{line-height:1.25;scroll-margin-top:1rem}code,pre{font:.875em/1.55 ui-monospace,monospace}pre{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;overflow:auto}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem}th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line)}input{width:100%;font:inherit;padding:.4rem .6rem;border:1px solid var(--dim);border-radius:.4rem;background:transparent;color:inherit}
@media(max-width:52rem){body{display:block}nav{position:static;height:auto;max-height:45vh;border-right:0;border-bottom:1px solid var(--line)}}`;

/** Pages that hold every word, best first: words in the title count more. */
const script = `const box=document.getElementById('q'),out=document.getElementById('found');let pages;
box.closest('div').hidden=false;box.addEventListener('input',()=>{pages??=SEARCH;const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);
const hits=words.length?pages.map(p=>({p,n:words.every(w=>p[2].includes(w)||p[1].toLowerCase().includes(w))?words.reduce((n,w)=>n+(p[1].toLowerCase().includes(w)?20:0)+p[2].split(w).length,0):0})).filter(h=>h.n).sort((a,b)=>b.n-a.n).slice(0,12):[];
out.replaceChildren(...hits.map(({p})=>{const li=document.createElement('li'),a=document.createElement('a');a.href=BASE+p[0];a.textContent=p[1];li.append(a);return li}));
out.previousElementSibling.textContent=words.length?hits.length+' found':''});`;

function document(page: Page, pages: readonly Page[]): string {
  const address = addressOf(page.file);
  const base = address.includes('/') ? '../' : '';
  const menu = sections.map(({ title, files }) => {
    const items = files.map((file) => {
      const current = file === page.file ? ' aria-current="page"' : '';
      const name = pages.find((one) => one.file === file)?.title ?? file;
      return `<li><a href="${base}${addressOf(file)}"${current}>${name}</a></li>`;
    });
    return `<h2>${title}</h2><ul>${items.join('')}</ul>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'self' 'unsafe-inline'"><title>${page.title} – Holdfast</title><style>${style}</style></head><body>
<nav aria-label="Pages"><div hidden><label for="q">Search</label><input id="q" type="search"><p role="status"></p><ul id="found"></ul></div>${menu.join('')}</nav>
<main>${page.html}</main><script>const BASE='${base}'</script><script src="${base}search.js" defer></script></body></html>
`;
}

if (import.meta.main) {
  const out = join(root, 'dist/docs');
  rmSync(out, { recursive: true, force: true });
  const pages = renderPages();
  for (const page of pages) {
    const path = join(out, addressOf(page.file));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, document(page, pages));
  }
  const index = pages.map(({ file, title, text }) => [addressOf(file), title, text.toLowerCase()]);
  writeFileSync(join(out, 'search.js'), `const SEARCH=${JSON.stringify(index)};\n${script}\n`);
  console.log(`dist/docs: ${pages.length} pages. Open dist/docs/index.html, or serve the directory.`);
}
