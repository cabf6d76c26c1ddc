import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StrippingProxy {
  /** URL with the prefix, and a slash at its end. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Forwards paths below a prefix without the prefix, like nginx with `proxy_pass http://faultline/`; the server receives
 * no header about it.
 */
export async function openStrippingProxy(target: string, prefix: string): Promise<StrippingProxy> {
  const { port } = new URL(target);
  const server = createServer((asked, reply) => {
    const path = asked.url ?? '/';
    if (!path.startsWith(prefix)) {
      reply.writeHead(404).end();
      return;
    }
    const onwards = request(
      { host: '127.0.0.1', port, method: asked.method, path: path.slice(prefix.length - 1), headers: asked.headers },
      (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
      },
    );
    onwards.on('error', () => reply.destroy());
    reply.on('close', () => onwards.destroy());
    asked.pipe(onwards);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`, close };
}
