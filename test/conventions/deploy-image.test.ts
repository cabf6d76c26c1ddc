import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, matchesGlob } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  COMMAND,
  imageSettings,
  PACKAGE,
  STOP_SECONDS,
  type Stage,
  said,
  stages,
  unknownSettings,
  valuesOf,
} from './deployed.ts';
import { targetOf } from './import-layers.ts';
import { planted, ROOT } from './planted.ts';
import { documentText } from './tables.ts';

const [packages, sources, image] = stages() as [Stage, Stage, Stage];
const stepsOf = (stage: Stage, word: string): string[] =>
  stage.steps.filter((step) => step.word === word).map(({ rest }) => rest);

describe('The image', () => {
  test('is built on the Node that the sources need, in all stages', () => {
    const major = PACKAGE.devDependencies.node!.split('.')[0];
    expect(stages().map(({ from }) => from)).toEqual([
      `node:${major}-slim AS packages`,
      `node:${major}-slim AS sources`,
      `node:${major}-slim`,
    ]);
  });

  test('has the packages of production alone, of the lock file, without running their scripts', () => {
    expect(said(packages, 'RUN')).toMatch(/^npm ci --omit=dev --ignore-scripts /);
    expect(said(packages, 'COPY')).toBe('package.json package-lock.json ./');
    const [from, to] = [said(packages, 'WORKDIR'), said(image, 'WORKDIR')];
    expect([from, to]).toEqual([to, from]);
    expect(stepsOf(image, 'COPY')).toEqual([
      `--from=packages ${from}/node_modules ./node_modules`,
      `--from=sources ${said(sources, 'WORKDIR')} .`,
    ]);
    expect(stepsOf(image, 'RUN').filter((step) => /\bnpm\b/.test(step))).toEqual([]);
  });

  test('has the console as it is served, and nothing that only its build needs', () => {
    expect(stepsOf(sources, 'COPY')).toEqual(['package.json package-lock.json ./', '. .']);
    const [install, build] = stepsOf(sources, 'RUN') as [string, string];
    expect(install).toMatch(/^npm ci --ignore-scripts /);
    using tree = planted({
      'node_modules/vite/a.js': '',
      'console/main.tsx': '',
      'console/frame/shell.tsx': '',
      'console/dist/index.html': '',
      'features/one/console/page.tsx': '',
      'features/one/rules/rule.ts': '',
      'main.ts': '',
    });
    const [script, ...after] = build.split(' && ') as [string, ...string[]];
    expect(script).toBe(PACKAGE.scripts.prepare);
    execFileSync('sh', ['-ec', after.join(' && ')], { cwd: tree.path });
    expect(globSync('**', { cwd: tree.path }).sort()).toEqual([
      '.',
      'console',
      'console/dist',
      'console/dist/index.html',
      'features',
      'features/one',
      'features/one/rules',
      'features/one/rules/rule.ts',
      'main.ts',
    ]);
  });

  test('sets what the configuration knows, and offers its port', () => {
    expect(unknownSettings(Object.keys(imageSettings()))).toEqual([]);
    const { HOST, PORT } = valuesOf(imageSettings());
    expect([HOST, String(PORT)]).toEqual(['0.0.0.0', said(image, 'EXPOSE')]);
  });

  test('runs as a user without rights, named by number, who owns the volume and nothing else', () => {
    const [user] = said(image, 'USER').split(':');
    expect(Number(user)).toBeGreaterThan(0);
    expect(said(image, 'VOLUME')).toBe(valuesOf(imageSettings()).FAULTLINE_DATA);
    expect(said(image, 'RUN')).toBe(`install -d -o node -g node -m 0700 ${said(image, 'VOLUME')}`);
    const words = image.steps.map(({ word }) => word);
    expect(words.lastIndexOf('RUN')).toBeLessThan(words.indexOf('USER'));
  });

  test('is run by docs/deploy.md with its port, its volume and time for a stop', () => {
    const run = /docker run --detach (?:.*\\\n)*.*\n/.exec(documentText('docs/deploy.md'))![0];
    const { PORT, FAULTLINE_DATA } = valuesOf(imageSettings());
    expect(run).toContain(`--publish 127.0.0.1:${PORT}:${PORT} --volume faultline-data:${FAULTLINE_DATA} `);
    expect(run).toMatch(new RegExp(` faultline:${PACKAGE.version.replaceAll('.', '\\.')}\n$`));
    expect(Number(/--stop-timeout (\d+)/.exec(run)![1])).toBeGreaterThan(STOP_SECONDS);
  });

  test('starts as npm start does, without a shell that would keep signals to itself', () => {
    expect(JSON.parse(said(image, 'CMD'))).toEqual(COMMAND);
    expect(image.steps.filter(({ word }) => word === 'ENTRYPOINT')).toEqual([]);
  });
});

describe('The health check', () => {
  const [, program, ...args] = JSON.parse(
    / CMD (\[.*\])$/.exec(said(image, 'HEALTHCHECK'))![1]!.replace('[', '["",'),
  ) as string[];
  const check = async (port: number): Promise<number> => {
    const child = spawn(program === 'node' ? process.execPath : program!, args, { env: { PORT: String(port) } });
    const [code] = (await once(child, 'exit')) as [number];
    return code;
  };

  test('is green while /livez is, and red when it is not or nobody answers', async () => {
    let status = 200;
    const server = createServer(({ url }, response) => response.writeHead(url === '/livez' ? status : 404).end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await check(port)).toBe(0);
    status = 503;
    expect(await check(port)).toBe(1);
    server.close();
    expect(await check(port)).toBe(1);
  });
});

describe('.dockerignore', () => {
  const lines = documentText('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const taken = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const leftOut = lines.slice(1).filter((line) => !line.startsWith('!'));
  const isTaken = (path: string): boolean =>
    taken.some((name) => path === name || path.startsWith(`${name}/`)) &&
    !leftOut.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`));
  const read = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    // The console stays behind in the stage that bundles it.
    .filter((path) => !/^(node_modules|console|features\/[^/]+\/console)\b/.test(path) && /\.[jt]s$/.test(path))
    .filter(isTaken);
  const IMPORT = /(?:^(?:import .*|export .*|\}) from |^import |\bimport\()'([^'\n]+)'/gm;
  const imported = [
    ...new Set(
      read.flatMap((path) => [...readFileSync(join(ROOT, path), 'utf8').matchAll(IMPORT)].map(([, name]) => name!)),
    ),
  ];

  test('leaves nothing but what is named', () => {
    expect(lines[0]).toBe('*');
    for (const tests of ['**/*.test.ts', '**/*-for-tests.ts', 'features/*/journeys', 'features/*/bench'])
      expect(lines).toContain(tests);
    expect(read.length).toBeGreaterThan(500);
  });

  test('leaves every source that the others import', () => {
    const ours = imported.filter((name) => name.startsWith('#')).map((name) => targetOf('', name));
    expect(ours.filter((path) => !isTaken(path))).toEqual([]);
  });

  test('what is left imports packages of production alone', () => {
    const names = imported
      .filter((name) => !/^(#|\.|node:)/.test(name))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      );
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !(name in PACKAGE.dependencies))).toEqual([]);
  });
});
