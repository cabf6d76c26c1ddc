import compact from '#console/data/compact-table.module.css';
import type { CiDifference } from './ci-draft.ts';
import classes from './ci-forms.module.css';
import { fieldWords, valueText } from './ci-words.ts';
import * as text from './texts.ts';

/** Changes, field by field. */
export function DiffTable({ changes }: { readonly changes: readonly CiDifference[] }) {
  return (
    <table className={compact.table}>
      <thead>
        <tr>
          <th>{text.field}</th>
          <th>{text.before}</th>
          <th>{text.after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{fieldWords(field)}</th>
            <td>
              {before === null ? (
                <span className={classes.none}>{text.empty}</span>
              ) : (
                <span className={classes.before}>{valueText(before)}</span>
              )}
            </td>
            <td>{after === null ? <span className={classes.none}>{text.empty}</span> : valueText(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
