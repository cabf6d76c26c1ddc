import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { lonely, missing, Variables } from './config-variables.ts';

/** Environment variables as given; their only reader is the default of `readConfig`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Address and login of an engine; null where not given. */
export interface EngineConfig {
  readonly url: string | null;
  readonly username: string | null;
  readonly password: string | null;
}

export interface Config {
  readonly mode: 'embedded' | 'distributed';
  readonly role: 'all' | 'api' | 'worker';
  /** Names of the processors a worker runs; null = all. */
  readonly processors: readonly string[] | null;
  /** A folder, or `:memory:`. */
  readonly data: string;
  readonly port: number;
  readonly host: string;
  readonly tenant: string;
  readonly adminPassword: string | null;
  readonly bootstrapToken: string | null;
  /** Multiplies every rate limit; 0 turns limits and their headers off. */
  readonly limitScale: number;
  /** The first one seals stored secrets, all of them open. */
  readonly sealKeys: readonly string[];
  /** Null: no traces. */
  readonly tracing: { readonly endpoint: string; readonly ratio: number } | null;
  /** URL without a trailing slash. */
  readonly publicUrl: string | null;
  /** Seconds for which browsers must use https alone; 0: no header. */
  readonly hstsSeconds: number;
  /** Seconds between a red /readyz and the end of the listener, at a stop. */
  readonly stopDelaySeconds: number;
  /** Value of Express's `trust proxy`. */
  readonly trustProxy: boolean | number | string;
  readonly corsOrigins: readonly string[];
  /** Retention of events. */
  readonly retentionDays: number;
  /** Retention of earlier versions of CIs and relationships, and of the audit trail. */
  readonly historyDays: number;
  readonly logLevel: z.output<typeof Variables>['FAULTLINE_LOG_LEVEL'];
  readonly partitions: number;
  /** Maximum lag of grouping before new events are rejected; 0: no limit. */
  readonly lagLimitMinutes: number;
  /** Files of fonts for characters that the own font of PDFs lacks. */
  readonly reportFonts: readonly string[];
  /** Networks that are not public and that webhooks may lead to. */
  readonly outboundAllow: readonly string[];
  /** `smtps://user:password@host:465?from=faultline@example.com`. */
  readonly smtpUrl: string | null;
  /** PEM text, read from the file that FAULTLINE_SNS_CERT_FILE names. */
  readonly snsCertificate: string | null;
  readonly redisUrl: string | null;
  readonly kafka: {
    readonly brokers: readonly string[] | null;
    /** Null: no TLS. PEM texts; `ca` null: the authorities that Node.js trusts. */
    readonly tls: { readonly ca: string | null; readonly cert: string | null; readonly key: string | null } | null;
    readonly mechanism: z.output<typeof Variables>['KAFKA_SASL_MECHANISM'];
    readonly username: string | null;
    readonly password: string | null;
  };
  readonly registry: EngineConfig;
  readonly elasticsearch: EngineConfig & { readonly apiKey: string | null; readonly ca: string | null };
  readonly neo4j: EngineConfig & { readonly bindingTimeoutMs: number };
  /** Beginning of the headers in which a proxy names its user, lower case. Null: they are not read. */
  readonly proxySignIn: string | null;
  /** Null: no single sign-on. */
  readonly oidc: {
    readonly url: string;
    readonly clientId: string;
    readonly clientSecret: string | null;
    readonly scopes: string;
  } | null;
  readonly openai: {
    readonly apiKey: string | null;
    readonly baseUrl: string | null;
    /** Null: no model is asked. */
    readonly model: string | null;
    /** Null: no vectors are made. */
    readonly embeddingModel: string | null;
    /** Prices per million tokens. */
    readonly prices: { readonly input: number | null; readonly output: number | null };
  };
}

/** Everything that is wrong with the environment, one line per variable, at once. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Invalid configuration:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

const FILE = '_FILE';

/** The value of a variable, from `X` or from the file that `X_FILE` names; empty means not set. */
const givenValue = (env: Environment, name: string, problems: string[]): string | undefined => {
  const direct = env[name] || undefined;
  const file = env[name + FILE] || undefined;
  if (file === undefined) return direct;
  if (direct !== undefined) problems.push(`${name}: set either ${name} or ${name}${FILE}, not both`);
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    problems.push(`${name}${FILE}: can't be read (${(error as NodeJS.ErrnoException).code})`);
    return undefined;
  }
};

/** The command line reads these; in one shell with the server they are no mistake. */
const OF_COMMAND_LINE: ReadonlySet<string> = new Set(['FAULTLINE_URL', 'FAULTLINE_TOKEN', 'FAULTLINE_TOKEN_FILE']);

const unknownNames = (env: Environment): string[] =>
  Object.keys(env).filter(
    (name) =>
      name.startsWith('FAULTLINE_') &&
      !OF_COMMAND_LINE.has(name) &&
      !((name.endsWith(FILE) ? name.slice(0, -FILE.length) : name) in Variables.shape),
  );

/** A year, where every link that is given out is https anyway. */
const HSTS_SECONDS = 31_536_000;

const oidcOf = (v: z.output<typeof Variables>): Config['oidc'] =>
  v.FAULTLINE_OIDC_ISSUER === null
    ? null
    : {
        url: v.FAULTLINE_OIDC_ISSUER,
        clientId: v.FAULTLINE_OIDC_CLIENT_ID ?? '',
        clientSecret: v.FAULTLINE_OIDC_CLIENT_SECRET,
        scopes: v.FAULTLINE_OIDC_SCOPES,
      };

const toConfig = (v: z.output<typeof Variables>): Config => ({
  mode: v.FAULTLINE_MODE,
  role: v.FAULTLINE_ROLE,
  processors: v.FAULTLINE_PROCESSORS,
  data: v.FAULTLINE_DATA,
  port: v.PORT,
  host: v.HOST,
  tenant: v.FAULTLINE_TENANT,
  adminPassword: v.FAULTLINE_ADMIN_PASSWORD,
  bootstrapToken: v.FAULTLINE_BOOTSTRAP_TOKEN,
  limitScale: v.FAULTLINE_LIMIT_SCALE,
  sealKeys: v.FAULTLINE_SEAL_KEY,
  tracing:
    v.FAULTLINE_OTLP_ENDPOINT === null ? null : { endpoint: v.FAULTLINE_OTLP_ENDPOINT, ratio: v.FAULTLINE_TRACE_RATIO },
  publicUrl: v.FAULTLINE_PUBLIC_URL,
  hstsSeconds: v.FAULTLINE_HSTS ?? (v.FAULTLINE_PUBLIC_URL?.startsWith('https:') ? HSTS_SECONDS : 0),
  stopDelaySeconds: v.FAULTLINE_STOP_DELAY,
  trustProxy: v.FAULTLINE_TRUST_PROXY,
  corsOrigins: v.FAULTLINE_CORS_ORIGINS,
  retentionDays: v.FAULTLINE_RETENTION_DAYS,
  historyDays: v.FAULTLINE_HISTORY_DAYS,
  logLevel: v.FAULTLINE_LOG_LEVEL,
  partitions: v.FAULTLINE_PARTITIONS,
  lagLimitMinutes: v.FAULTLINE_LAG_LIMIT_MINUTES,
  outboundAllow: v.FAULTLINE_OUTBOUND_ALLOW,
  reportFonts: v.FAULTLINE_REPORT_FONTS,
  smtpUrl: v.FAULTLINE_SMTP_URL,
  snsCertificate: v.FAULTLINE_SNS_CERT,
  redisUrl: v.REDIS_URL,
  kafka: {
    brokers: v.KAFKA_BROKERS,
    tls: v.KAFKA_SSL ? { ca: v.KAFKA_CA, cert: v.KAFKA_CLIENT_CERT, key: v.KAFKA_CLIENT_KEY } : null,
    mechanism: v.KAFKA_SASL_MECHANISM,
    username: v.KAFKA_USERNAME,
    password: v.KAFKA_PASSWORD,
  },
  registry: { url: v.SCHEMA_REGISTRY_URL, username: v.SCHEMA_REGISTRY_USERNAME, password: v.SCHEMA_REGISTRY_PASSWORD },
  elasticsearch: {
    url: v.ELASTICSEARCH_URL,
    username: v.ELASTICSEARCH_USERNAME,
    password: v.ELASTICSEARCH_PASSWORD,
    apiKey: v.ELASTICSEARCH_API_KEY,
    ca: v.ELASTICSEARCH_CA,
  },
  neo4j: {
    url: v.NEO4J_URL,
    username: v.NEO4J_USERNAME,
    password: v.NEO4J_PASSWORD,
    bindingTimeoutMs: v.NEO4J_BINDING_TIMEOUT_MS,
  },
  proxySignIn: v.FAULTLINE_PROXY_SIGN_IN?.toLowerCase() ?? null,
  oidc: oidcOf(v),
  openai: {
    apiKey: v.OPENAI_API_KEY,
    baseUrl: v.OPENAI_BASE_URL,
    model: v.OPENAI_MODEL,
    embeddingModel: v.OPENAI_EMBEDDING_MODEL,
    prices: { input: v.OPENAI_INPUT_PRICE, output: v.OPENAI_OUTPUT_PRICE },
  },
});

/** Reads and checks the environment. Throws one ConfigError that lists every problem; values are never repeated in it. */
export const readConfig = (env: Environment = process.env): Config => {
  const problems = unknownNames(env).map((name) => `${name}: unknown variable`);
  const values = Object.fromEntries(
    Object.keys(Variables.shape).map((name) => [name, givenValue(env, name, problems)]),
  );
  const checked = Variables.safeParse(values);
  for (const { path, message } of checked.error?.issues ?? []) problems.push(`${String(path[0])}: ${message}`);
  if (checked.success) problems.push(...missing(checked.data), ...lonely(checked.data));
  if (!checked.success || problems.length > 0) throw new ConfigError(problems);
  return toConfig(checked.data);
};

/** The token of the command line, the file that holds it, and the file of `faultline login`; empty means not set. */
export const readTokenPlace = (env: Environment = process.env) => ({
  token: env.FAULTLINE_TOKEN || undefined,
  file: env.FAULTLINE_TOKEN_FILE || undefined,
  logins: join(env.XDG_CONFIG_HOME || join(env.HOME || env.USERPROFILE || '.', '.config'), 'faultline/logins.json'),
});

/** Locations in which `npm run engines` finds a JDK and stores downloads; the server reads none of it. */
export interface EnginesConfig {
  readonly java: { readonly homes: Readonly<Record<string, string | undefined>>; readonly path: string };
  readonly cache: string | null;
  /** The user's folder of caches. */
  readonly userCache: string | null;
}

export const readEnginesConfig = (env: Environment = process.env): EnginesConfig => ({
  java: { homes: { JAVA_HOME_25: env.JAVA_HOME_25, JAVA_HOME: env.JAVA_HOME }, path: env.PATH ?? '' },
  cache: env.FAULTLINE_ENGINES_CACHE || null,
  userCache: env.XDG_CACHE_HOME || null,
});
