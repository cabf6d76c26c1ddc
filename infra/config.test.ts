import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ConfigError, type Environment, readConfig } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'faultline-config-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileWith = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const problemsOf = (env: Environment): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('configuration', () => {
  test('an empty environment gives the documented defaults', () => {
    expect(readConfig({})).toMatchObject({
      mode: 'embedded',
      role: 'all',
      processors: null,
      data: './data',
      port: 8080,
      host: '127.0.0.1',
      tenant: 'default',
      adminPassword: null,
      bootstrapToken: null,
      limitScale: 1,
      publicUrl: null,
      trustProxy: false,
      hstsSeconds: 0,
      stopDelaySeconds: 0,
      corsOrigins: [],
      partitions: 24,
      snsCertificate: null,
      openai: { apiKey: null, baseUrl: null, model: null, embeddingModel: null },
    });
  });

  test('given values are read in their types', () => {
    const config = readConfig({
      PORT: '0',
      FAULTLINE_MODE: 'distributed',
      FAULTLINE_PROCESSORS: 'dedup, enrich',
      FAULTLINE_LIMIT_SCALE: '0.5',
      FAULTLINE_PUBLIC_URL: 'https://ops.example.com/faultline/',
      FAULTLINE_CORS_ORIGINS: 'https://a.example.com,http://localhost:3000',
      KAFKA_BROKERS: 'k1:9092,k2:9092',
      SCHEMA_REGISTRY_URL: 'http://registry:8081',
      ELASTICSEARCH_URL: 'http://search:9200',
      NEO4J_URL: 'bolt://graph:7687',
      NEO4J_PASSWORD: 'secret',
    });
    expect(config).toMatchObject({
      port: 0,
      mode: 'distributed',
      processors: ['dedup', 'enrich'],
      limitScale: 0.5,
      publicUrl: 'https://ops.example.com/faultline',
      corsOrigins: ['https://a.example.com', 'http://localhost:3000'],
      kafka: { brokers: ['k1:9092', 'k2:9092'], username: null },
      neo4j: { url: 'bolt://graph:7687', username: null, password: 'secret' },
    });
  });

  test.each([
    ['true', true],
    ['false', false],
    ['2', 2],
    ['loopback, 10.0.0.0/8', 'loopback, 10.0.0.0/8'],
  ])('FAULTLINE_TRUST_PROXY %p', (given, read) =>
    expect(readConfig({ FAULTLINE_TRUST_PROXY: given }).trustProxy).toBe(read),
  );

  test('an empty value means not set', () => {
    expect(readConfig({ PORT: '', FAULTLINE_BOOTSTRAP_TOKEN: '' })).toMatchObject({ port: 8080, bootstrapToken: null });
  });

  test.each([
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['FAULTLINE_MODE', 'cluster'],
    ['FAULTLINE_ROLE', 'web'],
    ['FAULTLINE_TENANT', 'Acme'],
    ['FAULTLINE_ADMIN_PASSWORD', 'elevenchars'],
    ['FAULTLINE_BOOTSTRAP_TOKEN', 'x'.repeat(15)],
    ['FAULTLINE_BOOTSTRAP_TOKEN', 'x'.repeat(257)],
    ['FAULTLINE_BOOTSTRAP_TOKEN', 'with-a-control\u0007character'],
    ['FAULTLINE_LIMIT_SCALE', '-1'],
    ['FAULTLINE_PUBLIC_URL', 'ftp://example.com'],
    ['FAULTLINE_TRUST_PROXY', '*'],
    ['FAULTLINE_TRUST_PROXY', '10.0.0.0/8,somewhere'],
    ['FAULTLINE_CORS_ORIGINS', 'https://a.example.com,nonsense'],
    ['FAULTLINE_RETENTION_DAYS', '0'],
    ['FAULTLINE_LOG_LEVEL', 'verbose'],
    ['FAULTLINE_PARTITIONS', '0'],
    ['REDIS_URL', 'http://cache:6379'],
    ['KAFKA_SSL', 'yes'],
    ['KAFKA_CA', 'ca.pem'],
    ['KAFKA_SASL_MECHANISM', 'gssapi'],
    ['NEO4J_URL', 'not a url'],
  ])('%s=%s is one problem that names the variable and not the value', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name}: (expected|must have)`));
    expect(problems[0]).not.toContain(`: ${value}`);
  });

  test.each([16, 256])('a bootstrap token of %d characters is accepted', (length) => {
    const token = 'x'.repeat(length);
    expect(readConfig({ FAULTLINE_BOOTSTRAP_TOKEN: token }).bootstrapToken).toBe(token);
  });

  test('every problem is listed at once', () => {
    const problems = problemsOf({
      PORT: 'x',
      FAULTLINE_PROT: '1',
      FAULTLINE_MODE: 'x',
      FAULTLINE_DATA_FILE: join(folder, 'missing'),
      FAULTLINE_TENANTS_FILE: 'x',
    });
    expect(problems.map((line) => line.split(':')[0]).sort()).toEqual([
      'FAULTLINE_DATA_FILE',
      'FAULTLINE_MODE',
      'FAULTLINE_PROT',
      'FAULTLINE_TENANTS_FILE',
      'PORT',
    ]);
  });

  test('every address that distributed mode lacks is listed at once', () => {
    const given = { FAULTLINE_MODE: 'distributed', ELASTICSEARCH_URL: 'http://search:9200' };
    const names = problemsOf(given).map((line) => line.split(':')[0]);
    expect(names).toEqual(['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'NEO4J_URL']);
  });

  test('variables of the command line are no mistake', () => {
    const env = { FAULTLINE_URL: 'http://127.0.0.1:8080', FAULTLINE_TOKEN: 'flt_x', FAULTLINE_TOKEN_FILE: '/none' };
    expect(problemsOf(env)).toEqual([]);
    expect(problemsOf({ FAULTLINE_URLS: 'x', FAULTLINE_URL_FILE: 'x' })).toHaveLength(2);
  });

  test('foreign variables are ignored', () => {
    expect(problemsOf({ PATH: '/usr/bin', FAULTLINES: 'x', NODE_ENV: 'production' })).toEqual([]);
  });
});

describe('the way to the engines', () => {
  const pem = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----';
  const key = '-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----';

  test('is plain and without a login when nothing is said', () => {
    const { kafka, elasticsearch } = readConfig({});
    expect(kafka).toMatchObject({ tls: null, username: null });
    expect(elasticsearch).toMatchObject({ ca: null, apiKey: null });
  });

  test('has TLS and a login when they are given, secrets from files', () => {
    const config = readConfig({
      KAFKA_SSL: 'true',
      KAFKA_CA_FILE: fileWith('ca', pem),
      KAFKA_CLIENT_CERT: pem,
      KAFKA_CLIENT_KEY_FILE: fileWith('key', key),
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      KAFKA_USERNAME: 'faultline',
      KAFKA_PASSWORD_FILE: fileWith('password', 'secret\n'),
      ELASTICSEARCH_URL: 'https://search:9200',
      ELASTICSEARCH_CA: pem,
    });
    const tls = { ca: pem, cert: pem, key };
    expect(config.kafka).toMatchObject({ tls, mechanism: 'scram-sha-512', username: 'faultline', password: 'secret' });
    expect(config.elasticsearch).toMatchObject({ ca: pem });
  });

  test.each([
    [{ KAFKA_CA: pem }, 'KAFKA_CA: requires KAFKA_SSL=true'],
    [{ KAFKA_SSL: 'true', KAFKA_CLIENT_CERT: pem }, 'KAFKA_CLIENT_CERT: requires KAFKA_CLIENT_KEY'],
    [{ KAFKA_SSL: 'true', KAFKA_CLIENT_KEY: key }, 'KAFKA_CLIENT_KEY: requires KAFKA_CLIENT_CERT'],
    [
      { ELASTICSEARCH_URL: 'http://search:9200', ELASTICSEARCH_CA: pem },
      'ELASTICSEARCH_CA: requires an https URL in ELASTICSEARCH_URL',
    ],
    [{ KAFKA_USERNAME: 'u' }, 'KAFKA_USERNAME: requires KAFKA_PASSWORD'],
    [{ NEO4J_USERNAME: 'u' }, 'NEO4J_USERNAME: requires NEO4J_PASSWORD'],
    [
      { FAULTLINE_PROXY_SIGN_IN: 'Remote', FAULTLINE_TRUST_PROXY: '1', FAULTLINE_PUBLIC_URL: 'https://a.example' },
      'FAULTLINE_PROXY_SIGN_IN: requires addresses in FAULTLINE_TRUST_PROXY',
    ],
  ])('%j is refused', (env, problem) => expect(problemsOf(env)).toEqual([problem]));
});

describe('X_FILE variables', () => {
  test('the value comes from the file, without its last line end', () => {
    const path = fileWith('token', 'a-token-of-some-length\n');
    expect(readConfig({ FAULTLINE_BOOTSTRAP_TOKEN_FILE: path }).bootstrapToken).toBe('a-token-of-some-length');
    expect(readConfig({ OPENAI_API_KEY_FILE: path }).openai.apiKey).toBe('a-token-of-some-length');
  });

  test('a value that is wrong in the file is a problem of the variable', () => {
    expect(problemsOf({ PORT_FILE: fileWith('port', 'x') })).toEqual([expect.stringMatching(/^PORT: expected/)]);
  });

  test('both forms at once are refused', () => {
    expect(problemsOf({ HOST: 'a', HOST_FILE: fileWith('host', 'b') })).toEqual([
      'HOST: set either HOST or HOST_FILE, not both',
    ]);
  });

  test('the SNS certificate is read and must be a PEM', () => {
    const pem = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----';
    expect(readConfig({ FAULTLINE_SNS_CERT_FILE: fileWith('pem', pem) }).snsCertificate).toBe(pem);
    expect(problemsOf({ FAULTLINE_SNS_CERT_FILE: fileWith('no-pem', 'x') })).toHaveLength(1);
  });
});
