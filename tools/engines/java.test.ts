import { afterAll, describe, expect, test } from '@jest/globals';
import { planted } from '#test/conventions/planted.ts';
import { findJava, javaHomes } from './java.ts';

const release = (version: string, modules = 'java.base jdk.incubator.vector') =>
  `JAVA_VERSION="${version}"\nMODULES="${modules}"\n`;
const tree = planted({
  'jdk-17/release': release('17.0.15'),
  'jdk-17/bin/java': '',
  'jdk-25/release': release('25.0.3'),
  'jdk-25/bin/java': '',
  'jre-25/release': release('25.0.3', 'java.base'),
  'jre-25/bin/java': '',
  'jdk-26/release': release('26'),
  'jdk-26/bin/java': '',
  'empty/readme': '',
});
afterAll(() => tree[Symbol.dispose]());
const homes = (...names: string[]) => names.map((name) => ({ path: `${tree.path}/${name}`, from: name }));

describe('the JDK of the engines', () => {
  test.each([
    [['jdk-25', 'jdk-26'], 'jdk-25'],
    [['empty', 'jdk-17', 'jre-25', 'jdk-26', 'jdk-25'], 'jdk-26'],
  ])('of %j is %s', (names, found) => {
    expect(findJava(homes(...names))).toBe(`${tree.path}/${found}`);
  });

  test('when there is none, the message says what was found and what helps', () => {
    expect(() => findJava(homes('empty', 'jdk-17', 'jre-25'))).toThrow(
      /JDK 25 .*JAVA_HOME_25[\s\S]*empty: no JDK\n.*jdk-17: Java 17\n.*jre-25: Java 25, not a full JDK$/,
    );
    expect(() => findJava([])).toThrow('no folder of a JDK exists');
  });

  test('is looked for in the variables first, then on PATH', () => {
    const found = javaHomes({
      homes: { JAVA_HOME_25: `${tree.path}/jdk-25`, JAVA_HOME: undefined },
      path: `${tree.path}/empty:${tree.path}/jdk-17/bin:${tree.path}/jdk-26/bin`,
    });
    expect(found.slice(0, 2)).toEqual([
      { path: `${tree.path}/jdk-25`, from: 'JAVA_HOME_25' },
      { path: `${tree.path}/jdk-17`, from: `java on PATH (${tree.path}/jdk-17/bin/java)` },
    ]);
  });
});
