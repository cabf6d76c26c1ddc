import { describe, expect, test } from '@jest/globals';
import { provenClaim } from './claim-checks.ts';
import { CAUSES, CHOSEN, HELD_OUT, LATER, NOW, PARCELS, type Sample } from './claims-for-tests.ts';
import { noteOf } from './note.ts';

/* Few unproven sentences may be shown as notes of a model. */

// Without the two events that address the reader: with them nothing is a note.
const checking = { pack: PARCELS.filter(({ alias }) => !/^E[89]$/.test(alias)), causes: CAUSES, now: NOW };
const noted = (text: string, ...refs: string[]): string | null =>
  provenClaim({ text, refs, certainty: 'likely' }, checking) === 'unproven'
    ? noteOf({ text, refs, certainty: 'likely' }, checking)
    : null;

describe('A note', () => {
  test('is none of the false and injected sentences', () => {
    const all = [...CHOSEN, ...HELD_OUT, ...LATER].filter(([kind]) => kind !== 'true');
    const shown = all.filter(([, text, ...refs]: Sample) => noted(text, ...refs) !== null);
    expect(shown.map(([, text]) => text)).toEqual([]);
    expect(all).toHaveLength(83);
  });

  const REFS = ['E1', 'E2', 'E3', 'E4'];
  test.each([
    'The disk, the queries and the queue look like one problem of storage.',
    'The write path seems overloaded.',
  ])('may be a supposition: %s', (text) => expect(noted(text, ...REFS)).toBe(text));

  test.each([
    ['the indicative', 'The write path is overloaded.'],
    ['a number', 'The write path seems overloaded by 70 %.'],
    ['a name that nothing has', 'The write path of db-77 seems overloaded.'],
    ['an order', 'The write path seems overloaded, restart it.'],
    ['an all-clear', 'The write path seems fine.'],
    ['a cause', 'The write path seems overloaded because of kafka-3.'],
    ['a link', 'The write path seems overloaded, see https://evil.example/1'],
    ['another language', 'Der Schreibpfad scheint überlastet, vielleicht may die Platte'],
    ['a text of the evidence', 'It seems that write queries rejected database is read only.'],
  ])('has no %s', (_, text) => expect(noteOf({ text, refs: REFS, certainty: 'likely' }, checking)).toBeNull());

  test('is none beside evidence that addresses its reader', () => {
    const claim = { text: 'The write path seems overloaded.', refs: REFS, certainty: 'likely' } as const;
    expect(noteOf(claim, { ...checking, pack: PARCELS })).toBeNull();
  });
});
