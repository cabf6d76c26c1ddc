import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { until } from './until.ts';

/** Reaction of the receiver to one delivery: answers with a status, at once or late, or not at all. */
type Reaction =
  | number
  | { readonly status: number; readonly afterMs: number }
  | { readonly redirectTo: string }
  | 'hang'
  | 'hang-up';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes; tests compare them.
  readonly body: any;
  /** True if the signature was that of the secret; null while no secret is known. */
  readonly verified: boolean | null;
}

export interface HookReceiver {
  /** URL with a path of its own for each webhook to be distinguished. */
  readonly url: string;
  readonly received: Received[];
  /** Requests whose connection is open. */
  readonly inFlight: () => number;
  /** The most that were in flight at once. */
  readonly peak: () => number;
  /** The next reactions, one per delivery; after them the usual one. */
  next(...reactions: readonly Reaction[]): void;
  /** Sets the default reaction: 200. */
  always(reaction: Reaction): void;
  /** Verifies later deliveries by this secret, like a receiver with the library; times are not checked. */
  verifyWith(secret: string): void;
  /** Resolves when this number of deliveries has arrived. */
  count(deliveries: number): Promise<void>;
  stop(): Promise<void>;
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString('utf8');
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The library refuses times that are not now, and tests set the clock: the same check with the time of the delivery. */
const isSigned = (secret: string, headers: IncomingHttpHeaders, text: string): boolean => {
  const [id, seconds, signatures] = [
    String(headers['webhook-id']),
    Number(headers['webhook-timestamp']),
    String(headers['webhook-signature']),
  ];
  const expected = new Webhook(secret).sign(id, new Date(seconds * 1_000), text);
  return signatures.split(' ').includes(expected);
};

const react = (reaction: Reaction, response: ServerResponse): void => {
  if (reaction === 'hang') return;
  if (reaction === 'hang-up') response.destroy();
  else if (typeof reaction === 'number') response.writeHead(reaction).end('thanks');
  else if ('redirectTo' in reaction) response.writeHead(307, { location: reaction.redirectTo }).end();
  else setTimeout(() => response.writeHead(reaction.status).end(), reaction.afterMs);
};

/** A real receiver of webhooks on loopback, controlled by the test. */
export const openHookReceiver = async (): Promise<HookReceiver> => {
  const received: Received[] = [];
  let planned: Reaction[] = [];
  let usual: Reaction = 200;
  let secret: string | null = null;
  let [inFlight, peak] = [0, 0];
  const server = createServer(async (request, response) => {
    inFlight += 1;
    peak = Math.max(peak, inFlight);
    response.once('close', () => {
      inFlight -= 1;
    });
    const { headers, url = '' } = request;
    const text = await textOf(request);
    const verified = secret === null ? null : isSigned(secret, headers, text);
    received.push({ path: url, headers, text, body: jsonOf(text), verified });
    react(planned.shift() ?? usual, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    inFlight: () => inFlight,
    peak: () => peak,
    next(...reactions) {
      planned = [...planned, ...reactions];
    },
    always(reaction) {
      usual = reaction;
    },
    verifyWith(value) {
      secret = value;
    },
    count: (deliveries) => until(async () => received.length >= deliveries),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
