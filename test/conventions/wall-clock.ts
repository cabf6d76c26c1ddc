import { parseSync } from '@swc/core';

interface Node {
  readonly type?: string;
  readonly [name: string]: unknown;
}

const FUNCTIONS = [
  'ArrowFunctionExpression',
  'FunctionExpression',
  'FunctionDeclaration',
  'ClassMethod',
  'MethodProperty',
];
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
/** A name behind a dot or before a colon is none of a variable. */
const isLabel = ({ type }: Node, key: string, value: unknown): boolean =>
  ((type === 'MemberExpression' && key === 'property') || key === 'key') &&
  isNode(value) &&
  value.type === 'Identifier';

function* nodesIn(value: unknown, mayEnter: (node: Node) => boolean): Generator<Node> {
  if (Array.isArray(value)) for (const inner of value) yield* nodesIn(inner, mayEnter);
  if (!isNode(value)) return;
  yield value;
  if (!mayEnter(value)) return;
  for (const [key, inner] of Object.entries(value)) if (!isLabel(value, key, inner)) yield* nodesIn(inner, mayEnter);
}
const anywhere = (value: unknown): Node[] => [...nodesIn(value, () => true)];
/** Nested functions run at another time. */
const here = (value: unknown): Node[] => [...nodesIn(value, ({ type = '' }) => !FUNCTIONS.includes(type))];

const CLOCKS = /^(?:performance\.now|Date\.now|process\.hrtime(?:\.bigint)?|systemClock\.(?:now|steady))$/;
const MENTIONED = /\bnow\(|\bhrtime\b|\bsystemClock\b/;
const pathOf = ({ type, value, object, property }: Node): string =>
  type === 'MemberExpression' ? `${pathOf(object as Node)}.${pathOf(property as Node)}` : `${value ?? ''}`;
const isCallOf = (node: Node, callee: RegExp): boolean =>
  node.type === 'CallExpression' && callee.test(pathOf(node.callee as Node));

type Holds = (value: unknown) => boolean;

/** Returns each name with its values: by its declaration, an assignment or a push. */
function settings(body: unknown): (readonly [name: string, value: unknown])[] {
  const set = (target: unknown, value: unknown): (readonly [string, unknown])[] => {
    if (!isNode(target)) return [];
    const [places, values] = [target.elements, isNode(value) ? value.elements : undefined];
    if (Array.isArray(places) && Array.isArray(values))
      return places.flatMap((place, at) => set(place, (values[at] as Node | undefined)?.expression));
    return here(target).flatMap((node) => (node.type === 'Identifier' ? [[`${node.value}`, value] as const] : []));
  };
  return anywhere(body).flatMap((node) => {
    if (node.type === 'VariableDeclarator') return set(node.id, node.init);
    if (node.type === 'FunctionDeclaration') return set(node.identifier, node);
    if (node.type === 'AssignmentExpression') return set(node.left, node.right);
    return isCallOf(node, /\.push$/) ? set((node.callee as Node).object, node.arguments) : [];
  });
}

/** Returns the result of a function; anything else unchanged. */
const givenBy = (value: unknown): unknown => {
  if (!isNode(value) || !FUNCTIONS.includes(value.type ?? '')) return value;
  const { body } = value;
  if (isNode(body) && body.type !== 'BlockStatement') return body;
  return here(isNode(body) ? body.stmts : body).filter(({ type }) => type === 'ReturnStatement');
};

/** True if a value contains one of these nodes, or a name of something that does. */
function holding(all: readonly (readonly [string, unknown])[], isOne: (node: Node) => boolean): Holds {
  const names = new Set<string>();
  const holds: Holds = (value) =>
    here(value).some((node) => isOne(node) || (node.type === 'Identifier' && names.has(`${node.value}`)));
  for (let known = -1; known !== names.size; ) {
    known = names.size;
    for (const [name, value] of all) if (holds(givenBy(value))) names.add(name);
  }
  return holds;
}

/** Counts the expectations of a test on wall-clock durations. */
export function wallClockExpectations(text: string): number {
  // Few files read a clock, and parsing all of them lasts half a minute.
  if (!MENTIONED.test(text)) return 0;
  const { body } = parseSync(text, { syntax: 'typescript', target: 'es2024' });
  const all = settings(body);
  const isOfClock = holding(all, (node) => isCallOf(node, CLOCKS));
  const isElapsed = holding(
    all,
    ({ type, operator, left, right }) =>
      type === 'BinaryExpression' && operator === '-' && isOfClock(left) && isOfClock(right),
  );
  return anywhere(body).filter((node) => isCallOf(node, /^expect$/) && isElapsed(node.arguments)).length;
}
