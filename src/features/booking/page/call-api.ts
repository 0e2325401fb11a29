/** An answer of a call, or why there is none; `offline` where nobody answered. */
export type CallAnswer<Body> =
  | { ok: true; body: Body }
  | {
      ok: false;
      status: number;
      code: string;
      message: string;
      fields: Record<string, string>;
    };

interface Refusal {
  code?: string;
  message?: string;
  fields?: Record<string, string>;
}

/** A call of the page to its own server. A file is sent as it is. */
export async function callApi<Body>(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  body?: object,
  options: { keepalive?: boolean; headers?: Record<string, string> } = {},
): Promise<CallAnswer<Body>> {
  const isFile = body instanceof Blob;
  try {
    const answer = await fetch(url, {
      method,
      credentials: 'same-origin',
      keepalive: options.keepalive ?? false,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
    });
    const read = (answer.status === 204 ? null : await answer.json()) as Body & { detail?: Refusal };
    if (answer.ok) return { ok: true, body: read };
    const detail = read.detail ?? {};
    return {
      ok: false,
      status: answer.status,
      code: detail.code ?? '',
      message: detail.message ?? '',
      fields: detail.fields ?? {},
    };
  } catch {
    return { ok: false, status: 0, code: 'OFFLINE', message: '', fields: {} };
  }
}
