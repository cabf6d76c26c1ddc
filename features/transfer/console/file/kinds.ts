export const KINDS = [
  { value: 'cis', words: 'CIs' },
  { value: 'relationships', words: 'Relationships' },
] as const;

export type ImportKind = (typeof KINDS)[number]['value'];
