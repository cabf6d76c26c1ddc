import { beforeAll, describe, expect, test } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import { sampleEvent } from '#test/contract/samples.ts';
import { until } from '#test/setup/until.ts';
import { painted } from './kit/axe.ts';
import { focusList } from './kit/focus.ts';
import { consoleOfTests, expectNoReports } from './kit/open-console.ts';

/**
 * Cost of a long list and a storm for the page. Wall times are printed; assertions use the processor time of the page's
 * own thread, relative to that of drawing the list in the same run.
 */

const ROWS = 10_000;
const BATCH = 1_000;
const KEYS = 40;
const MB = 1_000_000;
const tell = (text: string): void => void process.stderr.write(`console: ${text}\n`);
const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

// Nothing is correlated: that would be measured too.
const it = consoleOfTests({ env: { FAULTLINE_PROCESSORS: 'dedup,enrich' } });
let serial = 0;
const send = async (count: number): Promise<void> => {
  const events = Array.from({ length: count }, () => {
    const n = ++serial;
    return { sourceId: `${n}`, severity: 'minor', title: `Sensor ${n} reads too much`, hostname: `sensor-${n}` };
  });
  await it.ask('POST', '/api/events/bulk-ingest', { source: 'curl', events });
};
/** Writes into the store itself: the pipeline would be seven times as slow, and only the list is measured. */
const fill = async (count: number): Promise<void> => {
  const { clock, events, ids } = it.app.ports;
  const rows = Array.from({ length: count }, () => {
    const [n, at] = [++serial, clock.now()];
    return sampleEvent(n, {
      tenant: 'default',
      id: ids.ulid(),
      severity: 'minor',
      title: `Sensor ${n} reads too much`,
      hostname: `sensor-${n}`,
      timestamp: at,
      firstOccurrence: at,
      lastOccurrence: at,
      createdAt: at,
      updatedAt: at,
      createdPosition: 0,
      position: 0,
    });
  });
  await events.save(rows);
};
beforeAll(async () => {
  for (let n = 0; n < ROWS; n += BATCH) await fill(BATCH);
}, 180_000);

const listed = async (): Promise<Page> => {
  const page = await it.signedIn('events');
  await page.getByRole('grid', { name: 'Events' }).getByRole('row').nth(10).waitFor();
  await focusList(page);
  return page;
};
/** Processor time of the page since it was loaded, ms: `script` alone, and `work` with styles, layout and painting. */
const spentBy = async (devtools: CDPSession): Promise<{ script: number; work: number }> => {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const of = (name: string): number => (metrics.find((one) => one.name === name)?.value ?? 0) * 1_000;
  return { script: of('ScriptDuration'), work: of('TaskDuration') };
};
const meteredAt = async (page: Page): Promise<CDPSession> => {
  const devtools = await it.context.newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return devtools;
};

const DRAWN = 20;
/** Time of the page to draw the visible part of the list from nothing, ms: the speed of the machine. */
const drawingOf = async (page: Page, devtools: CDPSession): Promise<number> => {
  const before = (await spentBy(devtools)).work;
  await page.evaluate((times) => {
    const grid = document.querySelector<HTMLElement>('[role=grid]')!;
    for (let n = 0; n < times; n++) {
      const copy = grid.cloneNode(true) as HTMLElement;
      grid.after(copy);
      copy.getBoundingClientRect();
      copy.remove();
    }
  }, DRAWN);
  return ((await spentBy(devtools)).work - before) / DRAWN;
};

describe(`a list of ${ROWS} events`, () => {
  test('is scrolled with less script a frame than it takes to draw it twice, and draws no more rows than are seen', async () => {
    const page = await listed();
    const devtools = await meteredAt(page);
    const before = await spentBy(devtools);
    const { frames, most } = await page.evaluate(async () => {
      const grid = document.querySelector<HTMLElement>('[role=grid]')!;
      const times: number[] = [];
      let rows = 0;
      let last = performance.now();
      for (let n = 0; n < 150; n++) {
        grid.scrollTop += 340;
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        times.push(now - last);
        last = now;
        rows = Math.max(rows, grid.querySelectorAll('[role=row]').length);
      }
      return { frames: times, most: rows };
    });
    const script = (await spentBy(devtools)).script - before.script;
    const drawing = await drawingOf(page, devtools);
    tell(
      `${ROWS} rows scrolled: frames ${at(frames, 0.5).toFixed(1)} ms (p95 ${at(frames, 0.95).toFixed(1)}), script ${(script / frames.length).toFixed(2)} ms a frame where to draw the list takes ${drawing.toFixed(1)} ms, at most ${most} rows drawn`,
    );
    expect(most).toBeLessThanOrEqual(60);
    expect(script / frames.length / drawing).toBeLessThan(1.5);
    await page.keyboard.press('End');
    await page.getByRole('row', { name: /Sensor 1 reads/ }).waitFor();
    await page.close();
  });

  test('a key takes no more work than to draw the list four times', async () => {
    const page = await listed();
    const devtools = await meteredAt(page);
    await page.evaluate(() => {
      const kept = window as unknown as { delays: number[] };
      kept.delays = [];
      document.addEventListener(
        'keydown',
        ({ timeStamp }) => {
          const drawn = new MessageChannel();
          drawn.port1.onmessage = () => kept.delays.push(performance.now() - timeStamp);
          // The frame that follows the key, and after it the first task.
          requestAnimationFrame(() => drawn.port2.postMessage(null));
        },
        { capture: true },
      );
    });
    const before = await spentBy(devtools);
    for (let n = 0; n < KEYS; n++) {
      await page.keyboard.press(n % 4 === 3 ? 'x' : 'j');
      await page.waitForFunction((count) => (window as unknown as { delays: number[] }).delays.length > count, n);
    }
    const work = ((await spentBy(devtools)).work - before.work) / KEYS;
    const drawing = await drawingOf(page, devtools);
    const delays = await page.evaluate(() => (window as unknown as { delays: number[] }).delays);
    tell(
      `a key of ${ROWS} rows is painted after ${at(delays, 0.5).toFixed(0)} ms (p95 ${at(delays, 0.95).toFixed(0)}) and ${work.toFixed(1)} ms of work where to draw the list takes ${drawing.toFixed(1)} ms`,
    );
    await page.getByText('10 events selected').waitFor();
    expect(work / drawing).toBeLessThan(4);
    await page.close();
  });
});

/** Counts from now on how often a row of the list is seen at another place than before, or another row at its place. */
const countMoves = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const counted = Object.assign(window, { moves: 0 });
    const [places, rows] = [new Map<string, string>(), new Map<string, string>()];
    const look = (): void => {
      for (const row of document.querySelectorAll<HTMLElement>('[role=grid] [role=row][data-index]')) {
        const name = /Sensor \d+ /.exec(row.textContent ?? '')?.[0];
        const place = row.dataset.index;
        if (name === undefined || place === undefined) continue;
        if ((places.get(name) ?? place) !== place || (rows.get(place) ?? name) !== name) counted.moves += 1;
        places.set(name, place);
        rows.set(place, name);
      }
    };
    look();
    // The list that replaces this one is read when it is needed.
    Object.assign(window, { look });
    new MutationObserver(look).observe(document.querySelector('[role=grid]')!, {
      childList: true,
      subtree: true,
      characterData: true,
      attributeFilter: ['data-index'],
    });
  });
const movesOn = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const counting = window as unknown as { moves: number; look(): void };
    counting.look();
    return counting.moves;
  });

const STORM_MS = 12_000;
/** A thousand changes a second. */
const [AT_ONCE, EVERY_MS] = [250, 250];
/** In twelve seconds it is five, and a storm on a busy machine lasts longer. */
const MAX_REQUESTS = 12;

test('a storm leaves the heap as it was, asks the server seldom, takes no key away, and moves no row while one is focused or selected', async () => {
  const page = await listed();
  await page.locator('[role=status][data-kind=live]').waitFor();
  const devtools = await it.context.newCDPSession(page);
  const heap = async (): Promise<number> => {
    await devtools.send('HeapProfiler.collectGarbage');
    return (await devtools.send('Runtime.getHeapUsage')).usedSize;
  };
  const before = await heap();
  await countMoves(page);
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/')) asked += 1;
  });
  const [from, first] = [serial, performance.now()];
  const delays: number[] = [];
  while (performance.now() - first < STORM_MS) {
    const sent = performance.now();
    await send(AT_ONCE);
    const pressed = performance.now();
    await page.keyboard.press('j');
    delays.push(performance.now() - pressed);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, sent + EVERY_MS - performance.now())));
  }
  const seconds = (performance.now() - first) / 1_000;
  await page.getByRole('button', { name: / new$/ }).waitFor();
  const grown = (await heap()) - before;
  tell(
    `${((serial - from) / seconds).toFixed(0)} changes a second for ${seconds.toFixed(0)} s: heap ${(before / MB).toFixed(1)} MB and ${(grown / MB).toFixed(1)} more, ${asked} requests, a key answered after ${at(delays, 0.5).toFixed(0)} ms (p95 ${at(delays, 0.95).toFixed(0)})`,
  );
  expect(grown).toBeLessThanOrEqual(20 * MB);
  expect(asked).toBeLessThanOrEqual(MAX_REQUESTS);
  expect(await movesOn(page)).toBe(0);

  // Selected, and the focus is elsewhere.
  await page.keyboard.press('x');
  await page.getByText('1 event selected').waitFor();
  await page.getByRole('searchbox').or(page.getByPlaceholder('Search title, description or hostname')).first().focus();
  for (let sent = 0; sent < 1_000 - AT_ONCE; sent += AT_ONCE) await send(AT_ONCE);
  const read = page.waitForResponse((response) => response.url().includes('/api/events?'));
  await send(AT_ONCE);
  await read;
  await painted(page);
  expect(await movesOn(page)).toBe(0);
  await page.getByRole('button', { name: / new$/ }).click();
  await until(async () => (await movesOn(page)) > 0);
  tell(`${serial - from} changes: no row moved before they were taken in, then ${await movesOn(page)}`);
  await page.close();
});

expectNoReports(it);
