/** Parts of a form of settings. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Value of a setting; null: never. */
export type Value = string | number | boolean | readonly string[] | null;

interface Base {
  /** Place in the settings: `strategies.topology.hops`. */
  readonly path: string;
  /** Unit beside the control, and in lists of changes behind the label of its row. */
  readonly words: string;
}
export type Field = Base &
  (
    | { readonly kind: 'switch' }
    | {
        readonly kind: 'number';
        readonly least: number;
        readonly most: number;
        readonly step: number;
        /** Shares are shown in percent. */
        readonly isShare?: boolean;
        /** The meaning of an empty field, where null is allowed. */
        readonly none?: string;
      }
    /** Empty: null. */
    | { readonly kind: 'text'; readonly most: number; readonly none: string; readonly isUpper?: boolean }
    | { readonly kind: 'duration'; readonly unit: DurationUnit; readonly least: number; readonly most: number }
    | { readonly kind: 'choice'; readonly choices: readonly { readonly value: Value; readonly words: string }[] }
    | { readonly kind: 'several'; readonly choices: readonly { readonly value: string; readonly words: string }[] }
    | { readonly kind: 'list' }
  );

export const UNITS = { min: MINUTE, h: HOUR, d: DAY } as const;
type DurationUnit = keyof typeof UNITS;

export interface SettingRow {
  readonly words: string;
  readonly help: string;
  readonly fields: readonly Field[];
}
export interface SettingsSection {
  readonly title: string;
  readonly rows: readonly SettingRow[];
}
