import type { FastifyInstance } from 'fastify';
import { generalErrors } from '#kernel/contract.ts';
import { escapeHtml } from '#kernel/html.ts';
import type { App } from './app.ts';
import { type KeptText, keepText, sendKept } from './compress.ts';
import type { Feature } from './feature.ts';
import { type JsonSchema, type OpenApi, type Operation, toOpenApi } from './openapi.ts';
import { sessionCookieName } from './session-cookie.ts';

/** `GET /api/openapi.json`, and the same as a page to read at `GET /api/docs` (no script, nothing from elsewhere). */
export function addApiReference(server: FastifyInstance, features: readonly Feature[], app: App): void {
  const { publicUrl } = app.config;
  let document: OpenApi | undefined;
  let json: KeptText | undefined;
  let page: KeptText | undefined;
  // Made when somebody asks: it was a third of what the server does at its start.
  const read = () => {
    document ??= toOpenApi(features, publicUrl, sessionCookieName(publicUrl.startsWith('https:')));
    return document;
  };
  server.get('/api/openapi.json', async (request, reply) => {
    json ??= keepText(JSON.stringify(read()));
    return sendKept(request, reply.type('application/json; charset=utf-8'), json);
  });
  server.get('/api/docs', async (request, reply) => {
    page ??= keepText(renderReference(read()));
    return sendKept(request, reply.type('text/html; charset=utf-8'), page);
  });
}

const style = `
:root{color-scheme:light dark;--line:light-dark(#d9dde3,#343a43);--soft:light-dark(#f5f6f8,#1b1f25);--dim:light-dark(#59626f,#9aa5b4)}
*{box-sizing:border-box}
body{margin:0;font:16px/1.55 system-ui,sans-serif;background:light-dark(#fff,#14171c);color:light-dark(#1a1f26,#e6e9ee);display:grid;grid-template-columns:20rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem 1rem;border-inline-end:1px solid var(--line);background:var(--soft);font-size:.875rem}
nav h2{font-size:.8rem;margin:1.25rem 0 .25rem;text-transform:capitalize;color:var(--dim)}
nav ul{list-style:none;margin:0;padding:0}
nav a{display:block;padding:.2rem .4rem;border-radius:.3rem;color:inherit;text-decoration:none}
nav a:hover{background:var(--line)}
a:focus-visible{outline:2px solid #3b82f6;outline-offset:1px}
main{padding:2rem clamp(1rem,4vw,4rem);max-width:62rem}
section{border-top:1px solid var(--line);padding:1.25rem 0}
h1{margin:0 0 .5rem}h2.area{margin:2.5rem 0 .5rem;text-transform:capitalize}h3{margin:0;font-size:1.05rem}h4{margin:1rem 0 .25rem;font-size:.85rem;color:var(--dim)}
code,pre{font:.86rem/1.5 ui-monospace,monospace}code{overflow-wrap:anywhere}pre{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;overflow:auto;margin:0}
.method{display:inline-block;min-width:4.2rem;font:600 .78rem ui-monospace,monospace;color:light-dark(#0b5cad,#7fb8f5)}
.method.delete{color:light-dark(#b42318,#f59b92)}.method.post,.method.put,.method.patch{color:light-dark(#1a6b3c,#7fd6a4)}
.who{color:var(--dim);font-size:.875rem}dl{margin:0}dt{margin-top:.35rem}dd{margin:0;margin-inline-start:1rem;color:var(--dim)}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;max-height:45vh}}
`;

/** The document as one page: a list to jump from, and per call who may call, what goes in and what comes out. */
function renderReference(document: OpenApi): string {
  const list = listAreas(document).map(
    ({ name, calls }) =>
      `<h2>${escapeHtml(name)}</h2><ul>${calls
        .map(
          ({ method, path, operation }) =>
            `<li><a href="#${escapeHtml(operation.operationId)}"><span class="method ${method}">${method.toUpperCase()}</span> ${escapeHtml(path)}</a></li>`,
        )
        .join('')}</ul>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Holdfast API</title><link rel="icon" href="/icon.svg" type="image/svg+xml"><style>${style}</style></head><body>
<nav aria-label="Calls"><a href="#top"><strong>Holdfast API</strong></a>${list.join('')}<h2>errors</h2><ul><li><a href="#errors">Codes of every call</a></li></ul></nav>
<main id="top"><h1>Holdfast API</h1><p>${inline(document.info.description)} The same as <a href="/api/openapi.json">OpenAPI ${document.openapi}</a>.</p>
${renderCalls(document)}</main></body></html>`;
}

/** The calls of the API by area. */
export function listAreas(document: OpenApi) {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return document.tags.map(({ name }) => ({
    name,
    calls: operations.filter(({ operation }) => operation.tags[0] === name),
  }));
}

/** Every call, each a section under its operation's id, and the codes that any of them may refuse with. */
export function renderCalls(document: OpenApi): string {
  const body = listAreas(document).map(
    ({ name, calls }) =>
      `<h2 class="area" id="${escapeHtml(name)}">${escapeHtml(name)}</h2>${calls.map(({ method, path, operation }) => renderCall(method, path, operation)).join('')}`,
  );
  const general = Object.entries(generalErrors).map(
    ([code, meaning]) => `<dt><code>${code}</code></dt><dd>${escapeHtml(meaning)}</dd>`,
  );
  return `${body.join('')}<section id="errors"><h2 class="area">Codes of every call</h2><dl>${general.join('')}</dl></section>`;
}

function renderCall(method: string, path: string, operation: Operation): string {
  const who = operation.security.length === 0 ? 'Anybody' : 'Signed in (Bearer or cookie)';
  const inputs = operation.parameters.map(
    ({ name, in: place, required, schema }) =>
      `${name}${required ? '' : '?'}: ${typeText(schema, '')}  // in the ${place}`,
  );
  const request = operation.requestBody?.content['application/json']?.schema;
  const [status = '', answer] = Object.entries(operation.responses)[0] ?? [];
  const output = answer?.content?.['application/json']?.schema;
  const codes = operation['x-codes'];
  return `<section id="${escapeHtml(operation.operationId)}"><h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
<p>${inline(operation.summary)} <span class="who">${who}.</span></p>${inputs.length > 0 ? block('Parameters', inputs.join('\n')) : ''}${
    request ? block('Body', typeText(request, '')) : ''
  }${block(`Answer ${status}`, output ? typeText(output, '') : 'no body')}${
    codes.length > 0
      ? `<h4>Own codes</h4><p>${codes.map((code) => `<code>${escapeHtml(code)}</code>`).join(', ')}</p>`
      : ''
  }</section>`;
}

function block(title: string, text: string): string {
  return `<h4>${escapeHtml(title)}</h4><pre tabindex="0">${escapeHtml(text)}</pre>`;
}

/** A JSON schema as the type a programmer would write. */
export function typeText(schema: JsonSchema | boolean, indent: string): string {
  if (typeof schema === 'boolean') return schema ? 'any' : 'never';
  const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (options) return options.map((one) => typeText(one, indent)).join(' | ');
  if (schema.allOf) return (schema.allOf as JsonSchema[]).map((one) => typeText(one, indent)).join(' & ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return (schema.enum as unknown[]).map((one) => JSON.stringify(one)).join(' | ');
  if (schema.type === 'array') {
    const item = typeText((schema.items ?? {}) as JsonSchema, indent);
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type === 'object') return objectText(schema, indent);
  const type = typeof schema.type === 'string' ? schema.type : 'any';
  const bounds = ['minLength', 'maxLength', 'minimum', 'maximum'].flatMap((key) => {
    const bound = schema[key];
    return typeof bound === 'number' && Math.abs(bound) !== Number.MAX_SAFE_INTEGER ? [`${key} ${bound}`] : [];
  });
  const notes = [schema.description, schema.format].filter((note) => typeof note === 'string');
  const limits = [...notes, ...bounds];
  return limits.length > 0 ? `${type} /* ${limits.join(', ')} */` : type;
}

function objectText(schema: JsonSchema, indent: string): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = new Set((schema.required as string[] | undefined) ?? []);
  const inner = `${indent}  `;
  const lines = properties.map(
    ([name, one]) => `${inner}${name}${required.has(name) ? '' : '?'}: ${typeText(one, inner)};`,
  );
  const rest = schema.additionalProperties;
  if (typeof rest === 'object' && rest !== null && Object.keys(rest).length > 0) {
    lines.push(`${inner}[key: string]: ${typeText(rest as JsonSchema, inner)};`);
  }
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}

function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
