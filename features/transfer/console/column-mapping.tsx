import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import compact from '#console/data/compact-table.module.css';
import { Section } from '#console/frame/section.tsx';
import { sameJson } from '#domain/same-json.ts';
import type { ImportKind } from './file/kinds.ts';
import classes from './import.module.css';
import { type ColumnMapping, choicesFor, rememberedMapping, suggested } from './mapping.ts';
import * as text from './texts.ts';

interface Props {
  readonly kind: ImportKind;
  readonly columns: readonly string[];
  /** Columns with no field: unknown ones, or all if the file cannot be read unless it is mapped. */
  readonly unmatched: readonly string[];
  readonly mapping: ColumnMapping;
  readonly apply: (mapping: ColumnMapping) => void;
}

/** Fields for the columns of a file, with suggestions for unknown ones. */
export function ColumnMappingPart({ kind, columns, unmatched, mapping, apply }: Props) {
  const [draft, setDraft] = useState<ColumnMapping>(() => ({
    ...suggested(kind, unmatched, rememberedMapping(localStorage, kind)),
    ...mapping,
  }));
  const choose = (column: string, field: string | null): void => {
    const { [column]: _, ...others } = draft;
    setDraft(field === null ? others : { ...others, [column]: field });
  };
  const isOpen = (column: string): boolean => unmatched.includes(column) || column in mapping;
  const shown = columns.toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)));
  const isSame = sameJson(draft, mapping);
  return (
    <Section
      title={text.mapColumns}
      lead={text.mapColumnsLead}
      flush
      end={
        <Button disabled={isSame} onClick={() => apply(draft)}>
          {text.updatePreview}
        </Button>
      }
    >
      <div className={compact.framed}>
        <table className={`${compact.table} ${classes.mapping}`} aria-label={text.mapColumns}>
          <thead>
            <tr>
              <th scope="col">{text.column}</th>
              <th scope="col">{text.field}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((column) => (
              <tr key={column}>
                <th scope="row">{column}</th>
                <td>
                  <Select
                    aria-label={text.fieldOf(column)}
                    size="xs"
                    searchable
                    clearable
                    allowDeselect={false}
                    placeholder={isOpen(column) ? text.ignored : text.recognized}
                    data={choicesFor(kind, column)}
                    value={draft[column] ?? null}
                    onChange={(field) => choose(column, field)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
