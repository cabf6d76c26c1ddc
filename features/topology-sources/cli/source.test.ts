import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FakeKubernetes } from '#features/topology-sources/journeys/fake-kubernetes.ts';
import { type FakePrometheus, openFakePrometheus, SHOP } from '#features/topology-sources/journeys/fake-prometheus.ts';
import { KubernetesShop } from '#features/topology-sources/journeys/kubernetes-shop.ts';
import { type CommandLine, commandLine } from '#test/setup/command-line.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';

let it: TestApp;
let prometheus: FakePrometheus;
let admin: string;
let line: CommandLine;
let folder: string;
beforeAll(async () => {
  prometheus = await openFakePrometheus(SHOP());
  it = await openTestApp({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
  admin = await it.tenant('cli-sources');
  line = commandLine(it);
  folder = mkdtempSync(join(tmpdir(), 'faultline-sync-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await it.stop();
  await prometheus.stop();
});
const run = (...args: readonly string[]): Promise<string> => line.run(...args, '--url', it.url, '--token', admin);

test('a source from its dry run to its end', async () => {
  expect(await run('source', 'list')).toBe('No topology sources yet.');
  const given = ['source', 'add', 'prod', '--to', prometheus.url, '--cluster', 'prod', '--every', '1d'];
  expect(await run(...given, '--dry-run')).toMatch(/CIs +│ +14 │/);
  expect(await run(...given)).toMatch(/^Saved source prod\. The first run has started/);
  expect(await run('source', 'run', 'prod')).toMatch(/created │ updated │ unchanged │ ended │ missing │ failed/);
  expect(await run('source', 'list')).toMatch(/prod │ prometheus │ .* │ 14 +│ .* │ Healthy/);
  expect(await run('source', 'remove', 'prod')).toBe('Deleted source prod.');
});

test('a source that the server cannot reach is named, with the next step, at once', async () => {
  const given = ['source', 'add', 'gone', '--to', 'http://127.0.0.1:9'];
  await expect(run(...given, '--dry-run')).rejects.toThrow(
    "Couldn't query 127.0.0.1:9: connection refused. Check the URL, and that the server can reach it",
  );
  await expect(run('source', 'add', 'gone', '--to', 'http://10.0.0.1')).rejects.toThrow(
    'url: expected a public address or one in FAULTLINE_OUTBOUND_ALLOW. Private addresses require FAULTLINE_OUTBOUND_ALLOW on the server',
  );
  await run(...given, '--paused');
  await expect(run('source', 'run', 'gone')).rejects.toThrow("Couldn't query 127.0.0.1:9");
  await run(...given);
  expect((await run('source', 'list')).replace(/[│\s]+/g, ' ')).toMatch(/gone .* Failing since .*: Couldn't query 127/);
  await run('source', 'remove', 'gone');
});

test('a Kubernetes cluster is read with a token and a certificate authority from files', async () => {
  const api = await FakeKubernetes.open();
  new KubernetesShop(api).fill();
  writeFileSync(join(folder, 'token'), 'a-secret\n');
  writeFileSync(join(folder, 'ca.crt'), '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n');
  const files = ['--bearer', `@${join(folder, 'token')}`, '--ca', join(folder, 'ca.crt')];
  const given = ['source', 'add', 'k8s', '--kind', 'kubernetes', '--to', api.url, ...files];
  expect(await run(...given, '--dry-run')).toMatch(/CIs +│ +9 │ +0 │ +3 │/);
  expect(api.requests[0]?.authorization).toBe('Bearer a-secret');
  await expect(run('source', 'add', 'k8s', '--kind', 'kubernetes')).rejects.toThrow(
    "doesn't run in a Kubernetes cluster",
  );
  await api.stop();
});

test('a file is synced', async () => {
  const file = join(folder, 'erp.csv');
  writeFileSync(file, 'kind,external_key,name,type\nci,erp/a,a,server\nci,erp/b,b,server\nci,,b,\n');
  const text = await run('sync', 'erp', file, '--full', '--dry-run');
  expect(text).toMatch(/CIs +│ +2 │/);
  expect(text).toContain('Row 3: external_key, or name and type, are required');
});
