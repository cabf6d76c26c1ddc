import compact from '#console/data/compact-table.module.css';
import type { FormChange } from './form-change.ts';
import classes from './forms.module.css';

/** Changes by saving, or by another person. */
export function ChangesList({
  changes,
  titles = ['Now', 'Then'],
}: {
  readonly changes: readonly FormChange[];
  readonly titles?: readonly [string, string];
}) {
  return (
    <table className={`${compact.table} ${classes.changes}`} aria-label="Changes">
      <thead>
        <tr>
          <th scope="col">What</th>
          {titles.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td>{before}</td>
            <td>{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
