import { isIP } from 'node:net';
import { z } from 'zod';
import { passwordProblem } from '#domain/access/password.ts';
import { TENANT_ID } from '#domain/access/tenant.ts';
import { withoutTrailing } from '#domain/text.ts';

const whole = (min: number, max: number) => {
  const reason = `expected a whole number from ${min} to ${max}`;
  return z.string().regex(/^\d+$/, reason).transform(Number).pipe(z.number().min(min, reason).max(max, reason));
};
const url = z
  .url({ protocol: /^https?$/, error: 'expected an HTTP or HTTPS URL' })
  .transform((text) => withoutTrailing(text, '/'));
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;
/** Exactly as the issuer writes it. */
const issuer = z
  .url({ protocol: /^https?$/, error: 'expected an HTTPS URL' })
  .refine((text) => text.startsWith('https:') || LOOPBACK.test(new URL(text).hostname), {
    error: 'expected an HTTPS URL',
  });
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);
const oneOf = <const T extends readonly [string, ...string[]]>(...words: T) =>
  z.enum(words, { error: `expected one of ${words.join(', ')}` });
const absent = <S extends z.ZodType>(schema: S) => schema.optional().transform((value) => value ?? null);
const text = z.string();
const price = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, 'expected a number of at least 0')
  .transform(Number);
const flag = oneOf('true', 'false').transform((word) => word === 'true');
const pem = z.string().regex(/-----BEGIN CERTIFICATE-----/, 'expected a PEM certificate');

/** A user name that is an address is the sender, too. */
const smtp = z
  .url({ protocol: /^smtps?$/, error: 'expected an SMTP URL such as smtps://mail.example.com?from=a@example.com' })
  .refine(
    (text) => (new URL(text).searchParams.get('from') ?? decodeURIComponent(new URL(text).username)).includes('@'),
    { error: 'expected the address of the sender, for example ?from=a@example.com' },
  );

const origin = z.union([z.literal('*'), url], { error: 'expected comma-separated origins, or *' });

const isProxy = (item: string): boolean => {
  const [address = '', bits] = item.split('/');
  return (
    /^(loopback|linklocal|uniquelocal)$/.test(item) ||
    (isIP(address) !== 0 && (bits === undefined || /^\d{1,3}$/.test(bits)))
  );
};
const isNetwork = (text: string): boolean => {
  const [address, bits] = text.split('/') as [string, string?];
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return bits === undefined ? most > 0 : /^\d{1,3}$/.test(bits) && Number(bits) <= most;
};
const network = z
  .string()
  .refine(isNetwork, { error: 'expected comma-separated addresses or networks, for example 10.0.0.0/8' });

/** Values of Express's `trust proxy`: a switch, a number of proxies in front, or their addresses. */
const trusted = z
  .string()
  .refine((text) => /^(true|false|\d{1,2})$/.test(text) || text.split(',').every((item) => isProxy(item.trim())), {
    error: 'expected true, false, a number of proxies, or comma-separated addresses',
  })
  .transform((text) => (/^\d+$/.test(text) ? Number(text) : text === 'true' || (text !== 'false' && text)));

/** Every variable, by its name in the environment; messages about a bad value never repeat the value. */
export const Variables = z.object({
  PORT: whole(0, 65_535).default(8080),
  HOST: text.default('127.0.0.1'),
  FAULTLINE_MODE: oneOf('embedded', 'distributed').default('embedded'),
  FAULTLINE_ROLE: oneOf('all', 'api', 'worker').default('all'),
  FAULTLINE_PROCESSORS: absent(list),
  FAULTLINE_DATA: text.default('./data'),
  FAULTLINE_TENANT: z
    .string()
    .regex(TENANT_ID, 'expected 1 to 63 of a-z, 0-9 and -, not starting with -')
    .default('default'),
  FAULTLINE_ADMIN_PASSWORD: absent(
    text.superRefine((password, problems) => {
      const reason = passwordProblem(password);
      if (reason !== null) problems.addIssue(reason);
    }),
  ),
  FAULTLINE_BOOTSTRAP_TOKEN: absent(
    z.string().regex(/^[!-~][ -~]{14,254}[!-~]$/, 'expected 16 to 256 printable ASCII characters'),
  ),
  FAULTLINE_LIMIT_SCALE: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,6})?$/, 'expected a number of at least 0')
    .transform(Number)
    .default(1),
  FAULTLINE_PUBLIC_URL: absent(url),
  FAULTLINE_HSTS: absent(whole(0, 63_072_000)),
  FAULTLINE_STOP_DELAY: whole(0, 300).default(0),
  FAULTLINE_TRUST_PROXY: trusted.default(false),
  FAULTLINE_CORS_ORIGINS: list.pipe(z.array(origin)).default([]),
  FAULTLINE_RETENTION_DAYS: whole(1, 36_500).default(90),
  FAULTLINE_HISTORY_DAYS: whole(1, 36_500).default(400),
  FAULTLINE_LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
  FAULTLINE_PARTITIONS: whole(1, 1_024).default(24),
  FAULTLINE_LAG_LIMIT_MINUTES: whole(0, 1_440).default(0),
  FAULTLINE_REPORT_FONTS: list.default([]),
  FAULTLINE_OUTBOUND_ALLOW: list.pipe(z.array(network)).default([]),
  FAULTLINE_SMTP_URL: absent(smtp),
  FAULTLINE_SNS_CERT: absent(pem),
  FAULTLINE_SEAL_KEY: list
    .pipe(z.array(z.string().min(32, 'expected keys of at least 32 characters, separated by commas')).max(5))
    .default([]),
  FAULTLINE_OTLP_ENDPOINT: absent(url),
  FAULTLINE_TRACE_RATIO: z
    .string()
    .regex(/^(?:0|1|0\.\d{1,6})$/, 'expected a number from 0 to 1')
    .transform(Number)
    .default(1),
  FAULTLINE_ENGINES_CACHE: absent(text),
  REDIS_URL: absent(z.url({ protocol: /^rediss?$/, error: 'expected a redis or rediss URL' })),
  KAFKA_BROKERS: absent(list),
  KAFKA_SSL: flag.default(false),
  KAFKA_CA: absent(pem),
  KAFKA_CLIENT_CERT: absent(pem),
  KAFKA_CLIENT_KEY: absent(z.string().regex(/-----BEGIN [A-Z ]*PRIVATE KEY-----/, 'expected a PEM private key')),
  KAFKA_SASL_MECHANISM: oneOf('plain', 'scram-sha-256', 'scram-sha-512').default('plain'),
  KAFKA_USERNAME: absent(text),
  KAFKA_PASSWORD: absent(text),
  SCHEMA_REGISTRY_URL: absent(url),
  SCHEMA_REGISTRY_USERNAME: absent(text),
  SCHEMA_REGISTRY_PASSWORD: absent(text),
  ELASTICSEARCH_URL: absent(url),
  ELASTICSEARCH_CA: absent(pem),
  ELASTICSEARCH_USERNAME: absent(text),
  ELASTICSEARCH_PASSWORD: absent(text),
  ELASTICSEARCH_API_KEY: absent(text),
  NEO4J_URL: absent(z.url({ protocol: /^(bolt|neo4j)(\+s|\+ssc)?$/, error: 'expected a bolt or neo4j URL' })),
  NEO4J_USERNAME: absent(text),
  NEO4J_PASSWORD: absent(text),
  NEO4J_BINDING_TIMEOUT_MS: whole(50, 10_000).default(300),
  FAULTLINE_PROXY_SIGN_IN: absent(oneOf('X-Forwarded', 'X-Auth-Request', 'Remote')),
  FAULTLINE_OIDC_ISSUER: absent(issuer),
  FAULTLINE_OIDC_CLIENT_ID: absent(text),
  FAULTLINE_OIDC_CLIENT_SECRET: absent(text),
  FAULTLINE_OIDC_SCOPES: text
    .regex(/(?:^| )openid(?: |$)/, 'expected space-separated scopes with openid')
    .default('openid profile email'),
  OPENAI_API_KEY: absent(text),
  OPENAI_BASE_URL: absent(url),
  OPENAI_MODEL: absent(text),
  OPENAI_EMBEDDING_MODEL: absent(text),
  OPENAI_INPUT_PRICE: absent(price),
  OPENAI_OUTPUT_PRICE: absent(price),
});

type VariableValues = z.output<typeof Variables>;

const ADDRESSES = ['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'ELASTICSEARCH_URL', 'NEO4J_URL'] as const;
/** The addresses of engines that distributed mode lacks. */
export const missing = (given: VariableValues): string[] =>
  given.FAULTLINE_MODE === 'embedded'
    ? []
    : ADDRESSES.filter((name) => given[name] === null).map(
        (name) => `${name}: required by FAULTLINE_MODE=distributed; \`npm run engines\` prints one`,
      );

/** Returns variables that are useless alone, with their required ones. */
export const lonely = (given: VariableValues): string[] => {
  const needs = (name: keyof VariableValues, other: string, met: boolean): string[] =>
    given[name] === null || met ? [] : [`${name}: requires ${other}`];
  return [
    // A number of proxies would trust every peer.
    ...needs(
      'FAULTLINE_PROXY_SIGN_IN',
      'addresses in FAULTLINE_TRUST_PROXY',
      typeof given.FAULTLINE_TRUST_PROXY === 'string',
    ),
    ...needs('FAULTLINE_PROXY_SIGN_IN', 'FAULTLINE_PUBLIC_URL', given.FAULTLINE_PUBLIC_URL !== null),
    ...needs('FAULTLINE_OIDC_ISSUER', 'FAULTLINE_OIDC_CLIENT_ID', given.FAULTLINE_OIDC_CLIENT_ID !== null),
    ...needs('FAULTLINE_OIDC_ISSUER', 'FAULTLINE_PUBLIC_URL', given.FAULTLINE_PUBLIC_URL !== null),
    ...needs('FAULTLINE_OIDC_CLIENT_ID', 'FAULTLINE_OIDC_ISSUER', given.FAULTLINE_OIDC_ISSUER !== null),
    ...needs('FAULTLINE_OIDC_CLIENT_ID', 'FAULTLINE_OIDC_CLIENT_SECRET', given.FAULTLINE_OIDC_CLIENT_SECRET !== null),
    ...needs('KAFKA_CA', 'KAFKA_SSL=true', given.KAFKA_SSL),
    ...needs('KAFKA_CLIENT_CERT', 'KAFKA_SSL=true', given.KAFKA_SSL),
    ...needs('KAFKA_CLIENT_CERT', 'KAFKA_CLIENT_KEY', given.KAFKA_CLIENT_KEY !== null),
    ...needs('KAFKA_CLIENT_KEY', 'KAFKA_CLIENT_CERT', given.KAFKA_CLIENT_CERT !== null),
    ...needs('ELASTICSEARCH_CA', 'an https URL in ELASTICSEARCH_URL', /^https:/.test(given.ELASTICSEARCH_URL ?? '')),
    ...(['OPENAI_MODEL', 'OPENAI_EMBEDDING_MODEL'] as const).flatMap((name) =>
      needs(name, 'OPENAI_API_KEY or OPENAI_BASE_URL', given.OPENAI_API_KEY !== null || given.OPENAI_BASE_URL !== null),
    ),
    ...(['KAFKA', 'SCHEMA_REGISTRY', 'ELASTICSEARCH', 'NEO4J'] as const).flatMap((engine) =>
      needs(`${engine}_USERNAME`, `${engine}_PASSWORD`, given[`${engine}_PASSWORD`] !== null),
    ),
  ];
};
