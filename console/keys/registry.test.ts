import { describe, expect, test } from '@jest/globals';
import { comboOf, comboWords, isPlainKey } from './combo.ts';
import { openRegistry, type Shortcut } from './registry.ts';

const NONE = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

describe('a key', () => {
  test.each([
    [{ key: 'j' }, 'j'],
    [{ key: 'J' }, 'j'],
    [{ key: 'X', shiftKey: true }, 'Shift+x'],
    [{ key: '?', shiftKey: true }, '?'],
    [{ key: 'k', metaKey: true }, 'mod+k'],
    [{ key: 'k', ctrlKey: true }, 'mod+k'],
    [{ key: 'ArrowDown', shiftKey: true }, 'Shift+ArrowDown'],
    [{ key: ' ' }, 'Space'],
    [{ key: 'ö' }, 'ö'],
  ])('%j is %s', (pressed, expected) => {
    expect(comboOf({ ...NONE, ...pressed })).toBe(expected);
  });

  test('is written as it stands on the keyboard', () => {
    const written = [comboWords('mod+k', true), comboWords('mod+k', false), comboWords('Shift+x', true)];
    expect(written).toEqual(['⌘ k', 'Ctrl k', 'Shift x']);
  });

  test('is plain unless it has a modifier that text fields do not know', () => {
    expect(['j', 'Shift+x', '.', 'mod+k', 'Escape'].map(isPlainKey)).toEqual([true, true, true, false, false]);
  });
});

describe('shortcuts', () => {
  const opened = () => {
    const registry = openRegistry();
    const ran: string[] = [];
    const shortcut = (keys: string, words = keys, isActive = true): Shortcut => ({
      keys,
      words,
      section: 'List',
      isActive,
      run: () => ran.push(words),
    });
    return { registry, ran, shortcut };
  };

  test('run what was registered last, until it is taken back', () => {
    const { registry, ran, shortcut } = opened();
    registry.add([shortcut('a', 'outer')]);
    const takeBack = registry.add([shortcut('a', 'inner')]);
    registry.press('a', 0);
    takeBack();
    registry.press('a', 0);
    expect(ran).toEqual(['inner', 'outer']);
  });

  test('of two keys run when the second follows within 1.2 s', () => {
    const { registry, ran, shortcut } = opened();
    registry.add([shortcut('g e', 'events'), shortcut('e', 'explain')]);
    expect([registry.press('g', 0), registry.press('e', 1_200)]).toEqual([true, true]);
    registry.press('g', 5_000);
    registry.press('e', 6_201);
    expect(ran).toEqual(['events', 'explain']);
  });

  test('that mean nothing are left to the browser', () => {
    const { registry, ran, shortcut } = opened();
    registry.add([shortcut('a', 'ack', false)]);
    expect([registry.press('a', 0), registry.press('z', 0)]).toEqual([false, false]);
    expect([ran, registry.all().map(({ keys }) => keys)]).toEqual([[], ['a']]);
  });
});

test('keys act anywhere, but for actions on rows', () => {
  const registry = openRegistry();
  const one = (keys: string, section: Shortcut['section'], isActive = true): Shortcut => ({
    keys,
    section,
    isActive,
    words: keys,
    run: () => undefined,
  });
  registry.add([one('/', 'List'), one('g e', 'Go to'), one('?', 'Everywhere'), one('a', 'Actions')]);
  registry.add([one('j', 'List', false)]);
  expect(['/', 'g', '?', 'a', 'j', 'e'].filter(registry.isAnywhere)).toEqual(['/', 'g', '?']);
  registry.press('g', 0);
  expect(registry.isAnywhere('e')).toBe(true);
});

test('actions are those that act on something now, the newest of a key first', () => {
  const registry = openRegistry();
  const one = (keys: string, words: string, more: Partial<Shortcut> = {}): Shortcut => ({
    keys,
    words,
    section: 'Actions' as const,
    run: () => undefined,
    ...more,
  });
  registry.add([one('a', 'Acknowledge', { of: '3 groups' }), one('g e', 'Events', { section: 'Go to' })]);
  const end = registry.add([one('n', 'Note'), one('a', 'Other'), one('m', 'Merge', { isActive: false })]);
  expect(registry.actions().map(({ words }) => words)).toEqual(['Other', 'Note']);
  end();
  expect(registry.actions().map(({ words, of }) => [words, of])).toEqual([['Acknowledge', '3 groups']]);
});

test('letters are held as long as something says that it is open, until it takes that back', () => {
  const registry = openRegistry();
  let isOpen = false;
  const letGo = registry.hold(() => isOpen);
  expect(registry.isHeld()).toBe(false);
  isOpen = true;
  expect(registry.isHeld()).toBe(true);
  letGo();
  expect(registry.isHeld()).toBe(false);
});
