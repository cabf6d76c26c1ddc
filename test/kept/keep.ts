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
import { openTestApp } from '#test/setup/test-app.ts';
import { topicSamples } from '#test/setup/topic-samples.ts';
import { fill } from './fill.ts';
import { answersOf, FILES, type KeptRecord } from './kept.ts';

const to = join(fileURLToPath(new URL('.', import.meta.url)), VERSION);
rmSync(to, { recursive: true, force: true });
mkdirSync(to, { recursive: true });
const data = mkdtempSync(join(tmpdir(), 'faultline-kept-'));
const { app, send, stop } = await openTestApp({ FAULTLINE_DATA: data });
await fill(send);
await app.idle();
// Its last record is in the redo log alone.
for (const name of FILES) writeFileSync(join(to, `${name}.gz`), gzipSync(readFileSync(join(data, name))));
const answers = await answersOf(send);
await stop();
rmSync(data, { recursive: true });
writeFileSync(join(to, 'answers.json'), `${JSON.stringify(answers, null, 2)}\n`);

const codecs = await openCodecs(openMemoryRegistry());
const records = topics.map(({ name }): KeptRecord => {
  const [value] = topicSamples[name];
  const schema = schemaText(topics.find((one) => one.name === name)!);
  const bytes = codecs.of(name).encode(value as never);
  return { topic: name, schema: JSON.parse(schema), bytes: bytes.toString('base64') };
});
writeFileSync(join(to, 'records.json.gz'), gzipSync(JSON.stringify(records)));
