import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

/** A moment between a client and its server: before a request is forwarded, or before its answer is. */
interface Moment {
  /** Start of the request, for example `POST /_bulk`. */
  readonly request: RegExp;
  readonly when: 'asked' | 'answered';
  readonly strike: () => void;
}

/** A proxy between a client and its server, which can cut the connection. */
export interface Gate {
  readonly port: number;
  /** Cuts every connection and refuses new ones, until `open`. */
  refuse(): void;
  open(): void;
  /** Strikes at the next such moment; null: no more. */
  strikeAt(moment: Moment | null): void;
  close(): Promise<void>;
}

const BEGIN = 200;
const beginOf = (chunk: Buffer): string => chunk.subarray(0, BEGIN).toString('latin1');

export const openGate = async (host: string, port: number): Promise<Gate> => {
  const sockets = new Set<Socket>();
  let refusing = false;
  let moment: Moment | null = null;
  const strike = (): void => {
    const { strike: run } = moment!;
    moment = null;
    run();
  };

  const join = (client: Socket): void => {
    const server = net.connect({ host, port });
    let awaited = false;
    const both = [client, server];
    for (const socket of both) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        for (const other of both) other.destroy();
      });
    }
    client.on('data', (chunk: Buffer) => {
      if (moment?.request.test(beginOf(chunk))) {
        if (moment.when === 'asked') return strike();
        awaited = true;
      }
      if (!server.write(chunk)) {
        client.pause();
        server.once('drain', () => client.resume());
      }
    });
    server.on('data', (chunk: Buffer) => {
      if (awaited && moment !== null) {
        awaited = false;
        return strike();
      }
      if (!client.write(chunk)) {
        server.pause();
        client.once('drain', () => server.resume());
      }
    });
  };

  const listener = net.createServer((client) => {
    if (!refusing) return join(client);
    client.on('error', () => undefined);
    client.resetAndDestroy();
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (listener.address() as AddressInfo).port,
    refuse() {
      refusing = true;
      cut();
    },
    open() {
      refusing = false;
    },
    strikeAt(next) {
      moment = next;
    },
    async close() {
      cut();
      listener.close();
      await once(listener, 'close');
    },
  };
};
