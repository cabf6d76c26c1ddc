import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { payloadOf } from '#application/events/sources/rejected-payloads.ts';
import type { EventDraft } from '#domain/event/draft.ts';
import { problemKindOf } from '#domain/event/identity/problem-kind.ts';
import { systemOf } from '#domain/event/identity/system.ts';
import { unboundKeys } from '#domain/event/identity/unbound.ts';
import { prepare } from '#domain/event/lifecycle/prepare.ts';
import { bindOne, emptyDirectory } from '#domain/topology/binding.ts';
import { parseEventItem } from '#schemas/http/events/events.ts';
import { readAs, SAMPLES } from '#sources/samples-for-tests.ts';
import { filled, isSchema } from './filled.ts';
import { hostileAfter, SOME_HOSTILE_TEXTS, slowOnes } from './hostile.ts';
import { leafAt, leaves, replacedAt } from './leaves.ts';
import { ROOT } from './planted.ts';
import { patterns, sources, textFunctions } from './written.ts';

const load = (file: string) => import(join(ROOT, file)) as Promise<Readonly<Record<string, unknown>>>;
type TakesTexts = (...texts: string[]) => unknown;

const draft: EventDraft = { source: 's', sourceId: '1', severity: 'info', title: 'x' };
const FIELDS = ['source', 'sourceId', 'title', 'description', 'hostname', 'ipAddress', 'service', 'ciId'] as const;
const UNBOUND = { ci: null, ambiguous: false };
const settings = { dedupScope: 'system', dedupWindowMs: 1 } as const;
const preparation = { binding: UNBOUND, settings, newId: 'n', conditionId: null, receivedAt: 1 };

/** Has other parameters than texts, so it is named here. */
const others: Readonly<Record<string, (text: string) => unknown>> = {
  problemKindOf: (text) => problemKindOf({ title: text, hostname: text, category: text, tags: [text] }),
  systemOf: (text) => systemOf({ hostname: text, ipAddress: text, source: text }),
  unboundKeys: (text) => unboundKeys({ hostname: text, ipAddress: text, details: { ciId: text, ciHints: [text] } }),
  bindOne: (text) => bindOne(emptyDirectory(), () => undefined, { hostname: text, ipAddress: text, hints: [text] }),
  payloadOf: (text) => payloadOf(text, ['secret', 'a']),
  parseEventItem: (text) => parseEventItem({ ...draft, title: text, timestamp: text, hostname: text }),
  ...Object.fromEntries(
    FIELDS.map((field) => [`prepare ${field}`, (text: string) => prepare({ ...draft, [field]: text }, preparation)]),
  ),
};

describe('no text of 4,096 characters takes as long as twenty walks over it', () => {
  test('for any pattern that is written in the code', () => {
    expect(patterns.length).toBeGreaterThan(150);
    const tried = (pattern: RegExp) => (text: string) =>
      pattern.global ? [...text.matchAll(pattern)] : pattern.exec(text);
    expect(patterns.flatMap(({ name, pattern }) => slowOnes(name, tried(pattern)))).toEqual([]);
  });

  test('for any exported function of texts', async () => {
    expect(textFunctions.length).toBeGreaterThan(40);
    const slow: string[] = [];
    for (const { file, name, texts } of textFunctions) {
      const run = (await load(file))[name] as TakesTexts;
      for (let at = 0; at < texts; at++) {
        const asked = (text: string) => Array.from({ length: texts }, (_, index) => (index === at ? text : 'web-01'));
        slow.push(...slowOnes(`${file} ${name}`, (text) => run(...asked(text))));
      }
    }
    expect(slow).toEqual([]);
  });

  test.each(Object.entries(others))('for %s', (name, work) => expect(slowOnes(name, work)).toEqual([]));

  test('for any field of a request', async () => {
    const slow: string[] = [];
    let tried = 0;
    for (const { file } of sources.filter((source) => source.file.startsWith('schemas/http/')))
      for (const [name, schema] of Object.entries(await load(file))) {
        if (!isSchema(schema)) continue;
        tried += 1;
        slow.push(...slowOnes(`${file} ${name}`, (text) => schema.safeParse(filled(schema, text)), SOME_HOSTILE_TEXTS));
      }
    expect(tried).toBeGreaterThan(50);
    expect(slow).toEqual([]);
  });

  test('for any field of the body of a monitor, also behind what is usual there', () => {
    const slow = SAMPLES.flatMap(([source, body]) =>
      leaves(body).flatMap((path) =>
        slowOnes(`${source} ${path.join('.')}`, (text) => readAs(source, replacedAt(body, path, text)), [
          ...SOME_HOSTILE_TEXTS,
          ...hostileAfter(String(leafAt(body, path))),
        ]),
      ),
    );
    expect(slow).toEqual([]);
  });

  test('for any pattern of a source, behind any text that a monitor sends', () => {
    const texts = [...new Set(SAMPLES.flatMap(([, body]) => leaves(body).map((path) => String(leafAt(body, path)))))];
    const hostile = texts.filter((text) => text.length < 200).flatMap(hostileAfter);
    const ofSources = patterns.filter(({ name }) => name.startsWith('sources/'));
    expect(ofSources.length).toBeGreaterThan(30);
    expect(
      ofSources.flatMap(({ name, pattern }) =>
        slowOnes(name, (text) => (pattern.global ? [...text.matchAll(pattern)] : pattern.exec(text)), hostile),
      ),
    ).toEqual([]);
  });

  test('a title of a megabyte holds up nothing', () => {
    const titles = [`[Alert on ${' '.repeat(1_000_000)}x`, `${' '.repeat(1_000_000)}x`, '<p '.repeat(300_000)];
    const slow = SAMPLES.flatMap(([source, body]) =>
      leaves(body).flatMap((path) =>
        slowOnes(`${source} ${path.join('.')}`, (title) => readAs(source, replacedAt(body, path, title)), titles),
      ),
    );
    expect(slow).toEqual([]);
  });
});
