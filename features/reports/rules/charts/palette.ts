/**
 * Parts of a column from the first to the last. Each is clearly lighter than the one before: so they are told apart in grey, on paper and
 * by people who see colours differently.
 */
export const SERIES = ['#5b0f2e', '#b3273f', '#e06c3b', '#f2ad5c', '#f9e7bf'] as const;
/** Bars and columns without parts. */
export const SINGLE = '#2f5d8a';
export const INK = { text: '#1f2328', axis: '#57606a', grid: '#d0d7de', outline: '#3d444d' } as const;
