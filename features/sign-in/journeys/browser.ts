interface Shown {
  readonly url: string;
  readonly text: string;
}

const ACTION = /<form[^>]* action="([^"]+)"/;
const MAX_REDIRECTS = 12;

/** Follows redirects and keeps cookies by host; runs no script. */
export function openBrowser() {
  const cookies = new Map<string, string>();
  const request = async (url: string, body?: URLSearchParams): Promise<Response> => {
    const reply = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body !== undefined && { body }),
    });
    for (const cookie of reply.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    return reply;
  };
  const follow = async (first: string, body?: URLSearchParams): Promise<Shown> => {
    let [url, reply] = [first, await request(first, body)];
    for (let step = 0; step < MAX_REDIRECTS; step += 1) {
      const next = reply.headers.get('location');
      if (next === null) break;
      url = new URL(next, url).href;
      reply = await request(url);
    }
    return { url, text: await reply.text() };
  };
  return {
    open: (url: string): Promise<Shown> => follow(url),
    submit: ({ url, text }: Shown, fields: Readonly<Record<string, string>>): Promise<Shown> => {
      const action = ACTION.exec(text)?.[1];
      if (action === undefined) throw new Error(`No form at ${url}: ${text.slice(0, 500)}`);
      return follow(new URL(action, url).href, new URLSearchParams(fields));
    },
  };
}
