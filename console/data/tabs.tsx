import { number } from '#console/text/counts.ts';
import classes from './data.module.css';

interface Props<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly tabs: readonly { readonly value: V; readonly words: string; readonly count?: number | undefined }[];
  readonly onChange: (value: V) => void;
}

/** One of a few lists, each with how many it has. */
export function Tabs<V extends string>({ label, value, tabs, onChange }: Props<V>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div className={classes.tabs} role="group" aria-label={label}>
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          className={classes.tab}
          aria-pressed={tab.value === value}
          onClick={() => onChange(tab.value)}
        >
          {tab.words}
          {tab.count === undefined ? null : <span>{number(tab.count)}</span>}
        </button>
      ))}
    </div>
  );
}
