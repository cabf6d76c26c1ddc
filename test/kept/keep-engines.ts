/**
 * `node test/kept/keep-engines.ts` with the addresses of engines, which are emptied: keeps what this version leaves in
 * Elasticsearch and Neo4j, with answers about it. Run once per released version, after keep.ts.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { VERSION } from '#infra/version.ts';
import { distributed } from '#test/engines/distributed.ts';
import { openTestApp } from '#test/setup/test-app.ts';
import { runOn } from '#test/setup/test-mode.ts';
import { keepEngines } from './engines.ts';
import { fill } from './fill.ts';
import { answersOf, ENGINES, type KeptEngines } from './kept.ts';

runOn(distributed);
const { app, send, stop } = await openTestApp();
await fill(send);
await app.idle();
const answers = await answersOf(send);
await stop();
const kept: KeptEngines = { ...(await keepEngines()), answers };
const to = join(fileURLToPath(new URL('.', import.meta.url)), VERSION, ENGINES);
writeFileSync(to, gzipSync(JSON.stringify(kept)));
