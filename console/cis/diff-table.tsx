import compact from '#console/data/compact-table.module.css';
import type { CiDifference } from './ci-draft.ts';
import classes from './ci-forms.module.css';
import { fieldWords, valueText } from './ci-words.ts';

/** Changes, field by field. */
export function DiffTable({ changes }: { readonly changes: readonly CiDifference[] }) {
  return (
    <table className={compact.table}>
      <thead>
        <tr>
          <th>Field</th>
          <th>Before</th>
          <th>After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{fieldWords(field)}</th>
            <td>
              {before === null ? (
                <span className={classes.none}>nothing</span>
              ) : (
                <span className={classes.before}>{valueText(before)}</span>
              )}
            </td>
            <td>{after === null ? <span className={classes.none}>nothing</span> : valueText(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
