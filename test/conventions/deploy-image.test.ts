import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, matchesGlob } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  COMMAND,
  deployedText,
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
import { ROOT } from './planted.ts';
import { documentText } from './tables.ts';

const [build, image] = stages() as [Stage, Stage];
const stepsOf = (stage: Stage, word: string): string[] =>
  stage.steps.filter((step) => step.word === word).map(({ rest }) => rest);
/** Its own result: docs/deploy.md has the size. */
const script = deployedText('image.sh');

describe('The image', () => {
  test('is built on the Node that the sources need, with the script that also runs without Docker', () => {
    const major = PACKAGE.devDependencies.node!.split('.')[0];
    expect(build.from).toBe(`node:${major}-slim AS build`);
    expect(stepsOf(build, 'RUN')).toEqual([
      'npm ci --ignore-scripts --no-audit --no-fund',
      'sh infra/deploy/image.sh /image',
    ]);
  });

  test('has the packages of production alone, of the lock file, without running their scripts', () => {
    expect(script).toMatch(/^ {2}npm ci --omit=dev --ignore-scripts /m);
    expect(script).toMatch(/^ {2}npm prune --omit=dev --ignore-scripts /m);
    expect(script).toMatch(/^npm sbom --package-lock-only --omit=dev --sbom-format=cyclonedx /m);
    expect(script).toContain(PACKAGE.scripts.prepare!.replace('node ', ''));
  });

  test('has no shell and no package manager: nothing runs in its last stage', () => {
    expect(image.from).toBe('gcr.io/distroless/cc-debian12');
    expect(stepsOf(image, 'RUN')).toEqual([]);
    expect(stepsOf(image, 'COPY')).toEqual([
      '--from=build /image/usr/local/bin/node /usr/local/bin/node',
      '--from=build /image/faultline .',
      '--from=build --chown=1000:1000 --chmod=0700 /image/data /data',
    ]);
  });

  test('names its version', () => {
    expect(said(image, 'LABEL').split(' ')).toContain(`org.opencontainers.image.version=${PACKAGE.version}`);
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
    expect(script).toContain(`chown 1000:1000 "$to${said(image, 'VOLUME')}"`);
  });

  test('is run by docs/deploy.md with its port, its volume and time for a stop', () => {
    const run = /docker run --detach (?:.*\\\n)*.*\n/.exec(documentText('docs/deploy.md'))![0];
    const { PORT, FAULTLINE_DATA } = valuesOf(imageSettings());
    expect(run).toContain(`--publish 127.0.0.1:${PORT}:${PORT} --volume faultline-data:${FAULTLINE_DATA} `);
    expect(run).toMatch(new RegExp(` faultline:${PACKAGE.version.replaceAll('.', '\\.')}\n$`));
    expect(Number(/--stop-timeout (\d+)/.exec(run)![1])).toBeGreaterThan(STOP_SECONDS);
  });

  test('starts as npm start does, without a shell that would keep signals to itself', () => {
    expect(JSON.parse(said(image, 'CMD'))).toEqual([...COMMAND.slice(0, -1), 'built/cli/faultline.js', 'serve']);
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
    .filter((path) => !/^(node_modules|console|tools|features\/[^/]+\/console)\b/.test(path) && /\.[jt]s$/.test(path))
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
