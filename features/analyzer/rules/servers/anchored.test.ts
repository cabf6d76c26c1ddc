import { expect, test } from '@jest/globals';
import { belonging } from './anchored.ts';

const machine = (name: string, more: { isAnchor?: boolean; hasSign?: boolean } = {}) => ({
  id: name,
  name,
  isAnchor: false,
  hasSign: true,
  ...more,
});
const link = (text: string) => {
  const [source = '', target = ''] = text.split('>');
  return { source, target };
};
const web = machine('web-1', { isAnchor: true });

test.each<[string, ReturnType<typeof machine>[], string[], string[]]>([
  [
    'what an anchor leads to, further and further',
    [web, machine('app-1'), machine('db-1')],
    ['web-1>app-1', 'app-1>db-1'],
    ['web-1', 'app-1', 'db-1'],
  ],
  [
    'not what leads to an anchor',
    [web, machine('app-1'), machine('mon-1')],
    ['web-1>app-1', 'mon-1>web-1'],
    ['web-1', 'app-1'],
  ],
  [
    'not what runs the same elsewhere',
    [web, machine('app-1'), machine('other-9')],
    ['web-1>app-1'],
    ['web-1', 'app-1'],
  ],
  [
    'not what shows no sign',
    [web, machine('app-1'), machine('dns-1', { hasSign: false })],
    ['web-1>app-1', 'web-1>dns-1'],
    ['web-1', 'app-1'],
  ],
  [
    'siblings that need the same',
    [web, machine('app-1'), machine('app-2'), machine('db-1')],
    ['web-1>app-1', 'app-1>db-1', 'app-2>db-1'],
    ['web-1', 'app-1', 'app-2', 'db-1'],
  ],
  [
    'no sibling that needs something else',
    [web, machine('ldap-1'), machine('ldap-2')],
    ['web-1>ldap-1', 'ldap-2>ldap-1'],
    ['web-1', 'ldap-1'],
  ],
])('%s', (_, machines, links, found) => {
  expect([...(belonging(machines, links.map(link)) ?? [])].sort()).toEqual([...found].sort());
});

test('without an anchor, or where nothing leads anywhere, each stands for itself', () => {
  expect(belonging([machine('a-1'), machine('b-1')], [link('a-1>b-1')])).toBeNull();
  expect(belonging([web, machine('b-1')], [link('b-1>web-1')])).toBeNull();
});
