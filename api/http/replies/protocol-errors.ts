import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { v1Error } from '#api/surfaces/v1-error.ts';
import type { Ids } from '#domain/ports/ids.ts';

const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answered to any request; others come from what is no request at all. */
export const PROTOCOL_STATUSES = [408, 431] as const;

function replyTo(code: string | undefined, requestId: string): string {
  const status = STATUS_OF[code ?? ''] ?? 400;
  const phrase = STATUS_CODES[status] ?? '';
  const what = { status, code: 'VALIDATION_ERROR', message: phrase, problems: [], data: {}, requestId, retryAt: null };
  const body = JSON.stringify(v1Error({ ...what, documentationUrl: '/docs' }));
  const head = [
    `HTTP/1.1 ${status} ${phrase}`,
    'Connection: close',
    `X-Request-ID: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Answers what is not HTTP, or too much of it, as the parser finds it: such bytes never become a request. */
export function answerProtocolErrors(server: Server, ids: Ids): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }, response) => answering.set(socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const last = answering.get(socket);
    const isMidway = last?.headersSent === true && !last.writableFinished;
    if (socket.writable && !isMidway) socket.end(replyTo(error.code, ids.ulid()));
    else socket.destroy(error);
  });
}
