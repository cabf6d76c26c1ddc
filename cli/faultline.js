#!/usr/bin/env node
// Plain JavaScript, because an older Node must be able to read it: a checkout has the Node 24 that its tests run on, and hands over to it.
import { spawn } from 'node:child_process';
import * as nodeModule from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const MAJOR = 24;
const OLDEST = [22, 22];
const args = process.argv.slice(2);
const [major, minor] = process.versions.node.split('.').map(Number);

const bundledNode = () => {
  try {
    return nodeModule.createRequire(import.meta.url).resolve('node/bin/node');
  } catch {
    return null;
  }
};

const handOver = (node) => {
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', fileURLToPath(import.meta.url), ...args], {
    stdio: 'inherit',
  });
  // The terminal sends Ctrl-C to both; the child decides when to end.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
};

const newer = major < MAJOR ? bundledNode() : null;
if (newer !== null) handOver(newer);
else if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  console.error(`Faultline needs Node ${OLDEST.join('.')} or newer; this is ${process.version}.`);
  process.exitCode = 1;
} else {
  // Reading types is still called an experiment in some releases; nobody who types a command wants to know.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') console.error(`${warning.name}: ${warning.message}`);
  });
  // As main.ts does.
  nodeModule.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/faultline', import.meta.url)));
  const { run } = await import('./cli.ts');
  await run(process.argv);
}
