/**
 * `node test/kept/keep.ts`: keeps data of this version in test/kept/<version>, as a killed server leaves it, with
 * answers about it and a record of each topic. Run once per released version.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { openCodecs } from '#infra/kafka/codec/codecs.ts';
import { schemaText } from '#infra/kafka/codec/schema-file.ts';
import { VERSION } from '#infra/version.ts';
import { topics } from '#schemas/topics/topics.ts';
import { openMemoryRegistry } from '#test/setup/memory-registry.ts';
import { openTestApp, START } from '#test/setup/test-app.ts';
import { topicSamples } from '#test/setup/topic-samples.ts';
import { ASKED, FILES, type KeptRecord } from './kept.ts';

const to = join(fileURLToPath(new URL('.', import.meta.url)), VERSION);
rmSync(to, { recursive: true, force: true });
mkdirSync(to, { recursive: true });
const data = mkdtempSync(join(tmpdir(), 'faultline-kept-'));
const { app, send, stop } = await openTestApp({ FAULTLINE_DATA: data });
const made = async (path: string, body: unknown): Promise<void> => {
  const { status, body: reply } = await send('POST', path, body);
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(reply)}`);
};

const cis = ['switch', 'server', 'database', 'application'] as const;
const ids: string[] = [];
for (const type of cis) {
  const { body } = await send('POST', '/v1/cmdb/ci', { name: `${type}-1`, type });
  ids.push(body.id);
}
for (const [i, id] of ids.slice(1).entries())
  await made('/v1/cmdb/relationships', { source_ci: id, target_ci: ids[i], type: 'depends_on' });
await made('/api/events/silences', {
  reason: 'Kept',
  matcher: { source: 'kept', title: 'Ignored' },
  endsAt: new Date(START + 86_400_000).toISOString(),
});
await made('/api/admin/users', { username: 'ann', password: 'a password of ann', name: 'Ann', role: 'operator' });
await made('/api/webhooks', { name: 'kept', url: 'https://example.com/hook', events: ['report.completed'] });
const event = (n: number, hostname: string, title: string) => ({
  source: 'kept',
  sourceId: `kept-${n}`,
  severity: 'critical',
  title,
  hostname,
  timestamp: START - 60_000 + n,
});
await made('/api/events/bulk-ingest', {
  events: [...cis.map((type, n) => event(n, `${type}-1`, `${type} is down`)), event(9, 'quiet-1', 'Ignored')],
});
await app.idle();
// Its last record is in the redo log alone.
for (const name of FILES) writeFileSync(join(to, `${name}.gz`), gzipSync(readFileSync(join(data, name))));
const answers = await Promise.all(ASKED.map(async (path) => [path, (await send('GET', path)).body]));
await stop();
rmSync(data, { recursive: true });
writeFileSync(join(to, 'answers.json'), `${JSON.stringify(Object.fromEntries(answers), null, 2)}\n`);

const codecs = await openCodecs(openMemoryRegistry());
const records = topics.map(({ name }): KeptRecord => {
  const [value] = topicSamples[name];
  const schema = schemaText(topics.find((one) => one.name === name)!);
  const bytes = codecs.of(name).encode(value as never);
  return { topic: name, schema: JSON.parse(schema), bytes: bytes.toString('base64') };
});
writeFileSync(join(to, 'records.json.gz'), gzipSync(JSON.stringify(records)));
