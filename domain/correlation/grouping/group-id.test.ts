import { describe, expect, test } from '@jest/globals';
import { groupIdOf } from './group-id.ts';

describe('groupIdOf', () => {
  test('has the form of the specification', () => {
    expect(groupIdOf(1_700_000_000_123, '01HF7YAT00ABCDEFGHJKMNPQRS')).toMatch(/^COR-1700000000123-[0-9a-z]{6}$/);
  });

  test('is the same for the same event for ever', () => {
    expect(groupIdOf(5, '01HF7YAT00ABCDEFGHJKMNPQRS')).toBe('COR-5-gk5ogl');
  });

  test('differs for ids that differ in one character', () => {
    const ids = Array.from({ length: 10_000 }, (_, i) =>
      groupIdOf(5, `01HF7YAT00ABCDEFGHJKM${String(i).padStart(5, '0')}`),
    );
    expect(new Set(ids).size).toBeGreaterThan(9_990);
  });
});
