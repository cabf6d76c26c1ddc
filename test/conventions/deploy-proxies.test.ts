import { maxHeaderSize } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { pathOf, routes } from '#api/http/routing/routes.ts';
import { KEEP_ALIVE_MS } from '#api/http/server.ts';
import { opsEndpoints } from '#api/ops/ops.ts';
import { v1Error } from '#api/surfaces/v1-error.ts';
import { REQUEST_TIMEOUT_MS } from '#domain/ports/deadline.ts';
import { Variables } from '#infra/config-variables.ts';
import { endpoints } from '#whole';
import { assignments, deployedText, unknownSettings, valuesOf } from './deployed.ts';
import { documentText } from './tables.ts';

const LARGEST_BODY = Math.max(...routes(endpoints).all.map(({ maxBytes }) => maxBytes));
const { PORT } = Variables.parse({});
/** Their answers describe the machine; the documents of the interface do not. */
const PRIVATE = ['/livez', '/readyz', '/metrics'];

const nginx = deployedText('proxy/nginx.conf');
const shared = deployedText('proxy/nginx-proxy.conf');
const caddy = deployedText('proxy/Caddyfile');
const ours = opsEndpoints.flatMap(({ mounts }) => mounts.map(pathOf));
const said = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found]) => found!);
const number = (text: string, pattern: RegExp): number => {
  expect(said(text, pattern)).toHaveLength(1);
  return Number(said(text, pattern)[0]);
};

describe.each([
  ['nginx.conf', nginx],
  ['Caddyfile', caddy],
])('%s', (_name, text) => {
  test('sends to the port of the server', () => {
    expect(said(text, /\b127\.0\.0\.1:(\d+)/g)).toEqual([String(PORT)]);
  });

  test('gives the variables for a host of its own and for a path, with which links fit', () => {
    const given = assignments(text);
    expect(unknownSettings(given.map(([name]) => name))).toEqual([]);
    const [own, below] = [given.slice(0, given.length / 2), given.slice(given.length / 2)].map((half) =>
      valuesOf(Object.fromEntries(half)),
    );
    expect([own, below].map((values) => [values!.HOST, values!.FAULTLINE_TRUST_PROXY])).toEqual(
      Array(2).fill(['127.0.0.1', 'loopback']),
    );
    const [host, path] = [own, below].map((values) => new URL(values!.FAULTLINE_PUBLIC_URL!));
    expect([host!.pathname, path!.pathname]).toEqual(['/', '/faultline']);
    for (const { hostname, protocol } of [host!, path!]) {
      expect(protocol).toBe('https:');
      expect(text).toMatch(new RegExp(`^(  server_name )?${hostname}(;| \\{)$`, 'm'));
    }
    expect(text).toMatch(/^\s+(location|handle_path) \/faultline\//m);
  });

  test('shows nobody what needs no credential and tells of the machine', () => {
    expect(ours).toEqual(expect.arrayContaining(PRIVATE));
    const patterns = said(text, /(?:location ~\* |path_regexp \(\?i\))(\S+)/g).map(
      (pattern) => new RegExp(pattern, 'i'),
    );
    expect(patterns.length).toBeGreaterThan(0);
    for (const pattern of patterns) {
      const below = pattern.source.includes('faultline') ? '/faultline' : '';
      const hidden = [...ours, '/METRICS', '/livez/', '/api/events'].filter((path) => pattern.test(`${below}${path}`));
      expect(hidden.sort()).toEqual([...PRIVATE, '/METRICS', '/livez/'].sort());
    }
  });

  test('lets go of an idle connection before the server closes it, and waits as long as a request may take', () => {
    const idle = number(text, /^\s+keepalive(?:_timeout)? (\d+)s/gm);
    expect(idle * 1000).toBeLessThan(KEEP_ALIVE_MS);
    const wait = number(
      text + (text === nginx ? shared : ''),
      /(?:proxy_read_timeout|response_header_timeout) (\d+)s/g,
    );
    expect(wait * 1000).toBeGreaterThan(REQUEST_TIMEOUT_MS);
  });
});

describe('nginx', () => {
  test('takes what the server takes', () => {
    expect(number(shared, /^client_max_body_size (\d+)m;$/gm) * 1024 * 1024).toBe(LARGEST_BODY);
    expect(number(shared, /^large_client_header_buffers \d+ (\d+)k;$/gm) * 1024).toBe(maxHeaderSize);
  });

  test('keeps no stream back, and passes on the address of its own caller', () => {
    expect(shared).toMatch(/^proxy_request_buffering off;$/m);
    expect(shared).toMatch(/^proxy_buffering off;$/m);
    expect(shared).toMatch(/^proxy_http_version 1\.1;$/m);
    expect(said(shared, /^proxy_set_header X-Forwarded-For (.*);$/gm)).toEqual(['$remote_addr']);
  });

  test('answers in the form of the server where it answers itself', () => {
    const fields = (body: object) => Object.keys((body as { error: object }).error).sort();
    const view = { code: '', message: '', problems: [], data: {}, requestId: '', documentationUrl: '', retryAt: null };
    const answers = [...shared.matchAll(/return (\d+) '(.*)';$/gm)].map(
      ([, status, body]) => [status, JSON.parse(body!)] as const,
    );
    expect(answers.map(([status]) => status)).toEqual(['413', '503']);
    for (const [, body] of answers) expect(fields(body)).toEqual(fields(v1Error({ ...view, status: 0 })));
    expect(answers[0]![1].error.message).toContain(` ${LARGEST_BODY} bytes`);
  });

  test('sends the path below another as it came', () => {
    const pattern = new RegExp(said(nginx, /^\s+~(\^\S+) \$rest;$/gm)[0]!);
    const below = (sent: string) => pattern.exec(sent)?.groups?.rest;
    expect(below('/faultline/api/cmdb/ci/a%2Fb?x=%20')).toBe('/api/cmdb/ci/a%2Fb?x=%20');
    expect(['/other/faultline/api', '/faultlines/api', '/faultline'].map(below)).toEqual(Array(3).fill(undefined));
    expect(nginx).toMatch(/proxy_pass http:\/\/faultline\$faultline_below;/);
  });

  test('logs no query', () => {
    const format = said(nginx, /^log_format faultline '(.*)';$/gm)[0]!;
    expect(format).toMatch(/\$uri/);
    expect(format).not.toMatch(/\$(request|request_uri|args|query_string|http_\w+)\b/);
    expect(shared).toMatch(/^access_log \S+ faultline;$/m);
  });

  test('its files are where they name each other and docs/deploy.md puts them', () => {
    const [include, ...others] = [...new Set(said(nginx, /^\s+include (\S+);$/gm))];
    expect(others).toEqual([]);
    expect(documentText('docs/deploy.md')).toContain(`infra/deploy/proxy/nginx-proxy.conf ${include}\n`);
  });
});

test('Caddy leaves the size of bodies to the server, and keeps tokens out of its log', () => {
  expect(caddy).not.toMatch(/request_body/);
  expect(caddy).toMatch(/request>uri query \{\s+replace token /);
  expect(caddy).toMatch(/request>headers>Authorization delete/);
  expect(caddy).toMatch(/flush_interval -1/);
});
