import net from 'node:net';
import tls from 'node:tls';
import zlib from 'node:zlib';
import kafkajs, { type Kafka, type KafkaConfig } from 'kafkajs';
import { leanEncoders } from './lean-encoder.ts';

export interface KafkaOptions {
  /** `host:port` each. */
  readonly brokers: readonly string[];
  /** Shown in the broker's log. */
  readonly clientId: string;
  readonly ssl?: KafkaConfig['ssl'];
  readonly sasl?: KafkaConfig['sasl'];
}

leanEncoders();
const { CompressionCodecs, CompressionTypes } = kafkajs;
const FASTEST = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };
/** kafkajs brings gzip only, which halves the throughput. */
CompressionCodecs[CompressionTypes.ZSTD] = () => ({
  compress: async ({ buffer }: { buffer: Buffer }) => zlib.zstdCompressSync(buffer, FASTEST),
  decompress: async (buffer: Buffer) => zlib.zstdDecompressSync(buffer),
});

/**
 * Retries without end: a send may only be rejected by a permanent error. All given, since tests have other defaults.
 */
const RETRY = {
  initialRetryTime: 100,
  maxRetryTime: 1_000,
  factor: 0.2,
  multiplier: 2,
  retries: Number.MAX_SAFE_INTEGER,
};

/**
 * A client that can be ended for good: kafkajs alone continues to retry after `disconnect`, with unpredictable sends.
 */
export interface KafkaClient {
  readonly kafka: Kafka;
  /** Cuts every connection: nothing is sent any more, and waiting calls may wait forever. */
  end(): void;
}

export const openClient = ({ brokers, clientId, ssl, sasl }: KafkaOptions, retries = RETRY.retries): KafkaClient => {
  const sockets = new Set<net.Socket>();
  let ended = false;
  const socketFactory: NonNullable<KafkaConfig['socketFactory']> = ({ host, port, ssl: secure, onConnect }) => {
    if (ended) throw new kafkajs.KafkaJSNonRetriableError('The client was closed');
    const name = net.isIP(host) ? {} : { servername: host };
    const socket = secure
      ? tls.connect({ host, port, ...name, ...secure }, onConnect)
      : net.connect({ host, port }, onConnect);
    sockets.add(socket);
    // kafkajs listens too, but not for as long as the socket lives.
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    return socket.setKeepAlive(true, 60_000);
  };
  const config: KafkaConfig = {
    // kafkajs retries forever: once ended it waits here for a broker that never appears, and holds no timer.
    brokers: () => (ended ? new Promise(() => undefined) : [...brokers]),
    clientId,
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    socketFactory,
    retry: { ...RETRY, retries },
    logLevel: kafkajs.logLevel.NOTHING,
    ...(ssl && { ssl }),
    ...(sasl && { sasl }),
  };
  return {
    kafka: new kafkajs.Kafka(config),
    end() {
      ended = true;
      // Destroys with an error, since kafkajs does not detect a plain close and would wait for its timeout.
      for (const socket of sockets) socket.destroy(new Error('The client was closed'));
    },
  };
};
