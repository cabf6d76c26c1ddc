import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Recipe } from './engine.ts';
import { runningEngine } from './running-engine.ts';

/** Stands for an engine: a shell with a child of its own, ready when it says so. */
const recipe = (script: string): Recipe => ({
  name: 'kafka',
  title: 'Shell',
  version: '1',
  variable: 'SHELL_URL',
  artifact: { kind: 'jars', coordinates: [] },
  portCount: 0,
  refusesRoot: false,
  address: () => 'nowhere',
  configure: async () => undefined,
  command: ({ data }) => ({ program: '/bin/sh', args: ['-c', script], folder: data, variables: { GREETING: 'ready' } }),
  isReady: async (_place, printed) => printed.includes('ready'),
});
/** The second process does not end with the first by itself. */
const SERVER = 'echo run >> runs; sleep 600 & echo $! > child; echo "$GREETING"; wait';

describe('a running engine', () => {
  let data: string;
  let deaths: string[];
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'engine-'));
    deaths = [];
  });
  afterEach(() => rmSync(data, { recursive: true }));

  const engineOf = (script: string, signal = new AbortController().signal) =>
    runningEngine(recipe(script), {
      place: { program: data, data, java: data, ports: [] },
      owner: null,
      signal,
      died: (how) => deaths.push(how),
    });
  const childState = (): string => {
    try {
      return readFileSync(`/proc/${readFileSync(join(data, 'child'), 'utf8').trim()}/status`, 'utf8');
    } catch {
      return 'gone';
    }
  };
  const untilChildIsGone = async (): Promise<void> => {
    while (!/gone|State:\tZ/.test(childState())) await new Promise(setImmediate);
  };

  test.each(['stop', 'kill'] as const)('%s ends all its processes and is no death', async (way) => {
    const engine = engineOf(SERVER);
    await engine.start();
    expect(engine.pid).toBeGreaterThan(0);
    await engine[way]();
    await untilChildIsGone();
    expect(engine.pid).toBeNull();
    expect(deaths).toEqual([]);
  });

  test('starts again on the same data', async () => {
    const engine = engineOf(SERVER);
    for (const _ of [1, 2]) {
      await engine.start();
      await engine.kill();
    }
    expect(readFileSync(join(data, 'runs'), 'utf8')).toBe('run\nrun\n');
  });

  test('stops even while it is frozen', async () => {
    const engine = engineOf(SERVER);
    await engine.start();
    engine.signal('SIGSTOP');
    await engine.stop();
    expect(engine.pid).toBeNull();
  });

  test('an end that nobody asked for is told', async () => {
    const engine = engineOf(SERVER);
    await engine.start();
    engine.signal('SIGKILL');
    while (engine.pid !== null) await new Promise(setImmediate);
    expect(deaths).toEqual(['SIGKILL']);
  });

  test('a failed start says how it ended and what it printed last', async () => {
    const engine = engineOf('echo no such disk; exit 3');
    await expect(engine.start()).rejects.toThrow(/Shell ended with code 3 while starting.*\nno such disk$/);
    expect([engine.pid, deaths]).toEqual([null, []]);
  });

  test('what an earlier start printed makes nothing ready', async () => {
    const engine = engineOf(SERVER);
    await engine.start();
    await engine.stop();
    writeFileSync(join(data, 'child'), '');
    await expect(engineOf('exit 1').start()).rejects.toThrow('code 1');
    expect(readFileSync(engine.log, 'utf8')).toContain('ready');
  });

  test('an abort ends a start and all its processes', async () => {
    const abort = new AbortController();
    const engine = engineOf(SERVER.replace('$GREETING', 'not yet'), abort.signal);
    const started = engine.start();
    const failed = expect(started).rejects.toThrow('enough');
    abort.abort(new Error('enough'));
    await failed;
    expect(engine.pid).toBeNull();
  });

  test('a program that cannot be started is named', async () => {
    mkdirSync(join(data, 'bin'));
    const engine = runningEngine(
      { ...recipe(''), command: () => ({ program: join(data, 'bin'), args: [], folder: data, variables: {} }) },
      {
        place: { program: data, data, java: data, ports: [] },
        owner: null,
        signal: AbortSignal.any([]),
        died: () => {},
      },
    );
    await expect(engine.start()).rejects.toThrow(/bin cannot be started/);
  });
});
