import { createServer, type Socket } from 'node:net';

interface ReceivedMail {
  readonly to: string;
  /** Headers and body. */
  readonly text: string;
}

export interface MailServer {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Further recipients are refused. */
  refuse(): void;
  /** They are accepted again. */
  accept(): void;
  close(): void;
}

const answer = (line: string, isRefusing: boolean): string => {
  if (/^(EHLO|HELO)/i.test(line)) return '250 test';
  if (/^RCPT/i.test(line)) return isRefusing ? '550 unknown' : '250 ok';
  if (/^DATA/i.test(line)) return '354 go on';
  return /^QUIT/i.test(line) ? '221 bye' : '250 ok';
};

/** A server that speaks enough SMTP to receive mails. */
export const openMailServer = async (): Promise<MailServer> => {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  let isRefusing = false;
  const serve = (socket: Socket): void => {
    let [rest, to, data]: [string, string, string[] | null] = ['', '', null];
    const take = (line: string): void => {
      if (data === null) {
        to = /^RCPT TO:<(.*)>/i.exec(line)?.[1] ?? to;
        const reply = answer(line, isRefusing);
        if (reply.startsWith('354')) data = [];
        socket.write(`${reply}\r\n`);
      } else if (line === '.') {
        mails.push({ to, text: data.join('\n') });
        data = null;
        socket.write('250 kept\r\n');
      } else data.push(line);
    };
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    });
    socket.write('220 test\r\n');
  };
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  return {
    url: `smtp://127.0.0.1:${port}?from=faultline@example.com`,
    mails,
    refuse() {
      isRefusing = true;
    },
    accept() {
      isRefusing = false;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};
