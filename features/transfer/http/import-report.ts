import type { ImportReportBody, RowReport } from '#features/transfer/schemas/transfer.ts';

/** Failed rows after which the rest is ignored. */
export const MAX_FAILED = 1_000;
/** Rows listed in a report. */
const LISTED_ROWS = 10_000;
/** Different warnings listed in a report. */
const LISTED_WARNINGS = 50;
/** Changes of fields listed for one row, and characters of JSON of all of them; a value beyond its bound is cut. */
const ROW_CHANGES = 50;
const CHANGE_CHARACTERS = 4_000_000;
const VALUE_CHARACTERS = 500;

type CellChange = NonNullable<RowReport['changes']>[number];

const clipped = (value: unknown): unknown => {
  const text = JSON.stringify(value ?? null);
  return text.length <= VALUE_CHARACTERS ? value : `${text.slice(0, VALUE_CHARACTERS)}…`;
};

interface Warned {
  readonly first: number;
  rows: number;
}

/** Counts every row and lists the first. */
export class RowsReport {
  readonly counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  readonly #rows: RowReport[] = [];
  readonly #warnings = new Map<string, Warned>();
  readonly #fileWarnings: string[] = [];
  #ignored: readonly string[] = [];
  #characters = 0;

  /** Reports problems of the header of the file. */
  header(ignored: readonly string[], warning: string | null): void {
    this.#ignored = ignored;
    if (warning !== null) this.#fileWarnings.push(warning);
  }

  add(reports: readonly RowReport[]): void {
    for (const report of reports) {
      this.counts[report.action] += 1;
      if (this.#rows.length < LISTED_ROWS) this.#rows.push(this.#bounded(report));
    }
  }

  warn(row: number, text: string | null): void {
    if (text === null) return;
    const known = this.#warnings.get(text);
    if (known !== undefined) known.rows += 1;
    else if (this.#warnings.size < LISTED_WARNINGS) this.#warnings.set(text, { first: row, rows: 1 });
  }

  get stopped(): boolean {
    return this.counts.failed > MAX_FAILED;
  }

  get summary() {
    const { counts, stopped } = this;
    return { total: counts.created + counts.updated + counts.unchanged + counts.failed, ...counts, stopped };
  }

  body(dryRun: boolean): ImportReportBody {
    const { summary } = this;
    const rows = this.#rows;
    const warnings = [...this.#warnings].map(([text, { first, rows: n }]) =>
      n === 1 ? `row ${first}: ${text}` : `row ${first} and ${n - 1} more: ${text}`,
    );
    return {
      dry_run: dryRun,
      ...summary,
      rows,
      truncated: summary.total > rows.length,
      warnings: [...this.#fileWarnings, ...warnings],
      ignored_columns: [...this.#ignored],
    };
  }

  /** Returns the report without its changes when there are enough of them. */
  #bounded({ changes, ...report }: RowReport): RowReport {
    if (changes === undefined) return report;
    const shown = changes
      .slice(0, ROW_CHANGES)
      .map(({ field, before, after }): CellChange => ({ field, before: clipped(before), after: clipped(after) }));
    this.#characters += JSON.stringify(shown).length;
    return this.#characters > CHANGE_CHARACTERS ? report : { ...report, changes: shown };
  }
}
