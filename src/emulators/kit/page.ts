import { html, Markup } from '#kernel/html.ts';
import { htmlReply, type Reply } from './exchange.ts';

export interface PageOptions {
  title: string;
  /** Provider branding: the color of the mark beside the name. */
  brand: { name: string; color: string };
  body: Markup;
  status?: number;
}

/** A page of a simulated provider: one file, no script, light and dark, from 320 px on. It says that it is simulated. */
export function pageReply({ title, brand, body, status = 200 }: PageOptions): Reply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body style="--brand: ${brand.color}">
<header class="bar"><span class="mark" aria-hidden="true"></span><strong>${brand.name}</strong><span class="note">simulated</span></header>
<main>${body}</main>
</body>
</html>`;
  return htmlReply(status, page.text);
}

const STYLE = `
:root { --ink: #1c2024; --soft: #5b636e; --line: #dfe3e8; --ground: #f6f7f9; --card: #fff; --field: #fff; --danger: #b42318; --shade: #eef1f4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eceef0; --soft: #a3abb6; --line: #333a42; --ground: #14171a; --card: #1c2024; --field: #14171a; --danger: #ff9c92; --shade: #262b31; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
.bar { display: flex; align-items: center; gap: 10px; padding: 12px 20px; background: var(--card); border-bottom: 1px solid var(--line); }
.mark { width: 14px; height: 14px; border-radius: 4px; background: var(--brand); }
.note { color: var(--soft); font-size: 13px; border: 1px solid var(--line); border-radius: 999px; padding: 0 8px; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 20px 64px; }
h1 { font-size: 22px; line-height: 1.25; margin: 0 0 4px; }
h2 { font-size: 14px; margin: 0; }
p { margin: 0 0 12px; }
.soft { color: var(--soft); }
.foot { margin: 20px 0 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 20px; }
.narrow { max-width: 460px; margin: 24px auto 0; }
a { color: inherit; text-underline-offset: 3px; }
button, .button { font: inherit; font-weight: 500; padding: 7px 14px; min-height: 36px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); color: var(--ink); text-decoration: none; cursor: pointer; display: inline-flex; align-items: center; }
button:hover, .button:hover { background: var(--shade); }
.main { background: var(--ink); border-color: var(--ink); color: var(--card); }
.main:hover { background: var(--ink); opacity: .9; }
.danger { color: var(--danger); }
:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
.row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.between { justify-content: space-between; }
label { display: block; font-weight: 500; }
label.check { display: flex; gap: 10px; align-items: flex-start; font-weight: 400; padding: 6px 0; }
label.check input { width: 18px; height: 18px; margin: 2px 0 0; flex: none; accent-color: var(--brand); }
input:not([type=checkbox], [type=radio]), select { font: inherit; width: 100%; min-height: 38px; margin-top: 4px; padding: 6px 10px; border: 1px solid var(--line); border-radius: 8px; background: var(--field); color: var(--ink); }
fieldset { border: 0; padding: 0; margin: 0 0 16px; }
fieldset ul { margin: 4px 0 0; padding-inline-start: 20px; }
legend { font-weight: 600; padding: 0; margin-bottom: 4px; }
.fields { display: grid; gap: 12px; grid-template-columns: repeat(auto-fit, minmax(140px, 1fr)); align-items: end; margin-bottom: 16px; }
.week { display: grid; gap: 8px; grid-template-columns: repeat(7, minmax(0, 1fr)); margin: 20px 0; }
.day { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 10px; min-height: 140px; }
.day.today { border-color: var(--brand); }
.day h2 { display: flex; justify-content: space-between; color: var(--soft); font-weight: 500; margin-bottom: 6px; }
.day.today h2 { color: var(--ink); font-weight: 700; }
.event { display: block; border-radius: 8px; padding: 5px 8px; margin-top: 6px; background: var(--shade); border-left: 3px solid var(--tone, var(--brand)); text-decoration: none; overflow-wrap: anywhere; font-size: 13px; line-height: 1.35; }
.event:hover { filter: brightness(.97); }
.event .at { color: var(--soft); display: block; }
.event.free { background: none; border: 1px dashed var(--line); border-left: 3px dashed var(--tone, var(--brand)); }
.event.declined .what { text-decoration: line-through; color: var(--soft); }
.tag { font-size: 12px; color: var(--soft); }
ul.plain { list-style: none; margin: 12px 0 0; padding: 0; display: grid; gap: 8px; }
.pick { display: flex; gap: 12px; align-items: center; padding: 12px; border: 1px solid var(--line); border-radius: 10px; text-decoration: none; background: var(--card); }
.face { width: 36px; height: 36px; border-radius: 50%; background: var(--brand); color: #fff; display: grid; place-items: center; font-weight: 600; flex: none; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 6px 16px; margin: 16px 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 760px) {
  main { padding: 20px 16px 48px; }
  .week { grid-template-columns: 1fr; }
  .day { min-height: 0; }
  nav { margin: 4px 0 12px; }
  .day:not(.today):not(:has(.event)) { display: none; }
}
`;
