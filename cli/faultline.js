#!/usr/bin/env node
// Plain JavaScript, because an older Node must be able to read it: it hands over to the Node 24 that is installed with the dependencies.
import { spawn } from 'node:child_process';
import * as nodeModule from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const MAJOR = 24;
const args = process.argv.slice(2);

const bundledNode = () => {
  try {
    return nodeModule.createRequire(import.meta.url).resolve('node/bin/node');
  } catch {
    console.error(
      `Faultline needs Node ${MAJOR} or newer; this is ${process.version}. Run npm install in the checkout first.`,
    );
    process.exit(1);
  }
};

const handOver = () => {
  const child = spawn(
    bundledNode(),
    ['--disable-warning=ExperimentalWarning', fileURLToPath(import.meta.url), ...args],
    {
      stdio: 'inherit',
    },
  );
  // The terminal sends Ctrl-C to both; the child decides when to end.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
};

if (Number(process.versions.node.split('.')[0]) < MAJOR) handOver();
else {
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
