import type { FailureClass, PostFailure } from '#domain/ports/outbound.ts';

const CLASSES: Readonly<Record<string, FailureClass>> = {
  REFUSED_ADDRESS: 'refused address',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'unknown host',
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'connection refused',
  ENETUNREACH: 'connection refused',
  ECONNRESET: 'connection lost',
  EPIPE: 'connection lost',
  UND_ERR_SOCKET: 'connection lost',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
};
const OF_TLS = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO)/;

const classOf = (error: NodeJS.ErrnoException): FailureClass => {
  if (error.name === 'TimeoutError') return 'timeout';
  if (error.name === 'AbortError') return 'stopped';
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return classOf(error.errors[0]);
  const { code = '' } = error;
  return CLASSES[code] ?? (OF_TLS.test(code) ? 'tls' : 'failed');
};

/** The class alone: a message of the system could name addresses within our network. */
export const postFailure = (cause: unknown): PostFailure => {
  const failure = classOf(cause as Error);
  return Object.assign(new Error(failure, { cause }), { class: failure });
};
