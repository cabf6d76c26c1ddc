import compact from '#console/data/compact-table.module.css';
import type { FormChange } from './form-change.ts';
import classes from './forms.module.css';
import * as text from './texts.ts';

/** Changes by saving, or by another person. */
export function ChangesList({
  changes,
  titles = [text.current, text.changed],
}: {
  readonly changes: readonly FormChange[];
  readonly titles?: readonly [string, string];
}) {
  return (
    <table className={`${compact.table} ${classes.changes}`} aria-label={text.changes}>
      <thead>
        <tr>
          <th scope="col">{text.field}</th>
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
