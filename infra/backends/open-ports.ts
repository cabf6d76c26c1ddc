import type { Log } from '#domain/ports/log.ts';
import type { CorePorts, Ports } from '#domain/ports/ports.ts';
import type { Config } from '#infra/config.ts';
import { openKeys } from '#infra/keys/keys.ts';
import { sealedRecords, sealStored } from '#infra/keys/sealed-records.ts';
import { openLimiter } from '#infra/limits/open-limiter.ts';
import { openSmtp } from '#infra/mail/smtp.ts';
import { openCertificates } from '#infra/outbound/certificates.ts';
import { outboundGet } from '#infra/outbound/get.ts';
import { openPost } from '#infra/outbound/post.ts';
import { allowedFrom } from '#infra/outbound/public-address.ts';
import { boundedCrypto } from '#infra/system/bounded-crypto.ts';
import { systemCrypto } from '#infra/system/crypto.ts';
import { logInTime, openDeadline, refusedWhenLate, topologyInTime } from '#infra/system/time.ts';
import { tracedLog } from '#infra/tracing/traced.ts';
import type { Backend, BackendOptions } from './backend.ts';
import { openEmbeddedBackend } from './embedded.ts';

/** The stores and the pipeline of the configured mode. The clients of the engines are half of all code, so they are loaded only there. */
const openBackend = async (config: Config, options: BackendOptions): Promise<Backend> => {
  if (config.mode === 'embedded') return openEmbeddedBackend(config, options);
  const { openDistributedBackend } = await import('./distributed.ts');
  return openDistributedBackend(config, options);
};

const DAY_MS = 24 * 3_600_000;

export interface PortsOptions extends Omit<BackendOptions, 'deadline' | 'log'> {
  readonly log: Log;
}

/** The ports made of adapters alone. */
export interface OpenedPorts {
  readonly backend: Backend;
  readonly ports: Omit<
    CorePorts,
    'jobs' | 'leases' | 'sinks' | 'background' | 'ownedRecords' | 'shown' | 'memory' | 'model' | 'embedder'
  >;
  close(): Promise<void>;
}

const portsOf = async (
  config: Config,
  { clock, ids, metrics, tracing }: PortsOptions,
  backend: Backend,
  common: Pick<Ports, 'limiter' | 'deadline' | 'outbound' | 'mailer'>,
): Promise<OpenedPorts['ports']> => {
  const records = sealedRecords(backend.ports.records, config.sealKeys);
  const eventLog = tracing === null ? backend.ports.eventLog : tracedLog(backend.ports.eventLog, tracing);
  return {
    ...backend.ports,
    ...common,
    eventLog: logInTime(eventLog, common.deadline),
    records: refusedWhenLate(records, common.deadline),
    searchIndex: refusedWhenLate(backend.ports.searchIndex, common.deadline),
    ...topologyInTime(backend.ports, common.deadline),
    certificates: openCertificates(common.outbound, config.snsCertificate),
    clock,
    ids,
    crypto: boundedCrypto(systemCrypto),
    keys: await openKeys({ records, clock, ids }),
    metrics,
    historyMs: config.historyDays * DAY_MS,
  };
};

/** Opens the stores, the pipeline and the other adapters. Workers answer no requests, so they count none in Redis. */
export const openPorts = async (config: Config, isWorker: boolean, options: PortsOptions): Promise<OpenedPorts> => {
  const deadline = openDeadline();
  const backend = await openBackend(config, { ...options, deadline });
  const { clock, log } = options;
  const limits = await openLimiter(isWorker ? null : config.redisUrl, { clock, log });
  const { close: closePost, ...post } = openPost({ allowed: allowedFrom(config.outboundAllow) });
  const { mailer, close: closeMail } = openSmtp(config);
  const close = async (): Promise<void> => {
    closeMail();
    await Promise.all([limits.close(), closePost(), backend.close()]);
  };
  const common = { limiter: limits.limiter, deadline, outbound: { ...outboundGet, ...post }, mailer };
  try {
    const ports = await portsOf(config, options, backend, common);
    if (!isWorker) void sealStored(backend.ports.records, config.sealKeys, log);
    return { backend, ports, close };
  } catch (error) {
    await close();
    throw error;
  }
};
