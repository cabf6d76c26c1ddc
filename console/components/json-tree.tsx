import classes from './facts.module.css';
import { SafeLink } from './links/safe-link.tsx';
import * as text from './texts.ts';

interface Props {
  readonly value: unknown;
  readonly name?: string;
  readonly depth?: number;
}

/** Members of one object or list that are shown; the raw text has all. */
const MAX_MEMBERS = 200;
const OPEN_DEPTH = 2;

const Name = ({ name }: { readonly name: string | undefined }) =>
  name === undefined ? null : <span className={classes.jsonKey}>{name}: </span>;

function Leaf({ name, value }: Props) {
  return (
    <>
      <Name name={name} />
      {typeof value === 'string' ? (
        <span className={classes.jsonText}>
          <SafeLink text={value} />
        </span>
      ) : (
        <span className={classes.jsonOther}>{String(value)}</span>
      )}
    </>
  );
}

function Node({ name, value, depth = 0 }: Props) {
  if (typeof value !== 'object' || value === null) return <Leaf name={name ?? ''} value={value} />;
  const members = Object.entries(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return (
    <details open={depth < OPEN_DEPTH}>
      <summary>
        <Name name={name} />
        {open}
        {members.length === 0 ? close : ` ${members.length} ${close}`}
      </summary>
      <ul>
        {members.slice(0, MAX_MEMBERS).map(([key, member]) => (
          <li key={key}>
            <Node name={key} value={member} depth={depth + 1} />
          </li>
        ))}
        {members.length > MAX_MEMBERS ? (
          <li>
            … {members.length - MAX_MEMBERS} {text.more}
          </li>
        ) : null}
      </ul>
    </details>
  );
}

/** Expandable JSON of a sender or the server. */
export function JsonTree({ value }: { readonly value: unknown }) {
  return (
    <div className={classes.json}>
      <Node value={value} />
    </div>
  );
}
