export const KINDS = [
  { value: 'cis', words: 'CIs' },
  { value: 'relationships', words: 'Relationships' },
] as const;
